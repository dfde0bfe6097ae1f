"""What a person enters for a campaign, page by page. The rules are the domain's; forms give them the fields they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from outreach.campaigns.domain.entry import MOST_STEPS, OfferEntry, SendingEntry
from outreach.campaigns.domain.offer import ProofPoint
from outreach.campaigns.domain.sequence import Step
from outreach.campaigns.models import AccountKind, Campaign, Channel, Condition, Tone
from outreach.campaigns.queries import accounts_of, proof_points_of, senders_of, sequence_of
from outreach.teams.domain.refusal import Refusal

_ROW_FAULT = re.compile(r"(?:proof_points|steps)\[(\d+)\]\.(\w+)\Z")
_DATE = {"type": "date"}


def needed_to_start(form: forms.Form, *names: str) -> None:
    """Fields that may stay empty for now, yet are no option: a campaign does not start without them."""
    for name in names:
        form.fields[name].needed = True  # type: ignore[attr-defined]


class BeginForm(forms.Form):
    """What a campaign begins with."""

    name = forms.CharField(label=_("Name"), max_length=200)
    purpose = forms.CharField(
        label=_("Purpose"),
        max_length=200,
        required=False,
        help_text=_("One purpose per person: nobody is written to for two."),
    )


class CloneForm(forms.Form):
    """What a clone is called."""

    name = forms.CharField(label=_("Name of the clone"), max_length=200)


class OfferForm(forms.Form):
    """What is offered and how it is said. What is empty may be filled in later."""

    name = forms.CharField(label=_("Name"), max_length=200)
    purpose = forms.CharField(
        label=_("Purpose"),
        max_length=200,
        required=False,
        help_text=_("One purpose per person: nobody is written to for two."),
    )
    offer = forms.CharField(
        label=_("Offer"),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        help_text=_("One sentence that may be quoted."),
    )
    value_proposition = forms.CharField(
        label=_("What it changes for them"),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        help_text=_("Never quoted; ranks what a message opens with."),
    )
    call_to_action = forms.CharField(
        label=_("Call to action"), max_length=300, required=False, help_text=_("The one question a message ends with.")
    )
    must_not_say = forms.CharField(
        label=_("Never say"),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        help_text=_("One phrase a line; a message with one of them is blocked."),
    )
    tone = forms.ChoiceField(
        label=_("Tone"), required=False, choices=[("", _("as each strategy has it")), *Tone.choices]
    )
    languages = forms.CharField(
        label=_("Languages"),
        required=False,
        help_text=_("Codes separated by spaces, as en de pt-BR; empty means all."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        needed_to_start(self, "purpose", "offer", "call_to_action")

    def clean_languages(self) -> tuple[str, ...]:
        return tuple(self.cleaned_data["languages"].replace(",", " ").split())

    def entry(self) -> OfferEntry:
        return OfferEntry(**self.cleaned_data)

    @staticmethod
    def filled(campaign: Campaign) -> dict[str, Any]:
        """What the campaign says now."""
        values = {name: getattr(campaign, name) for name in OfferForm.base_fields}
        return {**values, "languages": " ".join(campaign.languages)}

    def show(self, refusal: Refusal) -> None:
        """Put the refusal's lines beside the fields they name; the rest goes above the form."""
        _spread(refusal, self, ())


class ProofPointForm(forms.Form):
    """One statement about us, with its source."""

    key = forms.CharField(label=_("Short name"), max_length=32)
    text = forms.CharField(
        label=_("Statement"),
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("With its figures: a message may say no other."),
    )
    source = forms.CharField(label=_("Source"), max_length=300)
    date = forms.CharField(label=_("Date"), max_length=10, required=False, help_text=_("YYYY, YYYY-MM or YYYY-MM-DD"))
    expires_on = forms.DateField(
        label=_("Until"), required=False, widget=forms.DateInput(attrs=_DATE, format="%Y-%m-%d")
    )


class NoProofForm(forms.Form):
    """Says that the offer needs no proof."""

    no_proof_needed = forms.BooleanField(
        label=_("None is needed: the offer is all that is said about us"), required=False
    )


_ProofPointFormSet = forms.formset_factory(
    ProofPointForm, extra=2, max_num=30, validate_max=True, can_delete=True, can_delete_extra=False
)


