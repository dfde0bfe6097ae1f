"""Addresses of writing: below /t/<team>/campaigns/, and of what managers tune below /t/<team>/settings/."""

from django.urls import path

from messaging.writing import views

app_name = "writing"
urlpatterns = [
    path("<slug:slug>/drafts/start/", views.start, name="start"),
    path("<slug:slug>/hooks/", views.hooks, name="hooks"),
    path("<slug:slug>/strategies/", views.campaign_strategies, name="strategies"),
]
tuning_patterns = [
    path("quality/", views.quality, name="quality"),
    path("strategies/", views.strategies, name="strategies"),
    path("strategies/new/", views.strategy, name="new_strategy"),
    path("strategies/<int:pk>/", views.strategy, name="strategy"),
    path("strategies/<int:pk>/retire/", views.retire, name="retire"),
    path("strategies/<int:pk>/bring-back/", views.retire, {"back": True}, name="bring_back"),
    path("examples/", views.examples, name="examples"),
    path("examples/find/", views.find_examples, name="find_examples"),
    path("examples/<int:pk>/use/", views.decide_example, {"use": True}, name="use_example"),
    path("examples/<int:pk>/decline/", views.decide_example, {"use": False}, name="decline_example"),
]
