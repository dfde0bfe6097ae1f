"""Everything that changes what a team offers and how. Each call is one decision of a person or a worker."""

from outreach.campaigns.services.accounts import check_account, create_account, edit_account
from outreach.campaigns.services.campaigns import begin_campaign, clone_campaign, create_campaign, create_for_team
from outreach.campaigns.services.days import add_closed_day, remove_closed_day
from outreach.campaigns.services.documents import create_from_document
from outreach.campaigns.services.lifecycle import move_campaign, start_campaign
from outreach.campaigns.services.model import save_model, try_model
from outreach.campaigns.services.policies import (
    PolicySaved,
    apply_due,
    change_policy,
    change_settings,
    confirm_policy,
    decline_policy,
)
from outreach.campaigns.services.secrets import rotate_secrets
from outreach.campaigns.services.sections import save_offer, save_proof, save_sending, save_steps
from outreach.campaigns.services.senders import save_sender

__all__ = [
    "PolicySaved",
    "add_closed_day",
    "apply_due",
    "begin_campaign",
    "change_policy",
    "change_settings",
    "check_account",
    "clone_campaign",
    "confirm_policy",
    "create_account",
    "create_campaign",
    "create_for_team",
    "create_from_document",
    "decline_policy",
    "edit_account",
    "move_campaign",
    "remove_closed_day",
    "rotate_secrets",
    "save_model",
    "save_offer",
    "save_proof",
    "save_sender",
    "save_sending",
    "save_steps",
    "start_campaign",
    "try_model",
]
