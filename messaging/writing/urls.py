"""Addresses of writing: below /t/<team>/campaigns/, and of what managers tune below /t/<team>/settings/."""

from django.urls import path

from messaging.writing import views

app_name = "writing"
urlpatterns = [
    path("<slug:slug>/drafts/start/", views.start, name="start"),
    path("<slug:slug>/hooks/", views.hooks, name="hooks"),
]
tuning_patterns = [path("quality/", views.quality, name="quality")]
