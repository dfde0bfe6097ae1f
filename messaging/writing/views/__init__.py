"""Pages of the writing stage: asking for drafts, what they could open with, and what managers tune."""

from messaging.writing.views.drafts import start
from messaging.writing.views.examples import decide_example, examples, find_examples
from messaging.writing.views.openings import hooks
from messaging.writing.views.quality import quality
from messaging.writing.views.strategies import campaign_strategies, retire, strategies, strategy

__all__ = ["campaign_strategies", "decide_example", "examples", "find_examples", "hooks", "quality", "retire", "start", "strategies", "strategy"]
