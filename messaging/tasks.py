"""The tasks of every stage, where a worker looks for them, and when beat wakes each."""

from messaging.delivery import tasks as delivery
from messaging.enrolment import tasks as enrolment
from messaging.hooks import tasks as hooks
from messaging.replies import tasks as replies
from messaging.review import tasks as review
from messaging.writing import tasks as writing

SCHEDULE = {**enrolment.SCHEDULE, **hooks.SCHEDULE, **writing.SCHEDULE, **delivery.SCHEDULE, **review.SCHEDULE, **replies.SCHEDULE}
