"""Addresses of writing, below /t/<team>/campaigns/."""

from django.urls import path

from messaging.writing import views

app_name = "writing"
urlpatterns = [path("<slug:slug>/drafts/start/", views.start, name="start")]
