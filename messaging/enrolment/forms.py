"""What the enrolment page takes in."""

from __future__ import annotations

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from messaging.enrolment.queries import enrollable
from messaging.enrolment.services import MOST_AT_ONCE
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team
from prospects.models import Prospect


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
