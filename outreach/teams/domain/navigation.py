"""The map of the site and its keys: what stands in the navigation, for whom, and how it is reached by keyboard."""

from __future__ import annotations

from dataclasses import dataclass

from outreach.teams.domain.capabilities import Capability

_C = Capability


@dataclass(frozen=True)
class Entry:
    """One place. Shown to those who have one of the capabilities, where its room is installed.

    rooms: the URL namespaces whose pages mark the entry as current. go: the letter after `g`.
    """

    key: str
    label: str
    rooms: tuple[str, ...]
    url_name: str
    needs: frozenset[Capability]
    go: str
    counted: bool = False

    def shown_to(self, capabilities: frozenset[Capability]) -> bool:
        return bool(self.needs & capabilities)


ENTRIES = (
    Entry("home", "Home", ("home",), "home:front", frozenset({_C.VIEW}), "h"),
    Entry("prospects", "Prospects", ("prospects",), "prospects:list", frozenset({_C.VIEW}), "p"),
    Entry("campaigns", "Campaigns", ("campaigns", "enrolment", "writing"), "campaigns:list", frozenset({_C.VIEW}), "c"),
    Entry("review", "Review", ("review",), "review:queue", frozenset({_C.REVIEW, _C.WRITE}), "r", counted=True),
    Entry("outbox", "Outbox", ("delivery",), "delivery:outbox", frozenset({_C.SEND}), "o", counted=True),
    Entry("inbox", "Inbox", ("replies",), "replies:inbox", frozenset({_C.REPLY}), "i", counted=True),
    Entry("insights", "Insights", ("analytics",), "analytics:insights", frozenset({_C.ANALYSE}), "s"),
    Entry(
        "settings", "Settings", ("teams", "settings", "tuning"), "teams:settings", frozenset({_C.MANAGE, _C.ADMIN}), "t"
    ),
)


@dataclass(frozen=True)
class SettingsPage:
    """One page of the settings."""

    label: str
    url_name: str
    needs: Capability


SETTINGS = (
    SettingsPage("Team and roles", "teams:people", _C.ADMIN),
    SettingsPage("Policies", "home:settings:policy", _C.MANAGE),
    SettingsPage("Sending days", "home:settings:days", _C.MANAGE),
    SettingsPage("Privacy", "home:settings:privacy", _C.MANAGE),
    SettingsPage("Language model", "home:settings:model", _C.ADMIN),
    SettingsPage("Strategies", "tuning:strategies", _C.MANAGE),
    SettingsPage("Examples", "tuning:examples", _C.MANAGE),
    SettingsPage("Quality rules", "tuning:quality", _C.MANAGE),
    SettingsPage("Senders", "home:settings:senders", _C.MANAGE),
    SettingsPage("Sending accounts", "home:settings:accounts", _C.ADMIN),
    SettingsPage("Reasons for rejection", "home:settings:reasons", _C.MANAGE),
    SettingsPage("Industry notes", "prospects:industries", _C.MANAGE),
    SettingsPage("All settings", "home:settings:overview", _C.MANAGE),
    SettingsPage("Audit trail", "teams:audit", _C.ADMIN),
    SettingsPage("My account", "teams:account", _C.VIEW),
)


@dataclass(frozen=True)
class Shortcut:
    keys: tuple[str, ...]
    does: str


REVIEW_SHORTCUTS = (
    Shortcut(("j", "k"), "next, previous draft"),
    Shortcut(("↑", "↓"), "previous, next claim"),
    Shortcut(("a",), "approve and advance"),
    Shortcut(("e",), "edit in place"),
    Shortcut(("r",), "reject, with a reason"),
    Shortcut(("g",), "regenerate, with an instruction"),
    Shortcut(("s",), "skip"),
    Shortcut(("o",), "open the source"),
    Shortcut(("+",), "add evidence"),
    Shortcut(("p",), "exact payload"),
    Shortcut(("d",), "difference to the model’s text"),
    Shortcut(("c",), "comment"),
    Shortcut(("x",), "select"),
    Shortcut(("Shift", "A"), "approve the selected clean ones"),
    Shortcut(("z",), "undo, before it is sent"),
)
COMMON_SHORTCUTS = (
    Shortcut(("/",), "search"),
    Shortcut(("?",), "this list"),
    Shortcut(("j", "k"), "next, previous row"),
    Shortcut(("x",), "select the row"),
)
