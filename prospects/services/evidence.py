"""Evidence by hand: added with its source, superseded by something newer, or retracted. Never edited."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from django.db import transaction

from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from prospects.domain.card import card_of
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Kind, fields_of
from prospects.domain.evidence import Evidence as Fact
from prospects.domain.identity import normalized_company
from prospects.domain.names import NoName, names_agree, read_name
from prospects.domain.places import name_of_language
from prospects.domain.reading import scrub
from prospects.domain.succession import slot_of
from prospects.models import Company, Doubt, DoubtState, Evidence, EvidenceState, Prospect, ProspectState
from prospects.queries import facts_of_rows
from prospects.services.absorbing import CARD_COLUMNS, apply_card

_COMPANY_KINDS = frozenset({Kind.COMPANY_FACT, Kind.COMPANY_NEWS, Kind.COLLEAGUE, Kind.JOB})
_TEXT_LIMIT = 20_000


def add_evidence(
    *,
    member: Member,
    prospect: Prospect,
    kind: str,
    actor: str,
    text: str,
    fields: Mapping[str, str],
    occurred: DateInterval | None,
    url: str,
    snapshot: str,
    observed_at: date,
    now: datetime,
) -> Evidence | Refusal:
    """Add one fact with where it was seen. A slot that holds one value (headline, position) is not taken over."""
    refused = _refuse(member=member, prospect=prospect, kind=kind, actor=actor, text=text, url=url, snapshot=snapshot)
    refused = refused or _refuse_dates(occurred=occurred, observed_at=observed_at, now=now)
    if refused is not None:
        return refused
    with transaction.atomic():
        row = _new_row(
            member=member,
            prospect=prospect,
            fact=_fact(kind, actor, text, fields, occurred, url=url, observed_at=observed_at, member=member),
            url=url,
            snapshot=snapshot,
            now=now,
        )
        twin = _twin(row)
        if twin is not None:
            return twin
        row.save()
        audit.record(
            team=member.team,
            actor=member.user,
            action="evidence.added",
            target=row,
            details={"kind": kind},
            content=row.text,
        )
        refresh_card(prospect=prospect, now=now)
    return row


def _fact(
    kind: str,
    actor: str,
    text: str,
    fields: Mapping[str, str],
    occurred: DateInterval | None,
    *,
    url: str,
    observed_at: date,
    member: Member,
) -> Fact:
    return Fact(
        ref="",
        kind=Kind(kind),
        actor=Actor(actor),
        text=scrub(text).strip(),
        fields=fields_of((name, scrub(value)) for name, value in fields.items()),
        occurred=occurred,
        observed_at=observed_at,
        source=(url.strip() or f"added by {member.user}")[:500],
    )


def _refuse(
    *, member: Member, prospect: Prospect, kind: str, actor: str, text: str, url: str, snapshot: str
) -> Refusal | None:
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    if prospect.team_id != member.team.pk or prospect.state == ProspectState.ERASED:
        return Refusal(code="not-found", message="There is no such prospect in this team.")
    if kind not in set(Kind) or actor not in set(Actor):
        return Refusal(code="unknown-kind", message="Choose what the evidence is and whose doing it is.")
    return _refuse_words(text=text, url=url, snapshot=snapshot)


def _refuse_words(*, text: str, url: str, snapshot: str) -> Refusal | None:
    if not text.strip() or len(text) > _TEXT_LIMIT:
        return Refusal(code="text-missing", message=f"Give the words as found, in at most {_TEXT_LIMIT:,} characters.")
    if not url.strip() and not snapshot.strip():
        return Refusal(
            code="source-missing", message="Say where it was seen: an address, or the text of the page or file."
        )
    if url.strip() and not url.strip().lower().startswith(("https://", "http://")):
        return Refusal(code="source-unusable", message="The address has to begin with https:// or http://.")
    return None


def _refuse_dates(*, occurred: DateInterval | None, observed_at: date, now: datetime) -> Refusal | None:
    if observed_at > now.date():
        return Refusal(code="date-in-future", message="It cannot have been seen on a day that is still to come.")
    if occurred is not None and occurred.first > now.date():
        return Refusal(code="date-in-future", message="It cannot have happened on a day that is still to come.")
    return None


def _new_row(
    *, member: Member, prospect: Prospect, fact: Fact, url: str, snapshot: str, now: datetime, slot: str = ""
) -> Evidence:
    """About the company where it is about the company and the prospect has one; everyone there shares it."""
    on_company = fact.kind in _COMPANY_KINDS and prospect.company_id is not None
    return Evidence(
        team=member.team,
        prospect=None if on_company else prospect,
        company_id=prospect.company_id if on_company else None,
        kind=fact.kind.value,
        actor=fact.actor.value,
        text=fact.text,
        fields=dict(fact.fields),
        occurred_first=fact.occurred.first if fact.occurred else None,
        occurred_last=fact.occurred.last if fact.occurred else None,
        observed_at=fact.observed_at or now.date(),
        source=fact.source,
        source_url=url.strip()[:1000],
        snapshot=scrub(snapshot),
        added_by=member.user,
        content_hash=fact.content_hash,
        slot=slot,
        created_at=now,
    )


def _twin(row: Evidence) -> Evidence | None:
    return Evidence.objects.filter(
        prospect=row.prospect, company=row.company, content_hash=row.content_hash, state=EvidenceState.CURRENT
    ).first()


def supersede(
    *,
    member: Member,
    evidence_id: int,
    text: str,
    fields: Mapping[str, str],
    occurred: DateInterval | None,
    url: str,
    snapshot: str,
    observed_at: date,
    now: datetime,
) -> Evidence | Refusal:
    """Put newer evidence of the same kind in the place of a row. The old row stays, marked and linked."""
    with transaction.atomic():
        old = _locked(member=member, evidence_id=evidence_id)
        if isinstance(old, Refusal):
            return old
        about = old.prospect or Prospect(team=member.team, company_id=old.company_id)
        refused = _refuse(
            member=member, prospect=about, kind=old.kind, actor=old.actor, text=text, url=url, snapshot=snapshot
        ) or _refuse_dates(occurred=occurred, observed_at=observed_at, now=now)
        if refused is not None:
            return refused
        fact = _fact(old.kind, old.actor, text, fields, occurred, url=url, observed_at=observed_at, member=member)
        if fact.content_hash == old.content_hash:
            return Refusal(code="nothing-new", message="This says the same as the evidence it would replace.")
        row = _new_row(
            member=member,
            prospect=about,
            fact=fact,
            url=url,
            snapshot=snapshot,
            now=now,
            slot=old.slot or slot_of(fact),
        )
        row.prospect, row.company_id = old.prospect, old.company_id
        twin = _twin(row)
        row = twin or row
        row.save()
        _close(old, EvidenceState.SUPERSEDED, "newer evidence", by=row)
        audit.record(
            team=member.team, actor=member.user, action="evidence.superseded", target=old, details={"by": row.pk}
        )
        refresh_card(prospect=old.prospect, now=now)
    return row


def retract(*, member: Member, evidence_id: int, reason: str, now: datetime) -> Evidence | Refusal:
    """Take evidence back because it is wrong. It is kept, marked, and importing it again does not bring it back."""
    if not reason.strip():
        return Refusal(code="reason-missing", message="Say what is wrong with it.")
    with transaction.atomic():
        row = _locked(member=member, evidence_id=evidence_id)
        if isinstance(row, Refusal):
            return row
        _close(row, EvidenceState.RETRACTED, reason.strip()[:300], by=None)
        audit.record(team=member.team, actor=member.user, action="evidence.retracted", target=row, content=reason)
        refresh_card(prospect=row.prospect, now=now)
    return row


def _locked(*, member: Member, evidence_id: int) -> Evidence | Refusal:
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    row = (
        Evidence.objects.select_for_update(of=("self",))
        .select_related("prospect")
        .filter(team=member.team, pk=evidence_id, owner__isnull=True)
        .first()
    )
    if row is None:
        return Refusal(code="not-found", message="There is no such evidence in this team.")
    if row.state != EvidenceState.CURRENT:
        return Refusal(code="not-current", message=f"This evidence is {row.get_state_display().lower()} already.")
    return row


def _close(row: Evidence, state: EvidenceState, reason: str, *, by: Evidence | None) -> None:
    row.state, row.state_reason, row.superseded_by = state, reason, by
    row.save(update_fields=["state", "state_reason", "superseded_by"])


def refresh_card(*, prospect: Prospect | None, now: datetime) -> None:
    """The columns of lists follow the evidence."""
    if prospect is None or prospect.pk is None:
        return
    rows = Evidence.objects.filter(prospect=prospect, state=EvidenceState.CURRENT).order_by("id")[:2_000]
    card = card_of([fact for _, fact in facts_of_rows(rows=rows)])
    name = normalized_company(card.company)
    companies = {
        row.normalized_name: row for row in Company.objects.filter(team_id=prospect.team_id, normalized_name=name)
    }
    apply_card(prospect=prospect, card=card, companies=companies, now=now)
    prospect.save(update_fields=list(CARD_COLUMNS))


def resolve_conflict(*, member: Member, prospect: Prospect, full_name: str, now: datetime) -> Prospect | Refusal:
    """A person decides who a conflicted prospect is: the name that holds, which has to agree with what is known."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    said, known = read_name(full_name), read_name(prospect.full_name)
    if isinstance(said, NoName):
        return Refusal(code="name-missing", message="Give the person's name.")
    if not isinstance(known, NoName) and not names_agree(said, known):
        return Refusal(
            code="other-person",
            message=f"The evidence here is about {known.full}. Retract what is wrong, or import {said.full} as somebody else.",
        )
    with transaction.atomic():
        prospect.state, prospect.conflict, prospect.updated_at = ProspectState.ACTIVE, "", now
        prospect.save(update_fields=["state", "conflict", "updated_at"])
        Doubt.objects.filter(prospect=prospect, state=DoubtState.OPEN).update(
            state=DoubtState.OTHER, decided_by=member.user, decided_at=now
        )
        audit.record(team=member.team, actor=member.user, action="prospect.identity_confirmed", target=prospect)
    return prospect


def choose_language(*, member: Member, prospect: Prospect, code: str, now: datetime) -> Prospect | Refusal:
    """A person decides the language; signals no longer change it. "" gives the decision back to the signals."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    if code and (not code.replace("-", "").isalpha() or name_of_language(code) == code):
        return Refusal(code="unknown-language", message="Choose a language from the list.")
    with transaction.atomic():
        prospect.language_chosen = bool(code)
        if code:
            prospect.language, prospect.language_confidence, prospect.updated_at = code[:16], 1.0, now
        prospect.save(update_fields=["language_chosen", "language", "language_confidence", "updated_at"])
        if not code:
            refresh_card(prospect=prospect, now=now)
        audit.record(
            team=member.team,
            actor=member.user,
            action="prospect.language_chosen",
            target=prospect,
            details={"code": code},
        )
    return prospect
