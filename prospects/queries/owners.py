"""What the archive of a team mate makes known about them: who writes, and how much there is to have in common."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from outreach.campaigns.models import SenderIdentity
from outreach.teams.models import Team, User
from prospects.domain.card import card_of
from prospects.queries import owner_facts


@dataclass(frozen=True)
class KnownOwner:
    """A team mate as their own archive tells them.

    sender  the identity that their messages are signed with, None where there is none yet
    agrees  whether that identity says the same as the archive
    counts  (kind, number) of what is known, most first
    """

    user: User
    full_name: str
    title: str
    company: str
    sender: SenderIdentity | None
    agrees: bool
    counts: tuple[tuple[str, int], ...]


def known_owner(*, team: Team, owner: User) -> KnownOwner | None:
    """None while no archive has said anything about the team mate."""
    facts = owner_facts(team=team, owner=owner)
    if not facts:
        return None
    card = card_of(facts)
    sender = SenderIdentity.objects.filter(team=team, user=owner).order_by("id").first()
    full_name = card.full_name or owner.full_name
    said = (full_name, card.title, card.company)
    return KnownOwner(
        user=owner,
        full_name=full_name,
        title=card.title,
        company=card.company,
        sender=sender,
        agrees=sender is not None and said == (sender.full_name, sender.title, sender.company),
        counts=tuple(Counter(fact.kind.value.replace("_", " ") for fact in facts).most_common()),
    )
