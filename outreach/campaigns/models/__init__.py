"""What we offer and how: campaigns, proof points, sender identities and accounts, policies."""

from outreach.campaigns.models.campaigns import (
    Campaign,
    CampaignStatus,
    Condition,
    OfferChange,
    ProofPoint,
    SequenceStep,
    Tone,
)
from outreach.campaigns.models.settings import (
    AccountKind,
    Channel,
    ClosedDay,
    Plan,
    PolicyChange,
    PolicyChangeState,
    Secret,
    SecretKind,
    Security,
    SenderIdentity,
    SendingAccount,
    TeamPolicy,
)

__all__ = [
    "AccountKind",
    "Campaign",
    "CampaignStatus",
    "Channel",
    "ClosedDay",
    "Condition",
    "OfferChange",
    "Plan",
    "PolicyChange",
    "PolicyChangeState",
    "ProofPoint",
    "Secret",
    "SecretKind",
    "Security",
    "SenderIdentity",
    "SendingAccount",
    "SequenceStep",
    "TeamPolicy",
    "Tone",
]
