"""What beat dispatches: the wake-ups that every room asks for."""

from analytics.tasks import SCHEDULE as ANALYTICS
from messaging.tasks import SCHEDULE as MESSAGING
from outreach.campaigns.tasks import SCHEDULE as CAMPAIGNS
from prospects.tasks import SCHEDULE as PROSPECTS

SCHEDULE = {**MESSAGING, **PROSPECTS, **ANALYTICS, **CAMPAIGNS}
