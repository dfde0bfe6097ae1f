"""What the enrolment page takes in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from messaging.enrolment.domain.audience import (
    CONNECTED,
    FUNCTIONS,
    LAYERS,
    MOST_DAYS,
    MOST_PER_COMPANY,
    SENIORITIES,
    SIZES,
    Audience,
)
from messaging.enrolment.queries import enrollable
from messaging.enrolment.services import MOST_AT_ONCE
from messaging.enrolment.services.sequences import AT_ONCE, Action
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team, User
from prospects.models import ImportBatch, Prospect


class _Ids(forms.MultipleChoiceField):
    """Any whole numbers: whether they are people of the team is the service's question."""

    def valid_value(self, value: str) -> bool:
        return value.isdecimal() and len(value) < 19


class EnrolForm(forms.Form):
    """The people ticked, or everyone who is not enrolled yet."""

    prospect = _Ids(required=False)
    everyone = forms.BooleanField(required=False)

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        if not data.get("everyone") and not data.get("prospect"):
            raise forms.ValidationError(_("Choose at least one person."))
        return data

    def prospect_ids(self, *, team: Team, campaign: Campaign) -> list[int]:
        """Ids as chosen; with `everyone` the newest that fit into one call."""
        if self.cleaned_data["everyone"]:
            found = enrollable(team=team, campaign=campaign).order_by("-id")
            return list(found.values_list("pk", flat=True)[:MOST_AT_ONCE])
        return [int(value) for value in self.cleaned_data["prospect"]]


class SearchForm(forms.Form):
    """Narrows the list of people."""

    q = forms.CharField(label=_("Name, title or company"), max_length=100, required=False)

    def narrow(self, people: QuerySet[Prospect]) -> QuerySet[Prospect]:
        """People whose name, title or company holds the words; all when nothing was typed."""
        words = self.cleaned_data["q"].split() if self.is_valid() else []
        for word in words[:5]:
            people = people.filter(
                Q(full_name__icontains=word) | Q(title__icontains=word) | Q(company__name__icontains=word)
            )
        return people


def _ticks(label: Any, choices: Sequence[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple)


def _number(label: Any, most: int, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=most, required=False, help_text=help_text)


class AudienceForm(forms.Form):
    """The filters and limits of an audience; read by messaging.enrolment.domain.audience, told about here."""

    limits = forms.CharField(widget=forms.HiddenInput, initial="1")
    title = forms.CharField(label=_("Words of the title"), max_length=100, required=False)
    seniority = _ticks(_("Seniority"), list(SENIORITIES.items()))
    functions = _ticks(_("Function"), [(name, name.capitalize() if name != "it" else "IT") for name in FUNCTIONS])
    industry = forms.CharField(label=_("Industry"), max_length=100, required=False, help_text=_("A part of its name."))
    sizes = _ticks(_("People in the company"), [(name, name) for name in SIZES])
    countries = forms.CharField(
        label=_("Countries"), max_length=300, required=False, help_text=_("Two letters each, as DE, US.")
    )
    languages = forms.CharField(
        label=_("Languages"), max_length=300, required=False, help_text=_("Codes, as en, pt-BR; “unknown” too.")
    )
    seen_days = _number(_("Role seen within … days"), MOST_DAYS)
    quiet_days = _number(_("Not written to for … days"), MOST_DAYS)
    layers = _ticks(_("There is something to say about"), list(LAYERS.items()))
    connected = forms.ChoiceField(label=_("Connection"), choices=[("", _("Any")), *CONNECTED.items()], required=False)
    owner = forms.ChoiceField(label=_("Of which team mate"), required=False)
    batch = forms.ChoiceField(label=_("From the import"), required=False)
    rest_days = _number(_("Written to within … days"), MOST_DAYS, _("By any campaign. 0: leave nobody out for it."))
    per_company = _number(_("More than … of one company on one day"), MOST_PER_COMPANY, _("0: as many as there are."))
    fresh_only = forms.BooleanField(label=_("Whose role was not seen for half a year"), required=False)
    sure_language = forms.BooleanField(
        label=_("Whose language nobody knows, where several are written"), required=False
    )

    def __init__(self, *values: Any, members: Sequence[User], imports: Sequence[ImportBatch], **named: Any) -> None:
        super().__init__(*values, **named)
        owners = [(str(user.pk), str(user)) for user in members]
        batches = [(str(batch.pk), f"{batch.file_name}, {batch.created_at:%Y-%m-%d}") for batch in imports]
        for name, choices in (("owner", owners), ("batch", batches)):
            field = self.fields[name]
            field.choices = [("", _("Any")), *choices]  # type: ignore[attr-defined]
        for field in self.fields.values():
            if isinstance(field, forms.IntegerField):
                field.widget.attrs["class"] = "num"

    @staticmethod
    def shown(audience: Audience) -> dict[str, Any]:
        """What the form is filled with."""
        said = asdict(audience)
        said["countries"], said["languages"] = ", ".join(audience.countries), ", ".join(audience.languages)
        return {
            "limits": "1",
            **{
                name: "" if value == 0 and name in {"seen_days", "quiet_days", "owner", "batch"} else value
                for name, value in said.items()
            },
        }


class ActForm(forms.Form):
    """What is done to the people who are ticked."""

    enrolment = _Ids(required=False)
    do = forms.ChoiceField(choices=[(action.value, action.value) for action in Action])
    to = forms.IntegerField(min_value=1, max_value=100, required=False)

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        if not data.get("enrolment"):
            raise forms.ValidationError(_("Choose at least one person."))
        return data

    def ids(self) -> list[int]:
        return [int(value) for value in self.cleaned_data["enrolment"]][: AT_ONCE + 1]
