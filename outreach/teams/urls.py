"""Addresses of the team's settings, below /t/<team>/settings/."""

from django.urls import path

from outreach.teams import views

app_name = "teams"
urlpatterns = [
    path("", views.settings, name="settings"),
    path("people/", views.people, name="people"),
    path("people/<int:pk>/role/", views.change_role, name="change_role"),
    path("people/<int:pk>/active/", views.set_active, name="set_active"),
    path("people/<int:pk>/invite/", views.invite_again, name="invite_again"),
    path("audit/", views.audit, name="audit"),
    path("account/", views.account, name="account"),
]
