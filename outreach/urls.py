"""Every address of the site; each room keeps its own."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("t/<slug:team>/review/", include("messaging.review.urls")),
    path("", include("outreach.home.urls")),
    path("t/<slug:team>/prospects/", include("prospects.urls")),
    path("", include("messaging.urls")),
    path("t/<slug:team>/insights/", include("analytics.urls")),
    path("t/<slug:team>/settings/", include("outreach.teams.urls")),
    path("t/<slug:team>/campaigns/", include("outreach.campaigns.urls")),
    path("t/<slug:team>/campaigns/", include("messaging.enrolment.urls")),
    path("t/<slug:team>/campaigns/", include("messaging.writing.urls")),
]
