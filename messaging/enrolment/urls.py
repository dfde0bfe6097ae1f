"""Addresses of a campaign's people, below /t/<team>/campaigns/."""

from django.urls import path

from messaging.enrolment import views

app_name = "enrolment"
urlpatterns = [
    path("<slug:slug>/", views.campaign, name="campaign"),
    path("<slug:slug>/pipeline/", views.pipeline, name="pipeline"),
    path("<slug:slug>/stale/", views.stale, name="stale"),
    path("<slug:slug>/stale.csv", views.stale_csv, name="stale_csv"),
    path("<slug:slug>/people/", views.people, name="people"),
    path("<slug:slug>/people/<int:pk>/remove/", views.remove_person, name="remove"),
]
