"""The site as a ASGI application."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from outreach.checks import refuse_misconfiguration

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "outreach.settings")

application = get_asgi_application()
refuse_misconfiguration(settings.ENVIRONMENT_FAULTS)
