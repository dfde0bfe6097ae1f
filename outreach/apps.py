"""The site itself: what has to be loaded in every process."""

from importlib import import_module

from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "outreach"

    def ready(self) -> None:
        # Not in the package's __init__: every plain domain module would load Django with it.
        # Without a Celery app, tasks would be sent to a broker that does not exist.
        celery = import_module("outreach.celery")
        celery.app.conf.beat_schedule = import_module("outreach.schedule").SCHEDULE
        import_module("outreach.checks")
        # The campaigns room asks the rooms above, which it cannot know.
        rooms = import_module("messaging.writing.adapters.campaign_rooms").Messaging()
        import_module("outreach.campaigns.ports").attach(rooms)
