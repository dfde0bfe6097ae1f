"""The identity that messages are signed with, taken from the archive of the team mate who writes."""

from __future__ import annotations

from dataclasses import replace

from outreach.campaigns.domain.offer import Sender
from outreach.campaigns.models import SenderIdentity
from outreach.campaigns.queries import sender_value
from outreach.campaigns.services import save_sender
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import User
from prospects.queries.owners import known_owner


def sign_as_archive_says(*, member: Member, owner: User) -> SenderIdentity | Refusal:
    """Make the team mate's sender identity, or bring it up to date: name, title and company of their own profile.

    The signature stays as it is. Needs the right to manage, as any change of a sender does.
    """
    known = known_owner(team=member.team, owner=owner)
    if known is None:
        return Refusal("not-known", f"No archive has said anything about {owner} yet. Import theirs first.")
    if not known.company:
        return Refusal("no-role", f"The archive of {known.full_name} names no present role. Enter the sender by hand.")
    return save_sender(
        member=member,
        sender=replace(
            sender_value(row=known.sender) if known.sender else Sender(""),
            full_name=known.full_name[:200],
            title=known.title[:200],
            company=known.company[:200],
        ),
        sender_id=known.sender.pk if known.sender else None,
        user_id=owner.pk,
    )
