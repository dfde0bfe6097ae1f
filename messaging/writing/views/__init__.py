"""Pages of the writing stage: asking for drafts, and what managers tune."""

from messaging.writing.views.drafts import start
from messaging.writing.views.quality import quality

__all__ = ["quality", "start"]
