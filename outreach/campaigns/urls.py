"""Addresses of campaigns, below /t/<team>/campaigns/."""

from django.urls import path

from outreach.campaigns import views

app_name = "campaigns"
urlpatterns = [
    path("", views.index, name="list"),
    path("new/", views.create, name="new"),
    path("<slug:slug>/edit/", views.resume, name="edit"),
    path("<slug:slug>/setup/<str:page>/", views.setup, name="setup"),
    path("<slug:slug>/move/<str:step>/", views.move, name="move"),
    path("<slug:slug>/clone/", views.clone, name="clone"),
    path("<slug:slug>/log/", views.log, name="log"),
]
