from django.apps import AppConfig


class TeamsConfig(AppConfig):
    name = "outreach.teams"
    label = "teams"
