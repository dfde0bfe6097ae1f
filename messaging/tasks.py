"""The tasks of every stage, where a worker looks for them, and when beat wakes each."""

from messaging.delivery import tasks as delivery

SCHEDULE = {**delivery.SCHEDULE}
