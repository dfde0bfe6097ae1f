"""The database's half of the two promises: each row is written past the services, and refused."""

from __future__ import annotations

from hashlib import sha256

import pytest
from django.db import DatabaseError, IntegrityError, connection, models, transaction
from django.utils import timezone
from psycopg.sql import SQL, Identifier

from messaging.models import (
    Approval,
    Authorship,
    AuthorshipKind,
    Check,
    Claim,
    Decision,
    Delivery,
    DeliveryEvent,
    Draft,
    FrozenDossier,
    Payload,
    RawMail,
    Revision,
)
from outreach.teams.models import AuditEvent
from prospects.models import Evidence
from tests.factories import FALSE_BODY, TODAY, a_draft
from tests.services.delivery.scenes import a_delivery
from tests.services.review.scenes import Scene, a_scene

pytestmark = pytest.mark.django_db


def a_payload(*, draft: Draft, content: bytes = b"x", digest: str = "") -> Payload:
    return Payload.objects.create(
        draft=draft, revision=draft.current, channel="email", account=draft.campaign.account, recipient="a@b.example",
        content=content, sha256=digest or sha256(content).hexdigest(),
    )


def approve_past_the_service(scene: Scene, **changes: object) -> Approval:
    draft = scene.draft
    payload = changes.pop("payload", None) or a_payload(draft=draft)
    assert draft.current is not None
    values = {
        "draft": draft, "revision": draft.current, "payload": payload, "payload_sha256": payload.sha256,
        "checked": draft.current.checks.order_by("-pk").first(), "approved_by": scene.reviewer.user, "send_by": TODAY,
    }
    with transaction.atomic():
        return Approval.objects.create(**{**values, **changes})


def a_check(draft: Draft, *, passes: bool) -> Check:
    return Check.objects.create(revision=draft.current, verifier_version="test", passes=passes, send_by=TODAY)


def a_claim(checked: Check, verdict: str) -> Claim:
    return Claim.objects.create(
        checked=checked, field_name="body", start=0, end=1, span="H", type="other", verdict=verdict, reason="A test."
    )


def test_a_verified_revision_can_be_approved() -> None:
    assert approve_past_the_service(a_scene()).pk


def test_an_unverified_revision_cannot() -> None:
    with pytest.raises(IntegrityError, match="not verified"):
        approve_past_the_service(a_scene(body=FALSE_BODY))


@pytest.mark.parametrize("verdict", ["contradicted", "unsupported", "undeclared", "ambiguous"])
def test_a_check_that_says_it_passes_does_not_outweigh_its_own_claim(verdict: str) -> None:
    scene = a_scene()
    a_claim(a_check(scene.draft, passes=True), verdict)
    with pytest.raises(IntegrityError, match="not verified"):
        approve_past_the_service(scene)


def test_an_older_check_does_not_count_once_a_newer_one_blocks() -> None:
    scene = a_scene()
    older = scene.draft.current.checks.get()
    a_check(scene.draft, passes=False)
    with pytest.raises(IntegrityError, match="not verified"):
        approve_past_the_service(scene, checked=older)


def test_the_check_of_another_text_does_not_count() -> None:
    scene = a_scene(body=FALSE_BODY)
    other = a_draft(campaign=scene.draft.campaign)
    with pytest.raises(IntegrityError, match="not verified"):
        approve_past_the_service(scene, checked=other.current.checks.get())


def test_an_approval_is_of_the_payload_of_its_revision() -> None:
    scene = a_scene()
    others = a_payload(draft=a_draft(campaign=scene.draft.campaign))
    with pytest.raises(IntegrityError, match="not the one of this revision"):
        approve_past_the_service(scene, payload=others)


def test_an_approval_binds_the_hash_of_its_payload() -> None:
    with pytest.raises(IntegrityError, match="not the one of this revision"):
        approve_past_the_service(a_scene(), payload_sha256=sha256(b"other bytes").hexdigest())


def test_a_text_that_is_not_the_current_one_cannot_be_approved() -> None:
    scene = a_scene()
    Draft.objects.filter(pk=scene.draft.pk).update(current=None)
    with pytest.raises(IntegrityError, match="not the current one"):
        approve_past_the_service(scene)


