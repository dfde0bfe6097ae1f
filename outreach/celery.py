"""The Celery application: it carries ids and wakes workers; the rows are the queue."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "outreach.settings")

app = Celery("outreach")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
