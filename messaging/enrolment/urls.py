"""Addresses of a campaign's people, below /t/<team>/campaigns/<slug>/."""

from django.urls import path

from messaging.enrolment import views

app_name = "enrolment"
urlpatterns = [
    path("", views.campaign, name="campaign"),
    path("pipeline/", views.pipeline, name="pipeline"),
    path("people/", views.people, name="people"),
]
