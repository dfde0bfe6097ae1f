from django.apps import AppConfig


class HomeConfig(AppConfig):
    name = "outreach.home"
    label = "home"
