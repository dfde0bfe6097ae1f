"""Who is who: names that disagree, records that may be one person, and records that a person has made one."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from outreach.teams.models import Team


class DoubtState(models.TextChoices):
    OPEN = "open", "To be decided"
    SAME = "same", "The same person under another name"
    OTHER = "other", "Somebody else"


class Doubt(models.Model):
    """A source gave a key of this prospect to somebody of another name. Decided once, the answer holds for later files."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    prospect = models.ForeignKey("prospects.Prospect", on_delete=models.CASCADE, related_name="doubts")
    said_name = models.CharField(max_length=300)
    folded_name = models.CharField(max_length=300, help_text="The name as it is compared: case and accents folded.")
    keys = models.JSONField(default=list, help_text="The keys that both share: [kind, value] pairs.")
    place = models.CharField(max_length=500, help_text="File and row.")
    state = models.CharField(max_length=8, choices=DoubtState, default=DoubtState.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["prospect", "folded_name"], name="doubt_once_per_name")]
        indexes = [
            models.Index(fields=["team", "-id"], name="doubt_open", condition=models.Q(state="open")),
        ]

    def __str__(self) -> str:
        return f"{self.said_name}: {self.state}"


class SuggestionState(models.TextChoices):
    OPEN = "open", "To be decided"
    MERGED = "merged", "Merged"
    DECLINED = "declined", "Two people"


class MergeSuggestion(models.Model):
    """Two records that may be one person, with the reason. Nothing happens until a person decides."""

    class Reason(models.TextChoices):
        ROW = "row", "One row has keys of both"
        NAME_COMPANY = "name_company", "Same name at the same company"
        BY_HAND = "by_hand", "Chosen by a person"

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    first = models.ForeignKey("prospects.Prospect", on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey("prospects.Prospect", on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=16, choices=Reason)
    place = models.CharField(max_length=500, blank=True, help_text="File and row that gave rise to it.")
    state = models.CharField(max_length=8, choices=SuggestionState, default=SuggestionState.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="merge_suggested_once"),
            models.CheckConstraint(
                condition=models.Q(first__lt=models.F("second")), name="merge_suggestion_in_order_of_ids"
            ),
        ]
        indexes = [
            models.Index(fields=["team", "-id"], name="merge_suggestion_open", condition=models.Q(state="open")),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}: {self.reason}"


class Merge(models.Model):
    """One record went up in another. Holds what is needed to take it back."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    kept = models.ForeignKey("prospects.Prospect", on_delete=models.CASCADE, related_name="merges")
    absorbed = models.ForeignKey("prospects.Prospect", on_delete=models.CASCADE, related_name="+")
    absorbed_state = models.CharField(max_length=16, help_text="The absorbed record's state before.")
    keys = models.JSONField(default=list, help_text="Ids of the identity keys that moved.")
    copies = models.JSONField(default=list, help_text="[copy, original] ids of evidence.")
    closed = models.JSONField(default=list, help_text="Ids of the kept record's evidence that a copy superseded.")
    columns = models.JSONField(default=dict, help_text="Columns of the kept record that the merge filled.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["absorbed"], condition=models.Q(undone_at__isnull=True), name="merged_into_one_record"
            ),
            models.CheckConstraint(condition=~models.Q(kept=models.F("absorbed")), name="merged_with_another_record"),
        ]
        indexes = [models.Index(fields=["kept", "-id"], name="merge_by_kept")]

    def __str__(self) -> str:
        return f"{self.absorbed_id} into {self.kept_id}"
