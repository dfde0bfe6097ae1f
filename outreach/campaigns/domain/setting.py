"""Every setting of a team in one table: what it does, for whom, what holds without anybody's doing, and who reads it.

A setting that nobody reads is none: tests walk this table and look for a reader outside the pages that change it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from outreach.campaigns.domain.offer import Policy
from outreach.teams.domain.capabilities import Capability

Value = bool | int | str | Decimal | Mapping[str, str]
_SAFE = Policy()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. key: the field of Policy, or of the row that holds it.

    label, help: for the form. now: the present effect as a sentence with {value}, by "on" and "off" for switches, with
    "none" for what is empty. reader: the module that acts on it. page: where it is changed. of: "team", or what kind of
    row it belongs to. needs: who may change it.
    """

    key: str
    label: str
    help: str
    reader: str
    now: Mapping[str, str] = field(default_factory=dict)
    page: str = "home:settings:policy"
    of: str = "team"
    needs: Capability = Capability.MANAGE

    @property
    def default(self) -> Value:
        """What holds until somebody changes it: the safe value."""
        value: Value = getattr(_SAFE, self.key)
        return value

    def effect(self, value: Value) -> str:
        """What the value does at present, in a sentence."""
        if isinstance(value, bool):
            return self.now["on" if value else "off"]
        if not value and "none" in self.now:
            return self.now["none"]
        shown = ", ".join(sorted(value)) if isinstance(value, Mapping) else value
        return self.now["set"].format(value=shown)


def _switch(on: str, off: str) -> Mapping[str, str]:
    return MappingProxyType({"on": on, "off": off})


def _value(text: str, none: str = "") -> Mapping[str, str]:
    return MappingProxyType({"set": text, **({"none": none} if none else {})})


_DAYS, _PRIVACY, _MODEL = "home:settings:days", "home:settings:privacy", "home:settings:model"

TEAM_SETTINGS = (
    Setting(
        "quality_blocks", "Length and call-to-action findings block approval",
        "Off: they are shown as warnings. Unverified claims block in any case; no setting changes that.",
        "messaging.writing.checking",
        _switch("Texts of the wrong length or without one clear question cannot be approved.", "Length and call to action only warn."),
    ),
    Setting(
        "observed_days_position", "A position counts as current for, in days",
        "“You lead …” needs a position seen no longer ago than this. Shorter is safer, and blocks more drafts.",
        "messaging.writing.checking", _value("A position seen within {value} days counts as current."),
    ),
    Setting(
        "observed_days_company", "Facts about a company count as current for, in days",
        "Its size, industry and seat. Older ones are no ground for what a message says of today.",
        "messaging.writing.checking", _value("Facts about a company seen within {value} days count as current."),
    ),
    Setting(
        "observed_days_common", "What they have in common counts for, in days",
        "Mutual connections, events, schools, employers. Older ones are not mentioned.",
        "messaging.writing.checking", _value("Something in common seen within {value} days may be mentioned."),
    ),
    Setting(
        "review_target_hours", "Drafts should be reviewed within, in hours",
        "After that a draft counts as overdue and moves to the top.",
        "messaging.writing.revisions", _value("A draft is overdue after {value} hours."),
    ),
    Setting(
        "four_eyes", "Four eyes",
        "Nobody approves a text that they wrote, edited, prompted or added evidence for, nor one that cites what they "
        "imported less than a day before it was written. "
        "Off: one’s own text may be approved after the delay below, and is marked so for ever.",
        "messaging.review.queries.facts",
        _switch("Nobody approves a text they had a hand in.", "One’s own text may be approved after a delay."),
    ),
    Setting(
        "self_approval_delay", "Delay before one’s own text may be approved, in minutes",
        "Time to read it with fresh eyes. Counts only without four eyes, and in a team of one.",
        "messaging.review.queries.facts", _value("One’s own text waits {value} minutes, where it may be approved at all."),
    ),
    Setting(
        "undo_seconds", "Approval can be undone for, in seconds",
        "Nothing is sent before this time is over.",
        "messaging.delivery.services", _value("An approved message waits {value} seconds before it may leave."),
    ),
    Setting(
        "send_by_days", "An approval lapses after, in days",
        "Recency words are checked against the last of these days: the longer, the fewer may be used.",
        "messaging.writing.dossiers", _value("An approval lapses after {value} days."),
    ),
    Setting(
        "send_on_weekends", "Send on weekends",
        "Off: e-mail waits for the next working day where the prospect lives; which days are free differs by country.",
        "messaging.delivery.queries",
        _switch("E-mail leaves on weekends too.", "E-mail waits while it is weekend for the prospect."), _DAYS,
    ),
    Setting(
        "send_on_holidays", "Send on public holidays",
        "Off: e-mail waits while it is a public holiday for the prospect, or for the team where its country is named below.",
        "messaging.delivery.queries",
        _switch("E-mail leaves on public holidays too.", "E-mail waits on public holidays."), _DAYS,
    ),
    Setting(
        "home_country", "The team’s country",
        "Its public holidays are days on which nobody could answer. It also stands in for a prospect whose country is not known.",
        "messaging.delivery.queries",
        _value("The public holidays of {value} are the team’s own.", "No country: only the prospect’s holidays count."), _DAYS,
    ),
    Setting(
        "postal_address", "Postal address", "Printed in the footer of every e-mail. Many countries demand it.",
        "messaging.review.queries.outgoing",
        _value("Every e-mail ends with: {value}", "E-mail carries no postal address. Many countries demand one."), _PRIVACY,
    ),
    Setting(
        "lawful_basis", "Lawful basis",
        "Why the team may process the data of people who did not ask to be written to. Every e-mail names it.",
        "messaging.review.queries.outgoing", _value("Messages name as their basis: {value}."), _PRIVACY,
    ),
    Setting(
        "quality_levels", "Levels of quality rules", "Which findings about wording, form and length block approval, and which only warn.",
        "messaging.writing.checking",
        _value("These quality rules are not as shipped: {value}.", "Every quality rule is as shipped."), "tuning:quality",
    ),
    Setting(
        "notice_texts", "Notice by language",
        "Printed below the automatic notice of e-mails in that language: who answers questions, where the policy is found.",
        "messaging.review.queries.outgoing",
        _value("E-mail in {value} carries a notice of your own.", "E-mail carries the automatic notice alone."), _PRIVACY,
    ),
    Setting(
        "model_base_url", "Address of the model", "Any endpoint that speaks OpenAI’s protocol, as https://models.example.com/v1. "
        "Empty: the installation’s own model, or the embedded composer where it has none.",
        "outreach.campaigns.queries", _value("Texts are written by the model at {value}.", "The installation’s own model writes."),
        _MODEL, needs=Capability.ADMIN,
    ),
    Setting(
        "model_name", "Name of the model", "As the endpoint calls it. Empty: the first that it lists.",
        "outreach.campaigns.queries", _value("The model is {value}.", "The first model that the endpoint lists."),
        _MODEL, needs=Capability.ADMIN,
    ),
    Setting(
        "model_daily_budget", "Budget a day", "In the currency of the prices that the installation knows. "
        "When it is used up, drafts wait until tomorrow (UTC). Nought: no model is asked, the embedded composer writes.",
        "outreach.campaigns.queries", _value("At most {value} a day go to the model."), _MODEL, needs=Capability.ADMIN,
    ),
    Setting(
        "model_monthly_budget", "Budget a month", "The same for a calendar month.",
        "outreach.campaigns.queries", _value("At most {value} a month go to the model."), _MODEL, needs=Capability.ADMIN,
    ),
)  # fmt: skip

