"""What a person enters in the settings of campaigns. Ranges are the database's; every setting says what it does."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from outreach.campaigns.models import AccountKind
from outreach.home.queries import people_of
from outreach.teams.models import Team


class PolicyForm(forms.Form):
    """In the order of a message's life: written, reviewed, sent."""

    quality_blocks = forms.BooleanField(
        label=_("Length and call-to-action findings block approval"),
        required=False,
        help_text=_("Off: they are shown as warnings. Unverified claims block in any case; no setting changes that."),
    )
    observed_days_position = forms.IntegerField(
        label=_("A position counts as current for, in days"), min_value=1, max_value=730,
        help_text=_("“You lead …” needs a position seen no longer ago than this. Shorter is safer, and blocks more drafts."),
    )  # fmt: skip
    review_target_hours = forms.IntegerField(
        label=_("Drafts should be reviewed within, in hours"), min_value=1, max_value=720,
        help_text=_("After that a draft counts as overdue and moves to the top."),
    )  # fmt: skip
    four_eyes = forms.BooleanField(
        label=_("Four eyes"),
        required=False,
        help_text=_(
            "Nobody approves a text that they wrote, edited, prompted or added evidence for, nor one that cites what they "
            "imported less than a day before it was written. "
            "Off: one’s own text may be approved after the delay below, and is marked so for ever."
        ),
    )
    self_approval_delay = forms.IntegerField(
        label=_("Delay before one’s own text may be approved, in minutes"), min_value=0, max_value=1440,
        help_text=_("Time to read it with fresh eyes. Counts only without four eyes, and in a team of one."),
    )  # fmt: skip
    undo_seconds = forms.IntegerField(
        label=_("Approval can be undone for, in seconds"), min_value=0, max_value=3600,
        help_text=_("Nothing is sent before this time is over."),
    )  # fmt: skip
    send_by_days = forms.IntegerField(
        label=_("An approval lapses after, in days"), min_value=1, max_value=60,
        help_text=_("Recency words are checked against the last of these days: the longer, the fewer may be used."),
    )  # fmt: skip
    postal_address = forms.CharField(
        label=_("Postal address"), required=False, max_length=500, widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Printed in the footer of every e-mail. Many countries demand it."),
    )  # fmt: skip
    lawful_basis = forms.CharField(
        label=_("Lawful basis"), max_length=200,
        help_text=_("Why the team may process the data of people who did not ask to be written to."),
    )  # fmt: skip


class SenderForm(forms.Form):
    full_name = forms.CharField(label=_("Name"), max_length=200)
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    company = forms.CharField(label=_("Company"), max_length=200)
    signature = forms.CharField(
        label=_("Signature"), max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Below every message, word for word."),
    )  # fmt: skip
    user = forms.TypedChoiceField(
        label=_("Team mate"), required=False, coerce=int, empty_value=None,
        help_text=_("Whose LinkedIn archive tells what they and a prospect have in common."),
    )  # fmt: skip

    def __init__(self, *args: Any, team: Team, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["user"].choices = [("", _("nobody")), *((user.pk, str(user)) for user in people_of(team=team))]  # type: ignore[attr-defined]


class AccountForm(forms.Form):
    kind = forms.ChoiceField(label=_("Kind"), choices=AccountKind.choices)
    address = forms.CharField(
        label=_("Address"), max_length=320, help_text=_("The e-mail address, or the LinkedIn profile name.")
    )
    display_name = forms.CharField(label=_("Shown as"), max_length=200, required=False)
    daily_cap = forms.IntegerField(
        label=_("Messages in any 24 hours"), min_value=1, max_value=2000, initial=50,
        help_text=_("What is over it waits. LinkedIn restricts accounts that send more than a person would."),
    )  # fmt: skip
    note_limit = forms.TypedChoiceField(
        label=_("Length of a connection note"), coerce=int, initial=200,
        choices=[(200, _("200 characters (basic account)")), (300, _("300 characters (Premium)"))],
    )  # fmt: skip
    active = forms.BooleanField(
        label=_("In use"), required=False, initial=True, help_text=_("Off: nothing more leaves from it.")
    )
