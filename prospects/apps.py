from django.apps import AppConfig


class ProspectsConfig(AppConfig):
    name = "prospects"
