"""The verdicts on a text that is being typed. Nothing is stored."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from messaging.models import Draft
from messaging.review.queries.message import Message, message_of
from messaging.writing.revisions import check_typed
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal

MOST_CHARACTERS = 20_000


@dataclass(frozen=True)
class Typed:
    """message None: problem says why there are no verdicts."""

    message: Message | None
    problem: str
    open_findings: int


def typed_message(*, member: Member, draft_id: int, subject: str, body: str, now: datetime) -> Typed | None:
    """None for a draft that is not this team's. At most eight queries."""
    draft = Draft.objects.filter(team=member.team, pk=draft_id).select_related("strategy", "dossier").first()
    if draft is None:
        return None
    if len(body) > MOST_CHARACTERS:
        return Typed(None, f"The message has {len(body):,} characters; at most {MOST_CHARACTERS:,} can be checked.", 1)
    body = body.replace("\r\n", "\n").strip()
    checked = check_typed(draft=draft, subject=subject.strip(), body=body, now=now)
    if isinstance(checked, Refusal):
        return Typed(None, checked.message, 1)
    message = message_of(
        draft=draft,
        subject=subject.strip(),
        body=body,
        claims=checked.report.claims,
        quality=[asdict(finding) for finding in checked.quality],
    )
    return Typed(message, checked.report.refused, len(checked.reasons))
