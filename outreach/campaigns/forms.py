"""What a person enters for a campaign. The rules are the domain's; the form gives them the fields they name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from outreach.campaigns.domain.entry import CampaignEntry
from outreach.campaigns.domain.offer import ProofPoint
from outreach.campaigns.models import Campaign, Channel
from outreach.campaigns.queries import accounts_of, proof_points_of, senders_of
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

_ROW_FAULT = re.compile(r"proof_points\[(\d+)\]\.(\w+)\Z")


def _choose(field: forms.Field, choices: list[tuple[int, str]]) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = choices


class CampaignForm(forms.Form):
    """A campaign's own fields. Without a slug one is made of the name."""

    name = forms.CharField(label=_("Name"), max_length=200)
    slug = forms.SlugField(
        label=_("Short name"),
        max_length=50,
        required=False,
        help_text=_("In addresses and commands; made of the name."),
    )
    purpose = forms.CharField(
        label=_("Purpose"), max_length=200, help_text=_("One purpose per person: nobody is written to for two.")
    )
    channel = forms.ChoiceField(label=_("Channel"), choices=Channel.choices)
    sender_id = forms.TypedChoiceField(label=_("Sender"), coerce=int)
    account_id = forms.TypedChoiceField(
        label=_("Account"), coerce=int, help_text=_("A mailbox for e-mail, a LinkedIn account for the other channels.")
    )
    offer = forms.CharField(
        label=_("Offer"), widget=forms.Textarea(attrs={"rows": 2}), help_text=_("One sentence that may be quoted.")
    )
    value_proposition = forms.CharField(
        label=_("What it changes for them"),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        help_text=_("Never quoted; ranks what a message opens with."),
    )
    call_to_action = forms.CharField(
        label=_("Call to action"), max_length=300, help_text=_("The one question a message ends with.")
    )
    must_not_say = forms.CharField(
        label=_("Never say"),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        help_text=_("One phrase a line; a message with one of them is blocked."),
    )
    languages = forms.CharField(
        label=_("Languages"),
        required=False,
        help_text=_("Codes separated by spaces, as en de pt-BR; empty means all."),
    )

    def __init__(self, *args: Any, team: Team, **options: Any) -> None:
        super().__init__(*args, **options)
        _choose(self.fields["sender_id"], [(row.pk, str(row)) for row in senders_of(team=team)])
        accounts = [(row.pk, f"{row.address} · {row.get_kind_display()}") for row in accounts_of(team=team)]
        _choose(self.fields["account_id"], accounts)

    def clean_slug(self) -> str:
        return self.cleaned_data["slug"] or slugify(self.cleaned_data.get("name", ""))[:50]

    def clean_languages(self) -> tuple[str, ...]:
        return tuple(self.cleaned_data["languages"].replace(",", " ").split())


class ProofPointForm(forms.Form):
    """One statement about us, with its source."""

    key = forms.CharField(label=_("Short name"), max_length=32)
    text = forms.CharField(label=_("Statement"), widget=forms.Textarea(attrs={"rows": 2}))
    source = forms.CharField(label=_("Source"), max_length=300)
    date = forms.CharField(label=_("Date"), max_length=10, required=False, help_text=_("YYYY, YYYY-MM or YYYY-MM-DD"))
    expires_on = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))


ProofPointFormSet = forms.formset_factory(ProofPointForm, extra=2, max_num=30, validate_max=True, can_delete=True)


class CampaignForms:
    """The form and its proof points as one thing: valid together, filled together."""

    def __init__(self, *, team: Team, data: Mapping[str, Any] | None = None, campaign: Campaign | None = None) -> None:
        self.form = CampaignForm(data, team=team, initial=_initial(campaign))
        self.proof_points = ProofPointFormSet(data, prefix="proof", initial=_initial_points(campaign))

    def is_valid(self) -> bool:
        return all((self.form.is_valid(), self.proof_points.is_valid()))

    def entry(self) -> CampaignEntry:
        """The entry of valid forms."""
        rows = [form.cleaned_data for form in self._kept()]
        points = tuple(
            ProofPoint(row["key"], row["text"], row["source"], row["date"], row["expires_on"]) for row in rows
        )
        return CampaignEntry(**self.form.cleaned_data, proof_points=points)

    def _kept(self) -> list[forms.Form]:
        return [
            form for form in self.proof_points if form.cleaned_data.get("text") and not form.cleaned_data.get("DELETE")
        ]

    def show(self, refusal: Refusal) -> None:
        """Put a refusal's lines beside the fields they name; the rest goes above the form."""
        for line in refusal.message.splitlines():
            name, _colon, message = line.partition(": ")
            place = _ROW_FAULT.match(name)
            if place:
                self._kept()[int(place.group(1)) - 1].add_error(place.group(2), message)
            else:
                known = {**self.form.fields, "sender": None, "account": None}
                field = {"sender": "sender_id", "account": "account_id"}.get(name, name)
                self.form.add_error(field if name in known else None, message if name in known else line)


def _initial(campaign: Campaign | None) -> dict[str, Any]:
    if campaign is None:
        return {}
    names = (
        "name", "slug", "purpose", "channel", "sender_id", "account_id", "offer", "value_proposition",
        "call_to_action", "must_not_say",
    )  # fmt: skip
    return {**{name: getattr(campaign, name) for name in names}, "languages": " ".join(campaign.languages)}


def _initial_points(campaign: Campaign | None) -> list[dict[str, Any]]:
    if campaign is None:
        return []
    return [
        {"key": one.key, "text": one.text, "source": one.source, "date": one.date, "expires_on": one.expires_on}
        for one in proof_points_of(campaign=campaign)
    ]
