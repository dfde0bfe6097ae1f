"""The tasks of every stage, where a worker looks for them, and when beat wakes each."""

from messaging.delivery import tasks as delivery
from messaging.review import tasks as review

SCHEDULE = {**delivery.SCHEDULE, **review.SCHEDULE}
