"""The site as a WSGI application."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from outreach.checks import refuse_misconfiguration

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "outreach.settings")

application = get_wsgi_application()
refuse_misconfiguration(settings.ENVIRONMENT_FAULTS)