_ACCOUNT, _SENDER = "home:settings:accounts", "home:settings:senders"
_SMTP, _IMAP = "messaging.delivery.channels.smtp.configured", "outreach.campaigns.queries"
#: Settings that a sender or an account has, rather than the team.
ROW_SETTINGS = (
    *(
        Setting(key, label, text, reader, page=_ACCOUNT, of="account", needs=Capability.ADMIN)
        for key, label, text, reader in (
            ("display_name", "Shown as", "The name beside the address in the mail reader.", "messaging.review.queries.outgoing"),
            ("daily_cap", "Messages in any 24 hours", "What is over it waits.", "messaging.delivery.queries"),
            ("active", "In use", "Off: nothing more leaves from it.", "messaging.delivery.queries"),
            ("note_limit", "Length of a connection note", "No note is written longer, none approved.", "messaging.writing.checking"),
            ("weekly_invitations", "Connection notes in any 7 days", "What is over it waits.", "messaging.delivery.queries"),
            ("monthly_notes", "Connection notes in any 30 days", "What is over it waits; 0 is no limit.", "messaging.delivery.queries"),
        )
    ),
    Setting("signature", "Signature", "Below every e-mail, word for word.", "messaging.review.queries.outgoing", page=_SENDER, of="sender"),
    Setting("signatures", "Signature by language", "The same for e-mails in that language.", "outreach.campaigns.domain.offer", page=_SENDER, of="sender"),
    Setting("calendar_url", "Calendar link", "A line below the signature.", "messaging.review.queries.outgoing", page=_SENDER, of="sender"),
)  # fmt: skip

SETTINGS = (*TEAM_SETTINGS, *ROW_SETTINGS)
_BY_KEY = {setting.key: setting for setting in SETTINGS}


def setting(key: str) -> Setting:
    return _BY_KEY[key]


def effects(policy: Policy) -> list[tuple[Setting, Any, str]]:
    """Every setting of the team with its value and what that does."""
    return [(one, value, one.effect(value)) for one in TEAM_SETTINGS for value in [getattr(policy, one.key)]]