class ProofForms:
    """The statements, and whether any is needed, as one thing."""

    def __init__(self, *, campaign: Campaign, data: Mapping[str, Any] | None = None) -> None:
        points = [
            {"key": one.key, "text": one.text, "source": one.source, "date": one.date, "expires_on": one.expires_on}
            for one in proof_points_of(campaign=campaign)
        ]
        self.form = NoProofForm(data, initial={"no_proof_needed": campaign.no_proof_needed})
        self.rows = _ProofPointFormSet(data, prefix="proof", initial=points)

    def is_valid(self) -> bool:
        return all((self.form.is_valid(), self.rows.is_valid()))

    def points(self) -> tuple[ProofPoint, ...]:
        names = ("key", "text", "source", "date", "expires_on")
        return tuple(ProofPoint(*(row.cleaned_data[name] for name in names)) for row in self._kept())

    def _kept(self) -> list[forms.Form]:
        return [row for row in self.rows if row.cleaned_data.get("text") and not row.cleaned_data.get("DELETE")]

    def show(self, refusal: Refusal) -> None:
        _spread(refusal, self.form, self._kept())


class StepForm(forms.Form):
    """One message of the sequence."""

    channel = forms.ChoiceField(label=_("Channel"), choices=Channel.choices)
    wait_days = forms.IntegerField(label=_("Days after the step before"), required=False, min_value=0, max_value=180)
    condition = forms.ChoiceField(label=_("Sent"), choices=Condition.choices, required=False)
    instruction = forms.CharField(
        label=_("For the writer"),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        help_text=_("What this message should do; the language model reads it."),
    )


class _ExtraStepForm(StepForm):
    """A step that may still be added: without a channel there is none."""

    channel = forms.ChoiceField(
        label=_("Channel"), choices=[("", _("no further step")), *Channel.choices], required=False
    )


class StepForms:
    """The sequence in its order. Without JavaScript too: one empty step stands below, "Add a step" gives another."""

    def __init__(self, *, campaign: Campaign, data: Mapping[str, Any] | None = None) -> None:
        self.before = sequence_of(campaign=campaign)
        rows = [
            {
                "channel": one.channel,
                "wait_days": one.wait_days,
                "condition": one.condition,
                "instruction": one.instruction,
            }
            for one in self.before
        ]
        fixed = len(rows)
        factory = forms.formset_factory(
            _ExtraStepForm, extra=1 if fixed < MOST_STEPS else 0, max_num=MOST_STEPS, validate_max=True, can_delete=True,
            can_order=True,
        )  # fmt: skip
        self.rows = factory(data, prefix="step", initial=rows)
        for place, row in enumerate(self.rows, start=1):
            self._fit(row, place, campaign)

    def _fit(self, row: forms.Form, place: int, campaign: Campaign) -> None:
        row.fields["ORDER"].label, row.fields["DELETE"].label = _("Place"), _("Take this step out")
        row.fields["ORDER"].widget.attrs["min"] = 1
        needed_to_start(row, "channel", "wait_days", "condition")
        started = campaign.status in ("running", "paused") and place <= len(self.before)
        if place == 1:
            for name in ("wait_days", "condition"):
                row.fields[name].widget = forms.HiddenInput()
        added = place > len(self.before)
        if started or place == 1 or added:
            row.fields["DELETE"].widget = forms.HiddenInput()
        if started or added:
            row.fields["ORDER"].widget = forms.HiddenInput()
        if started:
            row.fields["channel"].help_text = _("People stand on this step: it stays, with its channel.")

    def is_valid(self) -> bool:
        return bool(self.rows.is_valid())

    def steps(self) -> tuple[Step, ...]:
        return tuple(_step(place, row.cleaned_data) for place, row in enumerate(self._kept(), start=1))

    def _kept(self) -> list[forms.Form]:
        rows = [row for row in self.rows if row.cleaned_data.get("channel") and not row.cleaned_data.get("DELETE")]
        return sorted(rows, key=lambda row: row.cleaned_data.get("ORDER") or MOST_STEPS + 1)

    def show(self, refusal: Refusal) -> None:
        _spread(refusal, None, self._kept(), above=self.rows)


