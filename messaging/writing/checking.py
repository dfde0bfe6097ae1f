"""What the verifier and the quality rules need to know of a draft, gathered once and used by every check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache

from django.db.models import Q

from messaging.models import Draft, DraftState, Enrolment, FrozenDossier
from messaging.verification.contract import CheckedClaim, CheckInput, DeclaredClaim, MessageText, OtherPeople, Report
from messaging.verification.engine import verify
from messaging.verification.judge import Example, Heard, Judge, Opinion, applied, judged
from messaging.writing.domain.quality import (
    Other,
    QualityFinding,
    check_quality,
    for_team,
    near_duplicate,
)
from messaging.writing.domain.strategy import StrategyParameters, Unreadable, limits_of, read_parameters
from messaging.writing.domain.thread import NO_THREAD, Thread, check_thread
from messaging.writing.dossiers import send_by_of, standing
from messaging.writing.sharing import shared, shared_policy
from messaging.writing.threads import thread_of
from prospects.domain.evidence import Actor, Dossier, Kind
from prospects.models import Prospect

#: Names that are looked for in a message: so many of the campaign and as many of the team, the newest.
MOST_OTHERS = 2_000
#: Texts to colleagues of the reader, and to anybody else in the campaign, that a text is compared with: the newest.
MOST_COLLEAGUES, MOST_STRANGERS = 40, 20
_SAID = (DraftState.APPROVED, DraftState.SENT)
#: Evidence that says who somebody is; what is no specific reference.
_WHO = frozenset({Kind.NAME, Kind.POSITION, Kind.HEADLINE, Kind.LOCATION, Kind.PROFILE_LANGUAGE, Kind.COMPANY_FACT})


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What a judge said of a text. Both texts are "" where there was nothing to ask."""

    model: str = ""
    failure: str = ""
    opinions: tuple[Opinion, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """The verifier's report and the quality findings of one text, against one day.

    reading: the judge's part in the report; None: it was not asked.
    """

    report: Report
    quality: tuple[QualityFinding, ...]
    send_by: date
    reading: SecondReading | None = None

    @property
    def blocking(self) -> tuple[QualityFinding, ...]:
        return tuple(finding for finding in self.quality if finding.level == "block")

    @property
    def clean(self) -> bool:
        """Whether the text may go to review as it is."""
        return self.report.passes and not self.blocking

    @property
    def reasons(self) -> tuple[str, ...]:
        """Everything that blocks, one sentence each; what a model is told and a person reads."""
        refused = (self.report.refused,) if self.report.refused else ()
        claims = tuple(
            f"“{claim.span}” ({claim.type}): {claim.reason}" + (f" {claim.hint}" if claim.hint else "")
            for claim in self.report.findings
        )
        return (*refused, *claims, *(f"{finding.reason} {finding.fix}".strip() for finding in self.blocking))


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks texts of one draft. Built once; checking itself reads nothing."""

    dossier: Dossier
    channel: str
    language: str
    others: OtherPeople
    max_observed_days: dict[str, int]
    earliest: date
    parameters: StrategyParameters
    note_limit: int
    must_not_say: tuple[str, ...]
    call_to_action: str
    quality_blocks: bool
    quality_levels: Mapping[str, str] = field(default_factory=dict)
    #: of the reader, and texts of the campaign to others, which this one must not repeat
    reader: str = ""
    others_texts: tuple[Other, ...] = ()
    #: the messages before this one
    thread: Thread = NO_THREAD

    def check(
        self,
        *,
        subject: str,
        body: str,
        declared: tuple[DeclaredClaim, ...] | None = None,
        reading: SecondReading | None = None,
    ) -> Checked:
        """The verdicts on one text. reading: what a judge said of this very text before; it holds still."""
        given = self._input(subject=subject, body=body, declared=declared)
        report = verify(given)
        if reading is not None:
            report = applied(report, reading.opinions, given)
        threaded = self._threaded(body=body, claims=report.claims if declared is None else declared)
        return Checked(report, self._quality(subject, body, report, threaded), self.dossier.send_by, reading)

    def in_conversation(
        self, *, subject: str, declared: tuple[DeclaredClaim, ...], body: str
    ) -> tuple[str, tuple[DeclaredClaim, ...]]:
        """The subject and claims of a reply in the e-mail conversation, where that subject still stands; else as given.

        Mail programs show two messages as one conversation only when their subjects agree.
        """
        again = self.thread.subject(self.channel)
        if not again or again == subject:
            return subject, declared
        of_body = tuple(claim for claim in declared if claim.field_name == "body")
        stands = self.check(subject=again, body=body, declared=of_body).clean
        return (again, of_body) if stands else (subject, declared)

    def _threaded(self, *, body: str, claims: Sequence[DeclaredClaim | CheckedClaim]) -> tuple[QualityFinding, ...]:
        """A follow-up repeats nothing and adds something. Nothing for a first message."""
        return check_thread(
            body=body,
            claims=claims,
            dossier=self.dossier,
            thread=self.thread,
            request=self.call_to_action,
        )

    def put_before(
        self,
        *,
        judge: Judge,
        checked: Checked,
        subject: str,
        body: str,
        declared: tuple[DeclaredClaim, ...] | None,
        examples: Sequence[Example] = (),
    ) -> tuple[Checked, Heard | None]:
        """The same text as a judge leaves it, and what was heard. Blocks: never inside a transaction."""
        given = self._input(subject=subject, body=body, declared=declared)
        result = judged(given, checked.report, judge, examples)
        heard = result.heard
        reading = SecondReading(heard.model, heard.failure, result.opinions) if heard else SecondReading()
        return replace(checked, report=result.report, reading=reading), heard

    def _input(self, *, subject: str, body: str, declared: tuple[DeclaredClaim, ...] | None) -> CheckInput:
        return CheckInput(
            message=MessageText(
                subject=self.thread.without_mark(subject, self.channel),
                body=body,
                language=self.language,
                channel=self.channel,
            ),
            dossier=self.dossier,
            declared=declared,
            others=self.others,
            max_observed_days=self.max_observed_days,
            earliest=self.earliest,
        )

    def _quality(
        self, subject: str, body: str, report: Report, threaded: tuple[QualityFinding, ...]
    ) -> tuple[QualityFinding, ...]:
        findings = check_quality(
            subject=self.thread.without_mark(subject, self.channel),
            body=body,
            channel=self.channel,
            language=self.language,
            band=self.parameters.band(self.channel),
            limits=limits_of(channel=self.channel, note_limit=self.note_limit),
            must_not_say=self.must_not_say,
            call_to_action=self.call_to_action,
            references=self._references(report),
            depth=self.parameters.depth,
        )
        alike = near_duplicate(body=body, name=self.reader, others=self.others_texts)
        found = (*((alike,) if alike else ()), *threaded, *findings)
        return for_team(found, levels=self.quality_levels, soften=not self.quality_blocks)

    def _references(self, report: Report) -> int:
        """Different pieces of evidence that the text refers to, without who they are and what we say of ourselves."""
        cited = {ref for claim in report.claims for ref in claim.evidence}
        return sum(
            item.ref in cited and item.actor is not Actor.SENDER and item.kind not in _WHO
            for item in self.dossier.items
        )


def parameters_of(*, draft: Draft) -> StrategyParameters:
    """The draft's strategy as parameters, in the campaign's own tone where it has one; the shipped defaults where there
    is no strategy, or one that cannot be read."""
    read = read_parameters(draft.strategy.parameters) if draft.strategy else StrategyParameters()
    known = StrategyParameters() if isinstance(read, Unreadable) else read
    return replace(known, tone=draft.campaign.tone) if draft.campaign.tone else known


def others_of(*, draft: Draft, now: datetime) -> OtherPeople:
    """Names of other people whose records the writer may have mixed up with this one. One query when they are known.

    Of the campaign and of the team; whoever the draft's own dossier names is no stranger in it, which the
    verifier sees for itself.
    """
    people = Prospect.objects.filter(team_id=draft.team_id).order_by("-pk").values_list("pk", flat=True)
    newest = shared(("newest", draft.team_id), people.first)
    minute = now.replace(second=0, microsecond=0)
    return OtherPeople(_names(draft.team_id, draft.campaign_id, newest or 0, minute))


@lru_cache(maxsize=16)
def _names(team_id: int, campaign_id: int, _newest: int, _minute: datetime) -> frozenset[str]:
    """Kept for a campaign until somebody is added to the team, and for a minute at most."""
    enrolled = Enrolment.objects.filter(campaign_id=campaign_id).order_by("-prospect_id")
    campaign = enrolled.values_list("prospect__full_name", flat=True)[:MOST_OTHERS]
    team = Prospect.objects.filter(team_id=team_id).order_by("-pk").values_list("full_name", flat=True)[:MOST_OTHERS]
    return frozenset(name for name in (*campaign, *team) if name)


def texts_nearby(*, draft: Draft) -> tuple[Other, ...]:
    """The newest texts of the campaign to colleagues of the draft's reader, and to other people. Two queries.

    Of two that are alike the later draft yields, unless the other one is approved already; what is approved itself was
    compared when it was. What was rejected or cancelled reaches nobody.
    """
    if draft.state in _SAID:
        return ()
    written = (
        Draft.objects.filter(Q(pk__lt=draft.pk) | Q(state__in=_SAID), campaign=draft.campaign_id, current__isnull=False)
        .exclude(prospect=draft.prospect_id)
        .exclude(state__in=(DraftState.REJECTED, DraftState.CANCELLED))
        .order_by("-pk")
    )
    company = draft.prospect.company_id
    colleagues = written.filter(prospect__company=company) if company else written.none()
    strangers = written.filter(language=draft.language)
    found: dict[int, Other] = {}
    for rows, most, close in ((colleagues, MOST_COLLEAGUES, True), (strangers, MOST_STRANGERS, False)):
        for pk, name, body in rows.values_list("pk", "prospect__full_name", "current__body")[:most]:
            found.setdefault(pk, Other(name, body, close))
    return tuple(found.values())


def checker_for(*, draft: Draft, frozen: FrozenDossier, now: datetime, send_by: date | None = None) -> Checker:
    """Everything a check of the draft's texts needs. Seven queries when the draft is loaded with its relations,
    four more for a follow-up.

    send_by: the day the dates are measured against; the policy's distance from now when not given.
    """
    policy = shared_policy(team=draft.team)
    campaign = draft.campaign
    dossier = standing(frozen=frozen, campaign=campaign, send_by=send_by or send_by_of(policy=policy, now=now))
    return Checker(
        dossier=dossier,
        channel=draft.channel,
        language=draft.language,
        others=others_of(draft=draft, now=now),
        max_observed_days={
            "position": policy.observed_days_position,
            "company_fact": policy.observed_days_company,
            "in_common": policy.observed_days_common,
        },
        earliest=min(now.date(), dossier.send_by),
        parameters=parameters_of(draft=draft),
        note_limit=campaign.sending_account(draft.channel).note_limit,
        must_not_say=tuple(line.strip() for line in campaign.must_not_say.splitlines() if line.strip()),
        call_to_action=campaign.call_to_action,
        quality_blocks=policy.quality_blocks,
        quality_levels=policy.quality_levels,
        reader=draft.prospect.full_name,
        others_texts=texts_nearby(draft=draft),
        thread=thread_of(draft=draft),
    )
