"""Reading drafts."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Prefetch

from messaging.models import Approval, AuthorKind, Check, Claim, Draft, FrozenDossier, Revision
from messaging.verification.contract import Verdict
from messaging.verification.judge import Example
from outreach.teams.models import Team

#: Corroborated claims that are looked at for examples, the newest, and examples taken from them.
LOOKED_AT, MOST_DECIDED = 40, 8


def story_of(*, draft_id: int) -> dict[str, Any] | None:
    """Everything that happened to a draft, as plain JSON; None when there is no such draft.

    A claim's `evidence` and the dossier's `evidence_id` are ids of stored evidence; for what the campaign itself
    says they are names, as "offer" or "proof:key".
    """
    draft = (
        Draft.objects.select_related("strategy", "prompt_version", "dossier", "current")
        .prefetch_related(_revisions())
        .filter(pk=draft_id)
        .first()
    )
    if draft is None:
        return None
    approval = Approval.objects.filter(draft=draft).select_related("approved_by", "delivery").order_by("-pk").first()
    return {
        "id": draft.pk,
        "prospect": draft.prospect_id,
        "channel": draft.channel,
        "language": draft.language,
        "state": draft.state,
        "reason": draft.state_reason,
        "revisions": [_revision(one) for one in draft.revisions.all()],
        "dossier": _dossier(draft.dossier),
        "layers": draft.layers,
        "dropped_layers": draft.dropped_layers,
        "strategy": f"{draft.strategy.key} v{draft.strategy.version}" if draft.strategy else None,
        "propensities": draft.propensities,
        "prompt_version": str(draft.prompt_version) if draft.prompt_version else None,
        "model": draft.model,
        "fallback": draft.fallback,
        "approval": _approval(approval),
        "payload_sha256": approval.payload_sha256 if approval and approval.lapsed_at is None else None,
        "delivery": _delivery(approval),
    }


def _revisions() -> Prefetch[str]:
    claims = Prefetch("claims", queryset=Claim.objects.order_by("pk"))
    checks = Prefetch("checks", queryset=Check.objects.order_by("-pk").prefetch_related(claims))
    return Prefetch(
        "revisions", queryset=Revision.objects.order_by("number").select_related("dossier").prefetch_related(checks)
    )


def _names(dossier: FrozenDossier) -> dict[str, Any]:
    """What each ref stands for: the stored evidence, or the campaign's own item."""
    return {item["ref"]: item["evidence_id"] or item["origin"] for item in dossier.items}


def _revision(revision: Revision) -> dict[str, Any]:
    checks = list(revision.checks.all())
    names = _names(revision.dossier)
    claims = checks[0].claims.all() if checks else ()
    return {
        "id": revision.pk,
        "number": revision.number,
        "author": revision.author_kind,
        "subject": revision.subject,
        "body": revision.body,
        "hash": revision.content_hash,
        "passes": bool(checks) and checks[0].passes,
        "refused": checks[0].refused if checks else "",
        "claims": [
            {
                "field": claim.field_name,
                "start": claim.start,
                "end": claim.end,
                "span": claim.span,
                "type": claim.type,
                "verdict": claim.verdict,
                "reason": claim.reason,
                "evidence": [names[ref] for ref in claim.evidence if ref in names],
                "refs": claim.evidence,
            }
            for claim in claims
        ],
        "quality": revision.quality,
    }


def _dossier(dossier: FrozenDossier | None) -> list[dict[str, Any]]:
    if dossier is None:
        return []
    names = _names(dossier)
    return [
        {"ref": item["ref"], "evidence_id": names[item["ref"]], "kind": item["kind"], "text": item["text"]}
        for item in dossier.items
    ]


def _approval(approval: Approval | None) -> dict[str, Any] | None:
    if approval is None:
        return None
    return {
        "id": approval.pk,
        "revision": approval.revision_id,
        "by": approval.approved_by.email,
        "at": approval.approved_at.isoformat(),
        "send_by": approval.send_by.isoformat(),
        "self_approved": approval.self_approved,
        "lapsed_at": approval.lapsed_at.isoformat() if approval.lapsed_at else None,
        "lapse_reason": approval.lapse_reason,
    }


def _delivery(approval: Approval | None) -> dict[str, Any] | None:
    delivery = getattr(approval, "delivery", None) if approval is not None else None
    if delivery is None:
        return None
    return {
        "id": delivery.pk,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "transport_id": delivery.transport_id,
        "sent_at": delivery.sent_at.isoformat() if delivery.sent_at else None,
        "error": delivery.error,
    }


def decided_claims(*, team: Team) -> tuple[Example, ...]:
    """What reviewers made of the judge's latest rewordings: approved ones, and ones whose words a person took out."""
    approved = Exists(Approval.objects.filter(checked=OuterRef("checked")))
    claims = (
        Claim.objects.filter(verdict=Verdict.JUDGE_CORROBORATED, checked__revision__draft__team=team)
        .annotate(approved=approved)
        .select_related("checked__revision__dossier", "checked__revision__draft__current")
        .order_by("-pk")[:LOOKED_AT]
    )
    found = {claim.span: example for claim in claims if (example := _decided(claim)) is not None}
    return tuple(found.values())[:MOST_DECIDED]


def _decided(claim: Claim) -> Example | None:
    revision = claim.checked.revision
    texts = {item["ref"]: item["text"] for item in revision.dossier.items}
    evidence = "\n".join(texts[ref] for ref in claim.evidence if ref in texts)
    if claim.approved:  # type: ignore[attr-defined]
        return Example(claim.span, evidence, holds=True, reason="A reviewer approved it.")
    current = revision.draft.current
    if current is None or current.pk == revision.pk or current.author_kind != AuthorKind.PERSON:
        return None
    if claim.span in current.subject or claim.span in current.body:
        return None
    return Example(claim.span, evidence, holds=False, reason="A reviewer took these words out.")
