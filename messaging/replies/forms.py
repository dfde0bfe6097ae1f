"""What people fill in in the inbox."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from messaging.replies.domain.intents import Intent

INTENT_NAMES = {
    Intent.INTERESTED: _("Interested"),
    Intent.QUESTION: _("Question"),
    Intent.MEETING_BOOKED: _("Meeting booked"),
    Intent.REFERRAL: _("Referral"),
    Intent.NOT_NOW: _("Not now"),
    Intent.WRONG_PERSON: _("Wrong person"),
    Intent.NOT_INTERESTED: _("Not interested"),
    Intent.UNSUBSCRIBE: _("Opt-out"),
    Intent.OTHER: _("Something else"),
}


class CorrectForm(forms.Form):
    intent = forms.ChoiceField(
        label=_("What it means"), choices=[(str(key), name) for key, name in INTENT_NAMES.items()]
    )

    def clean_intent(self) -> Intent:
        return Intent(self.cleaned_data["intent"])


class AssignForm(forms.Form):
    delivery = forms.IntegerField(label=_("Number of the message"), min_value=1)


class AnswerForm(forms.Form):
    text = forms.CharField(
        label=_("Answer as the prospect"), max_length=10_000, widget=forms.Textarea(attrs={"rows": 5})
    )


class PasteForm(forms.Form):
    text = forms.CharField(
        label=_("What they wrote"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Paste the answer as it stands on LinkedIn. It is read and acted upon like a mail."),
    )
