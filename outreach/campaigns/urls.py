"""Addresses of campaigns, below /t/<team>/campaigns/."""

from django.urls import path

from outreach.campaigns import views

app_name = "campaigns"
urlpatterns = [
    path("", views.index, name="list"),
    path("new/", views.create, name="new"),
    path("<slug:slug>/edit/", views.edit, name="edit"),
    path("<slug:slug>/move/<str:step>/", views.move, name="move"),
]
