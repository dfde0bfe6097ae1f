"""The stages' addresses. The way out for people who were written to lies outside every team, and needs no login."""

from django.urls import include, path

from messaging.delivery.views import opt_out
from messaging.replies.urls import mailbox_patterns
from messaging.writing.urls import tuning_patterns

urlpatterns = [
    path("u/<slug:token>", opt_out, name="opt_out"),
    path("t/<slug:team>/outbox/", include("messaging.delivery.urls")),
    path("t/<slug:team>/inbox/", include("messaging.replies.urls")),
    path("t/<slug:team>/settings/", include((tuning_patterns, "tuning"))),
    path("t/<slug:team>/mailbox/", include((mailbox_patterns, "mailbox"))),
]
