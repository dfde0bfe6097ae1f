"""State of the stages, one module per stage; Django finds the tables here."""

from messaging.models.audiences import CampaignAudience, EnrolmentRun, RunState, TextReading
from messaging.models.caught import CaughtMail
from messaging.models.commonness import SharedCount, SharedThing
from messaging.models.delivery import Delivery, DeliveryEvent, DeliveryState, OptOutToken, Payload
from messaging.models.drafts import (
    AuthorKind,
    Authorship,
    AuthorshipKind,
    Check,
    Claim,
    Draft,
    DraftState,
    FrozenDossier,
    ModelCall,
    ModelSpend,
    Revision,
)
from messaging.models.enrolments import Enrolment, EnrolmentState
from messaging.models.examples import ExampleState, FewShotExample
from messaging.models.replies import Mailbox, RawMail, Reply, ReplyState
from messaging.models.review import Approval, Comment, Decision, DecisionKind, RejectionReason, ReviewLease
from messaging.models.strategies import (
    PromptPointer,
    PromptVersion,
    Strategy,
    StrategyWeight,
)

__all__ = [
    "Approval",
    "AuthorKind",
    "Authorship",
    "AuthorshipKind",
    "CampaignAudience",
    "CaughtMail",
    "Check",
    "Claim",
    "Comment",
    "Decision",
    "DecisionKind",
    "Delivery",
    "DeliveryEvent",
    "DeliveryState",
    "Draft",
    "DraftState",
    "Enrolment",
    "EnrolmentRun",
    "EnrolmentState",
    "ExampleState",
    "FewShotExample",
    "FrozenDossier",
    "Mailbox",
    "ModelCall",
    "ModelSpend",
    "OptOutToken",
    "Payload",
    "PromptPointer",
    "PromptVersion",
    "RawMail",
    "RejectionReason",
    "Reply",
    "ReplyState",
    "ReviewLease",
    "Revision",
    "RunState",
    "SharedCount",
    "SharedThing",
    "Strategy",
    "StrategyWeight",
    "TextReading",
]
