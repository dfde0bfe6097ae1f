"""Addresses of the roof: the front page, what joins rooms, and settings that span them."""

from django.urls import include, path

from outreach.home.views import accounts, pages, settings

app_name = "home"
settings_patterns = [
    path("all/", settings.overview, name="overview"),
    path("policy/", settings.policy, name="policy"),
    path("policy/<int:pk>/confirm/", settings.decide_policy, {"decision": "confirm"}, name="confirm_policy"),
    path("policy/<int:pk>/decline/", settings.decide_policy, {"decision": "decline"}, name="decline_policy"),
    path("model/", settings.model, name="model"),
    path("model/test/", settings.try_model, name="try_model"),
    path("days/", settings.days, name="days"),
    path("days/add/", settings.add_day, name="add_day"),
    path("days/<int:pk>/remove/", settings.remove_day, name="remove_day"),
    path("privacy/", settings.privacy, name="privacy"),
    path("reasons/", settings.reasons, name="reasons"),
    path("reasons/<int:pk>/", settings.set_reason, name="set_reason"),
    path("senders/", accounts.senders, name="senders"),
    path("senders/new/", accounts.sender, name="new_sender"),
    path("senders/<int:pk>/", accounts.sender, name="sender"),
    path("accounts/", accounts.accounts, name="accounts"),
    path("accounts/new/", accounts.new_account, name="new_account"),
    path("accounts/<int:pk>/", accounts.account, name="account"),
    path("accounts/<int:pk>/test/", accounts.check_account, name="check_account"),
]
urlpatterns = [
    path("", pages.begin, name="begin"),
    path("teams/", pages.teams, name="teams"),
    path("t/<slug:team>/", pages.front, name="front"),
    path("t/<slug:team>/counts/", pages.counts, name="counts"),
    path("t/<slug:team>/search/", pages.search, name="search"),
    path("t/<slug:team>/with/<int:pk>/", pages.prospect_messages, name="prospect_messages"),
    path("t/<slug:team>/hooks/<int:pk>/", pages.prospect_hooks, name="prospect_hooks"),
    path("t/<slug:team>/at/<int:pk>/", pages.company_messages, name="company_messages"),
    path("t/<slug:team>/outlook/<slug:slug>/", pages.outlook, name="outlook"),
    path("t/<slug:team>/settings/", include((settings_patterns, "settings"))),
]
