"""What beat dispatches: the wake-ups that every room asks for."""

from messaging.tasks import SCHEDULE as MESSAGING

SCHEDULE = {**MESSAGING}
