"""Leases, decisions and approvals. An approval binds the bytes."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils import timezone

from messaging.models.delivery import Payload
from messaging.models.drafts import Check, Draft, Revision
from outreach.teams.models import Team, never_deleted


class ReviewLease(models.Model):
    """Who has a draft open, and until when. Not part of the audit trail."""

    draft = models.OneToOneField(Draft, on_delete=models.CASCADE, related_name="review_lease")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft {self.draft_id} with {self.user_id} until {self.until}"


class RejectionReason(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="rejection_reasons")
    position = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=200)
    active = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "position"], name="one_reason_per_number")]

    def __str__(self) -> str:
        return self.label


class DecisionKind(models.TextChoices):
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    CHANGES = "changes", "Changes requested"
    EDITED = "edited", "Edited"
    EVIDENCED = "evidenced", "Evidence added"
    REGENERATED = "regenerated", "Regeneration asked"
    SKIPPED = "skipped", "Skipped"
    UNDONE = "undone", "Approval undone"
    LAPSED = "lapsed", "Approval lapsed"
    TAKEN_OVER = "taken_over", "Lease taken over"


class Decision(models.Model):
    """What a person (or a rule: user null) decided about a revision. Append-only."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="decisions")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, null=True, blank=True, related_name="decisions")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    kind = models.CharField(max_length=16, choices=DecisionKind)
    reason = models.ForeignKey(RejectionReason, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["draft", "-id"], name="decision_by_draft"),
            models.Index(fields=["user", "kind", "draft"], name="decision_by_user"),
        ]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"{self.kind} draft {self.draft_id}"


class Comment(models.Model):
    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="comments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.text[:60]


_APPROVAL_RULES = """
    IF NOT EXISTS (
        SELECT 1 FROM messaging_payload p
        WHERE p.id = NEW.payload_id AND p.sha256 = NEW.payload_sha256 AND p.revision_id = NEW.revision_id
    ) THEN
        RAISE EXCEPTION 'approval refused: the payload is not the one of this revision'
            USING ERRCODE = 'check_violation';
    END IF;
    IF NOT EXISTS (
        SELECT 1 FROM messaging_check c
        WHERE c.id = NEW.checked_id AND c.revision_id = NEW.revision_id AND c.passes
          AND c.id = (SELECT max(id) FROM messaging_check WHERE revision_id = NEW.revision_id)
    ) OR EXISTS (
        SELECT 1 FROM messaging_claim k
        WHERE k.checked_id = NEW.checked_id AND k.verdict NOT IN ('verified', 'judge-corroborated')
    ) THEN
        RAISE EXCEPTION 'approval refused: the revision is not verified' USING ERRCODE = 'check_violation';
    END IF;
    IF EXISTS (
        SELECT 1 FROM messaging_check c WHERE c.id = NEW.checked_id AND c.quality @> '[{"level": "block"}]'
    ) THEN
        RAISE EXCEPTION 'approval refused: a quality rule blocks it' USING ERRCODE = 'check_violation';
    END IF;
    IF NOT NEW.self_approved AND (EXISTS (
        SELECT 1 FROM messaging_authorship a WHERE a.revision_id = NEW.revision_id AND a.user_id = NEW.approved_by_id
    ) OR EXISTS (
        SELECT 1 FROM messaging_claim k, jsonb_array_elements_text(k.evidence_ids) cited
        JOIN prospects_evidence e ON e.id = cited::bigint
        LEFT JOIN prospects_importbatch b ON b.id = e.batch_id
        WHERE k.checked_id = NEW.checked_id AND (
            e.added_by_id = NEW.approved_by_id
            OR NEW.approved_by_id IN (b.created_by_id, b.started_by_id) AND e.created_at > interval '-24 hours' + (
                SELECT min(f.created_at) FROM messaging_revision r JOIN messaging_frozendossier f ON f.id = r.dossier_id
                WHERE r.draft_id = NEW.draft_id AND f.items @> jsonb_build_array(jsonb_build_object('evidence_id', e.id))
            )
        )
    )) THEN
        RAISE EXCEPTION 'approval refused: the approver is an author of the revision'
            USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.self_approved AND NOT EXISTS (
        SELECT 1 FROM messaging_draft d JOIN campaigns_teampolicy p ON p.team_id = d.team_id
        WHERE d.id = NEW.draft_id AND NOT p.four_eyes AND NOT EXISTS (
            SELECT 1 FROM messaging_authorship a JOIN messaging_revision r ON r.id = a.revision_id
            WHERE r.draft_id = d.id AND a.user_id = NEW.approved_by_id AND a.created_at < p.four_eyes_off_at
        )
    ) AND EXISTS (
        SELECT 1 FROM messaging_draft d
        JOIN teams_membership m ON m.team_id = d.team_id AND m.active AND m.role IN ('reviewer', 'manager', 'admin')
        JOIN teams_user u ON u.id = m.user_id AND u.is_active
        WHERE d.id = NEW.draft_id AND m.user_id <> NEW.approved_by_id
    ) THEN
        RAISE EXCEPTION 'approval refused: four eyes, and somebody else in the team may approve'
            USING ERRCODE = 'check_violation';
    END IF;
    IF NOT EXISTS (
        SELECT 1 FROM messaging_draft d
        JOIN teams_membership m ON m.team_id = d.team_id AND m.active AND m.role IN ('reviewer', 'manager', 'admin')
        JOIN teams_user u ON u.id = m.user_id AND u.is_active
        WHERE d.id = NEW.draft_id AND m.user_id = NEW.approved_by_id
    ) THEN
        RAISE EXCEPTION 'approval refused: the approver may not review in this team' USING ERRCODE = 'check_violation';
    END IF;
    IF (SELECT d.current_id FROM messaging_draft d WHERE d.id = NEW.draft_id) IS DISTINCT FROM NEW.revision_id THEN
        RAISE EXCEPTION 'approval refused: the revision is not the current one' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


class Approval(models.Model):
    """Who approved which bytes, on which check, to be sent until when. The first promise is a trigger here."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="approvals")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="approvals")
    payload = models.OneToOneField(Payload, on_delete=models.PROTECT, related_name="approval")
    payload_sha256 = models.CharField(max_length=64)
    checked = models.ForeignKey(Check, on_delete=models.PROTECT, related_name="approvals")
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    self_approved = models.BooleanField(default=False, help_text="A team of one, after its delay; recorded.")
    send_by = models.DateField()
    evidence_ids = models.JSONField(default=list)
    approved_at = models.DateTimeField(default=timezone.now)
    lapsed_at = models.DateTimeField(null=True, blank=True)
    lapse_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["draft"], condition=models.Q(lapsed_at__isnull=True), name="one_standing_approval_per_draft"
            )
        ]
        indexes = [
            models.Index(fields=["send_by"], name="approval_standing", condition=models.Q(lapsed_at__isnull=True))
        ]
        triggers = [
            pgtrigger.Trigger(
                name="verified_only", when=pgtrigger.Before, operation=pgtrigger.Insert, func=_APPROVAL_RULES
            ),
            pgtrigger.Protect(
                name="immutable",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    "draft",
                    "revision",
                    "payload",
                    "payload_sha256",
                    "checked",
                    "approved_by",
                    "self_approved",
                    "send_by",
                    "evidence_ids",
                    "approved_at",
                ),
            ),
            pgtrigger.Protect(
                name="lapsed_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__lapsed_at__isnull=False, new__lapsed_at__isnull=True),
            ),
            *never_deleted(),
        ]

    def __str__(self) -> str:
        return f"approval of draft {self.draft_id} by {self.approved_by_id}"
