"""Everything that changes what a team offers and how. Each call is one decision of a person or a worker."""

from outreach.campaigns.services.campaigns import (
    create_account,
    create_campaign,
    edit_account,
    edit_campaign,
    finish_campaign,
    move_campaign,
    pause_campaign,
    save_sender,
    start_campaign,
)
from outreach.campaigns.services.policies import (
    PolicySaved,
    apply_due,
    change_policy,
    change_settings,
    confirm_policy,
    decline_policy,
)

__all__ = [
    "PolicySaved",
    "apply_due",
    "change_policy",
    "change_settings",
    "confirm_policy",
    "create_account",
    "create_campaign",
    "decline_policy",
    "edit_account",
    "edit_campaign",
    "finish_campaign",
    "move_campaign",
    "pause_campaign",
    "save_sender",
    "start_campaign",
]
