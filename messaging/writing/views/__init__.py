"""Pages of the writing stage: asking for drafts, what they could open with, and what managers tune."""

from messaging.writing.views.drafts import start
from messaging.writing.views.openings import hooks
from messaging.writing.views.quality import quality

__all__ = ["hooks", "quality", "start"]
