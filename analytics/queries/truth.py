"""What the verifier read and stopped, and what people did about it; few queries, whatever the number of texts."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Case, CharField, Count, Exists, F, IntegerField, OuterRef, Q, Value, When
from django.db.models.functions import Length, Replace, TruncWeek
from django.db.models.lookups import LessThan

from analytics.domain.truth import BANDS, Answered, Counted
from messaging.models import (
    AuthorKind,
    Authorship,
    AuthorshipKind,
    Check,
    Claim,
    Decision,
    DecisionKind,
    Draft,
    Revision,
)
from messaging.models.drafts import DraftState
from outreach.teams.models import Team

#: Groups of counted claims, and reasons, that are read at most.
GROUPS_READ, REASONS_SHOWN = 20_000, 20
_REVISION = "checked__revision__"


def checked_claims(*, team: Team, since: datetime) -> tuple[Counted, ...]:
    """Claims of the first check of every text checked since a moment: what was found before anybody changed it.

    At most GROUPS_READ groups, the newest weeks first. Model and prompt version are those of the draft's last writing,
    and told of a language model's texts alone.
    """
    earlier = Check.objects.filter(revision=OuterRef("checked__revision"), pk__lt=OuterRef("checked"))
    by_model = Q(**{f"{_REVISION}author_kind": AuthorKind.MODEL})
    prompt = f"{_REVISION}draft__prompt_version__"
    rows = (
        Claim.objects.filter(~Exists(earlier), checked__created_at__gte=since, checked__revision__draft__team=team)
        .annotate(
            week=TruncWeek("checked__created_at"),
            band=_band(f"{_REVISION}body"),
            model=_told(by_model, f"{_REVISION}draft__model", CharField()),
            number=_told(by_model, f"{prompt}number", IntegerField()),
            prompt_channel=_told(by_model, f"{prompt}channel", CharField()),
            prompt_language=_told(by_model, f"{prompt}language", CharField()),
        )
        .values_list(
            "type", "verdict", f"{_REVISION}draft__language", f"{_REVISION}author_kind", "week", "band", "model",
            "number", "prompt_channel", "prompt_language",
        )
        .annotate(claims=Count("pk"))
        .order_by("-week", "type")[:GROUPS_READ]
    )  # fmt: skip
    return tuple(
        Counted(
            type=kind, verdict=verdict, language=language, author=author, week=f"{week:%Y-%m-%d}", claims=claims,
            length=band, model=model or "", prompt=_prompt(number, channel, prompt_language),
        )
        for kind, verdict, language, author, week, band, model, number, channel, prompt_language, claims in rows
    )  # fmt: skip


def _told(condition: Q, field: str, of: CharField[str, str] | IntegerField[int, int]) -> Case:
    return Case(When(condition, then=F(field)), default=Value(None), output_field=of)


def _band(field: str) -> Case:
    """The length of a text in words: one more than its gaps."""
    once = Replace(F(field), Value("\n\n"), Value("\n"))
    closed = Replace(Replace(once, Value("\n"), Value("")), Value(" "), Value(""))
    words = Length(once) - Length(closed) + 1
    *bands, (_, last) = BANDS
    return Case(
        *(When(LessThan(words, limit), then=Value(name)) for limit, name in bands),
        default=Value(last),
        output_field=CharField(),
    )


def _prompt(number: int | None, channel: str | None, language: str | None) -> str:
    if number is None:
        return ""
    return " · ".join(part for part in (f"Version {number}", (channel or "").replace("_", " "), language or "") if part)


def answers_to_findings(*, team: Team, since: datetime) -> Answered:
    """What people did about texts of machines that the first check stopped."""
    earlier = Check.objects.filter(revision=OuterRef("revision"), pk__lt=OuterRef("pk"))
    drafts = Draft.objects.filter(pk=OuterRef("revision__draft"))
    later = Revision.objects.filter(draft=OuterRef("revision__draft"), number__gt=OuterRef("revision__number"))
    authors = Authorship.objects.filter(revision__draft=OuterRef("revision__draft"))
    stopped = (
        Check.objects.filter(~Exists(earlier), passes=False, created_at__gte=since, revision__draft__team=team)
        .exclude(revision__author_kind=AuthorKind.PERSON)
        .annotate(
            has_evidence=Exists(authors.filter(kind=AuthorshipKind.EVIDENCED)),
            has_edit=Exists(later.filter(author_kind=AuthorKind.PERSON)),
            has_more=Exists(later.exclude(author_kind=AuthorKind.PERSON)),
            has_rejection=Exists(drafts.filter(state=DraftState.REJECTED)),
        )
    )
    evidence, edited, again, dismissed = (
        Q(**{name: True}) for name in ("has_evidence", "has_edit", "has_more", "has_rejection")
    )
    counted = stopped.aggregate(
        evidence=Count("pk", filter=evidence),
        edited=Count("pk", filter=edited & ~evidence),
        again=Count("pk", filter=again & ~edited & ~evidence),
        rejected=Count("pk", filter=dismissed & ~again & ~edited & ~evidence),
        waiting=Count("pk", filter=~dismissed & ~again & ~edited & ~evidence),
    )
    return Answered(**counted)


def rejections(*, team: Team, since: datetime) -> tuple[tuple[str, int, int], ...]:
    """What reviewers found afterwards: rejections since a moment by reason, and how many of them the verifier had passed."""
    passed = Check.objects.filter(revision=OuterRef("revision"), passes=True)
    rows = (
        Decision.objects.filter(draft__team=team, kind=DecisionKind.REJECTED, created_at__gte=since)
        .annotate(had_passed=Exists(passed))
        .values_list("reason__label")
        .annotate(count=Count("pk"), passed=Count("pk", filter=Q(had_passed=True)))
        .order_by("-count", "reason__label")[:REASONS_SHOWN]
    )
    return tuple((label or "No reason given", count, cleared) for label, count, cleared in rows)