def test_a_payload_and_its_hash_cannot_part() -> None:
    with pytest.raises(IntegrityError, match="payload_hash_is_of_its_bytes"), transaction.atomic():
        a_payload(draft=a_scene().draft, digest=sha256(b"other bytes").hexdigest())


@pytest.mark.parametrize(
    ("model", "changes"),
    [
        (Payload, {"content": b"other", "sha256": sha256(b"other").hexdigest()}),
        (Payload, {"recipient": "somebody@else.example"}),
        (Approval, {"payload_sha256": "0" * 64}),
        (Approval, {"approved_by": None}),
        (Approval, {"send_by": TODAY.replace(year=TODAY.year + 1)}),
        (Revision, {"body": "Other words."}),
        (Check, {"passes": True}),
        (Claim, {"verdict": "verified"}),
        (Evidence, {"text": "Other words."}),
        (AuditEvent, {"action": "nothing.happened"}),
        (Delivery, {"payload": None}),
        (Delivery, {"account": None}),
    ],
)
def test_what_was_decided_on_is_never_edited(model: type[models.Model], changes: dict[str, object]) -> None:
    a_delivery()
    with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
        model._default_manager.update(**changes)


#: What the two promises rest on, and the trail of it.
KEPT = (
    Approval, AuditEvent, Authorship, Check, Claim, Decision, Delivery, DeliveryEvent, Evidence, FrozenDossier, Payload,
    RawMail, Revision,
)  # fmt: skip


def bare(statement: str, model: type[models.Model]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(SQL(statement).format(Identifier(model._meta.db_table)))


def everything_kept() -> Delivery:
    delivery = a_delivery()
    DeliveryEvent.objects.create(delivery=delivery, kind="opened")
    revision, user = delivery.draft.current, delivery.approval.approved_by
    Authorship.objects.create(revision=revision, user=user, kind=AuthorshipKind.EDITED)
    Decision.objects.create(draft=delivery.draft, revision=revision, user=user, kind="approved")
    RawMail.objects.create(team=delivery.team, source="file", content=b"x", sha256=sha256(b"x").hexdigest())
    return delivery


@pytest.mark.parametrize("model", KEPT)
def test_what_was_decided_on_is_never_deleted(model: type[models.Model]) -> None:
    """By a bare DELETE, as somebody with the database's password would: no service deletes any of it."""
    everything_kept()
    assert model._default_manager.exists()
    with pytest.raises(DatabaseError, match="Cannot delete"):
        bare("DELETE FROM {}", model)


@pytest.mark.parametrize("model", KEPT)
def test_what_was_decided_on_is_never_emptied(model: type[models.Model]) -> None:
    with pytest.raises(DatabaseError, match="Cannot truncate"):
        bare("SET LOCAL footnote.truncate = ''; TRUNCATE {} CASCADE", model)


@pytest.mark.parametrize("cascade", ["draft", "prospect", "campaign", "team"])
def test_nor_does_it_go_with_what_it_belongs_to(cascade: str) -> None:
    delivery = everything_kept()
    row = {
        "draft": delivery.draft, "prospect": delivery.prospect, "campaign": delivery.draft.campaign,
        "team": delivery.team,
    }[cascade]  # fmt: skip
    with pytest.raises(DatabaseError), transaction.atomic():
        row.delete()
    with pytest.raises(DatabaseError):
        bare("SET CONSTRAINTS ALL IMMEDIATE; DELETE FROM {}", type(row))
    assert Delivery.objects.filter(pk=delivery.pk).exists()


def test_an_approval_has_one_delivery() -> None:
    delivery = a_delivery()
    with pytest.raises(IntegrityError, match="unique"), transaction.atomic():
        Delivery.objects.create(
            team=delivery.team, draft=delivery.draft, prospect=delivery.prospect, approval=delivery.approval,
            payload=a_payload(draft=delivery.draft), channel="email", account=delivery.account,
            idempotency_key="00000000-0000-0000-0000-000000000001", due_at=timezone.now(),
        )


def test_nothing_is_sent_that_was_not_claimed() -> None:
    delivery = a_delivery()
    with pytest.raises(IntegrityError, match="not claimed"), transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(state="sent")
