"""What people fill in in the outbox."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from messaging.delivery.channels.linkedin.assisted import REASONS, NotPossible


class NotPossibleForm(forms.Form):
    reason = forms.ChoiceField(label=_("Why not"), choices=[(reason.value, text) for reason, text in REASONS.items()])
    note = forms.CharField(label=_("Note"), required=False, max_length=500)

    def clean_reason(self) -> NotPossible:
        return NotPossible(self.cleaned_data["reason"])
