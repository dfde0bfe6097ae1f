"""Every address of the site; each room keeps its own."""

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.models import Group
from django.urls import URLPattern, URLResolver, include, path

from prospects.api import Import, Imports

# Whoever could add an address to somebody's account could set its password and approve in their name; and the
# sign-in of the admin pages would not count failed attempts.
admin.site.unregister([EmailAddress, Group])
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns: list[URLPattern | URLResolver] = [
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/imports/<slug:team>/", Imports.as_view(), name="api-imports"),
    path("api/v1/imports/<slug:team>/<int:pk>/", Import.as_view(), name="api-import"),
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
