from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "outreach.campaigns"
    label = "campaigns"
