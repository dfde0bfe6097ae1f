"""What the verifier and the quality rules need to know of a draft, gathered once and used by every check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache

from messaging.models import Draft, Enrolment, FrozenDossier
from messaging.verification.contract import CheckInput, DeclaredClaim, MessageText, OtherPeople, Report
from messaging.verification.engine import verify
from messaging.verification.judge import Example, Heard, Judge, Opinion, applied, judged
from messaging.writing.domain.quality import QualityFinding, check_quality
from messaging.writing.domain.strategy import StrategyParameters, Unreadable, limits_of, read_parameters
from messaging.writing.dossiers import send_by_of, standing
from outreach.campaigns.queries import policy_of
from prospects.domain.evidence import Dossier
from prospects.models import Prospect

#: Names that are looked for in a message: so many of the campaign and as many of the team, the newest.
MOST_OTHERS = 2_000
#: What policy may make a mere warning; the other rules of quality always block.
SOFT_RULES = frozenset({"too-long", "too-short", "no-request", "several-requests", "questions"})


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
        return Checked(report, self._quality(subject=subject, body=body), self.dossier.send_by, reading)

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
            message=MessageText(subject=subject, body=body, language=self.language, channel=self.channel),
            dossier=self.dossier,
            declared=declared,
            others=self.others,
            max_observed_days=self.max_observed_days,
            earliest=self.earliest,
        )

    def _quality(self, *, subject: str, body: str) -> tuple[QualityFinding, ...]:
        findings = check_quality(
            subject=subject,
            body=body,
            channel=self.channel,
            language=self.language,
            band=self.parameters.band(self.channel),
            limits=limits_of(channel=self.channel, note_limit=self.note_limit),
            must_not_say=self.must_not_say,
            call_to_action=self.call_to_action,
        )
        if self.quality_blocks:
            return findings
        return tuple(_softened(finding) for finding in findings)


def _softened(finding: QualityFinding) -> QualityFinding:
    if finding.rule not in SOFT_RULES:
        return finding
    return QualityFinding(rule=finding.rule, level="warn", reason=finding.reason, fix=finding.fix)


def parameters_of(*, draft: Draft) -> StrategyParameters:
    """The draft's strategy as parameters; the shipped defaults where it has none or one that cannot be read."""
    if draft.strategy is None:
        return StrategyParameters()
    read = read_parameters(draft.strategy.parameters)
    return StrategyParameters() if isinstance(read, Unreadable) else read


def others_of(*, draft: Draft, now: datetime) -> OtherPeople:
    """Names of other people whose records the writer may have mixed up with this one. One query when they are known.

    Of the campaign and of the team; whoever the draft's own dossier names is no stranger in it, which the
    verifier sees for itself.
    """
    newest = Prospect.objects.filter(team_id=draft.team_id).order_by("-pk").values_list("pk", flat=True).first()
    minute = now.replace(second=0, microsecond=0)
    return OtherPeople(_names(draft.team_id, draft.campaign_id, newest or 0, minute))


@lru_cache(maxsize=16)
def _names(team_id: int, campaign_id: int, _newest: int, _minute: datetime) -> frozenset[str]:
    """Kept for a campaign until somebody is added to the team, and for a minute at most."""
    enrolled = Enrolment.objects.filter(campaign_id=campaign_id).order_by("-prospect_id")
    campaign = enrolled.values_list("prospect__full_name", flat=True)[:MOST_OTHERS]
    team = Prospect.objects.filter(team_id=team_id).order_by("-pk").values_list("full_name", flat=True)[:MOST_OTHERS]
    return frozenset(name for name in (*campaign, *team) if name)


def checker_for(*, draft: Draft, frozen: FrozenDossier, now: datetime, send_by: date | None = None) -> Checker:
    """Everything a check of the draft's texts needs. Five queries when the draft is loaded with its relations.

    send_by: the day the dates are measured against; the policy's distance from now when not given.
    """
    policy = policy_of(team=draft.team)
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
    )
