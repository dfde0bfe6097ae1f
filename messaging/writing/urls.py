"""Addresses of writing, below /t/<team>/campaigns/<slug>/drafts/."""

from django.urls import path

from messaging.writing import views

app_name = "writing"
urlpatterns = [path("start/", views.start, name="start")]
