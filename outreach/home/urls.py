"""Addresses of the roof: the front page, what joins rooms, and settings that span them."""

from django.urls import include, path

from outreach.home.views import pages, settings

app_name = "home"
settings_patterns = [
    path("policy/", settings.policy, name="policy"),
    path("policy/<int:pk>/confirm/", settings.decide_policy, {"decision": "confirm"}, name="confirm_policy"),
    path("policy/<int:pk>/decline/", settings.decide_policy, {"decision": "decline"}, name="decline_policy"),
    path("senders/", settings.senders, name="senders"),
    path("senders/new/", settings.sender, name="new_sender"),
    path("senders/<int:pk>/", settings.sender, name="sender"),
    path("accounts/", settings.accounts, name="accounts"),
    path("accounts/new/", settings.account, name="new_account"),
    path("accounts/<int:pk>/", settings.account, name="account"),
]
urlpatterns = [
    path("", pages.begin, name="begin"),
    path("teams/", pages.teams, name="teams"),
    path("t/<slug:team>/", pages.front, name="front"),
    path("t/<slug:team>/counts/", pages.counts, name="counts"),
    path("t/<slug:team>/search/", pages.search, name="search"),
    path("t/<slug:team>/with/<int:pk>/", pages.prospect_messages, name="prospect_messages"),
    path("t/<slug:team>/at/<int:pk>/", pages.company_messages, name="company_messages"),
    path("t/<slug:team>/settings/", include((settings_patterns, "settings"))),
]
