from django.urls import path

from outreach.home import views

app_name = "home"
urlpatterns = [
    path("", views.begin, name="begin"),
    path("teams/", views.teams, name="teams"),
    path("t/<slug:team>/", views.front, name="front"),
    path("t/<slug:team>/counts/", views.counts, name="counts"),
    path("t/<slug:team>/search/", views.search, name="search"),
    path("t/<slug:team>/with/<int:pk>/", views.prospect_messages, name="prospect_messages"),
]