def _step(place: int, said: Mapping[str, Any]) -> Step:
    if place == 1:
        return Step(1, said["channel"], instruction=said["instruction"])
    return Step(
        place, said["channel"], said["wait_days"] or 0, said["condition"] or Condition.ALWAYS, said["instruction"]
    )


class SendingForm(forms.Form):
    """Who sends, from where, when and for how much."""

    sender_id = forms.TypedChoiceField(label=_("Sender"), coerce=int, empty_value=None, required=False)
    mailbox_id = forms.TypedChoiceField(label=_("Mailbox"), coerce=int, empty_value=None, required=False)
    linkedin_id = forms.TypedChoiceField(label=_("LinkedIn account"), coerce=int, empty_value=None, required=False)
    starts_on = forms.DateField(
        label=_("First day"), required=False, widget=forms.DateInput(attrs=_DATE, format="%Y-%m-%d"),
        help_text=_("No draft is written before."),
    )  # fmt: skip
    ends_on = forms.DateField(
        label=_("Last day"), required=False, widget=forms.DateInput(attrs=_DATE, format="%Y-%m-%d"),
        help_text=_("No draft is written after."),
    )  # fmt: skip
    drafts_per_day = forms.IntegerField(
        label=_("Drafts a day"), required=False, min_value=1, help_text=_("Empty is no limit of its own.")
    )
    budget = forms.DecimalField(
        label=_("Budget for the language model"), required=False, max_digits=10, decimal_places=2,
        help_text=_("In all, in the currency of the price list; empty is no limit of its own."),
    )  # fmt: skip

    def __init__(self, *args: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*args, **options)
        senders = [(row.pk, str(row)) for row in senders_of(team=campaign.team)]
        accounts = list(accounts_of(team=campaign.team))
        for name, choices in (
            ("sender_id", senders),
            ("mailbox_id", [(one.pk, one.address) for one in accounts if one.kind == AccountKind.SMTP]),
            ("linkedin_id", [(one.pk, one.address) for one in accounts if one.kind == AccountKind.LINKEDIN]),
        ):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = [("", _("none")), *choices]
        needed_to_start(self, "sender_id")

    def entry(self) -> SendingEntry:
        return SendingEntry(**self.cleaned_data)

    @staticmethod
    def filled(campaign: Campaign) -> dict[str, Any]:
        """What holds now; a team's only sender and accounts are proposed."""
        mailbox, linkedin = campaign.account_for("email"), campaign.account_for("inmail")
        return {
            "sender_id": campaign.sender_id or _only([row.pk for row in senders_of(team=campaign.team)[:2]]),
            "mailbox_id": mailbox.pk if mailbox else _only(_accounts(campaign, AccountKind.SMTP)),
            "linkedin_id": linkedin.pk if linkedin else _only(_accounts(campaign, AccountKind.LINKEDIN)),
            "starts_on": campaign.starts_on, "ends_on": campaign.ends_on, "drafts_per_day": campaign.drafts_per_day,
            "budget": campaign.budget,
        }  # fmt: skip

    def show(self, refusal: Refusal) -> None:
        _spread(refusal, self, ())


def _accounts(campaign: Campaign, kind: AccountKind) -> list[int]:
    return [row.pk for row in accounts_of(team=campaign.team).filter(kind=kind)[:2]]


def _only(found: Sequence[int]) -> int | None:
    return found[0] if len(found) == 1 else None


def _spread(refusal: Refusal, form: forms.Form | None, rows: Sequence[forms.Form], above: Any = None) -> None:
    """Lines of a refusal go to the fields they name, `steps[2].wait_days` to the second row; the rest goes above."""
    for line in refusal.message.splitlines():
        name, _colon, message = line.partition(": ")
        place = _ROW_FAULT.match(name)
        if place and int(place.group(1)) <= len(rows) and place.group(2) in rows[int(place.group(1)) - 1].fields:
            rows[int(place.group(1)) - 1].add_error(place.group(2), message)
        elif form is not None:
            field = next((known for known in (name, f"{name}_id") if known in form.fields), None)
            form.add_error(field, message if field else line)
        elif above is not None:
            above.non_form_errors().append(line)
