"""What people type on the pages of this room, read into values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from outreach.teams.models import User
from prospects.domain.capture import read_paste
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import Actor, Kind
from prospects.domain.language import WRITTEN
from prospects.domain.suppression_file import ListKind
from prospects.models import IndustryNote, Prospect, ProspectState, Suppression
from prospects.queries import find_prospect
from prospects.queries.listing import ProspectFilter

_NAMES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "pt-BR": "Portuguese (Brazil)",
    "it": "Italian",
    "nl": "Dutch",
}
LANGUAGES = [(code, _NAMES[code]) for code in WRITTEN]
#: What can be added by hand, with whose doing it is; a colleague's deed is never the prospect's.
ADDED: dict[str, tuple[str, Kind, Actor]] = {
    "post": ("Post they wrote", Kind.POST, Actor.PROSPECT),
    "comment": ("Comment they wrote", Kind.COMMENT, Actor.PROSPECT),
    "reshare": ("Post they reshared (others’ words)", Kind.RESHARE, Actor.OTHER),
    "talk": ("Talk they gave", Kind.TALK, Actor.PROSPECT),
    "award": ("Award they received", Kind.AWARD, Actor.PROSPECT),
    "publication": ("Publication of theirs", Kind.PUBLICATION, Actor.PROSPECT),
    "about": ("Summary they wrote about themselves", Kind.ABOUT, Actor.PROSPECT),
    "news": ("News about the company", Kind.COMPANY_NEWS, Actor.COMPANY),
    "job": ("Open position at the company", Kind.JOB, Actor.COMPANY),
    "colleague": ("What a colleague did", Kind.COLLEAGUE, Actor.COLLEAGUE),
}


class FilterForm(forms.Form):
    """The list's filters, in its address. What makes no sense is ignored, as links may be old."""

    q = forms.CharField(required=False, max_length=100, label=_("Name, title or company"))
    language = forms.ChoiceField(required=False, choices=[("", _("Any language")), *LANGUAGES], label=_("Language"))
    state = forms.ChoiceField(
        required=False,
        choices=[("", _("Everybody")), (ProspectState.CONFLICTED, _("Identity in doubt"))],
        label=_("State"),
    )
    degree = forms.ChoiceField(
        required=False, choices=[("", _("Any connection")), ("1", _("First-degree"))], label=_("Connection")
    )
    company = forms.IntegerField(required=False, min_value=1, max_value=2**62)

    def chosen(self) -> ProspectFilter:
        self.is_valid()
        value = self.cleaned_data.get
        return ProspectFilter(
            search=value("q") or "",
            company=value("company") or 0,
            language=value("language") or "",
            state=value("state") or "",
            first_degree=value("degree") == "1",
        )


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        help_text=_(
            "A LinkedIn archive (ZIP or one of its files), an export of a sales tool, contacts, a CV, any CSV or XLSX with names, "
            "or JSON of the common profile services."
        ),
    )


@dataclass(frozen=True)
class Whose:
    """Whose archive a file is."""

    owner: User | None
    prospect: Prospect | None


class StartForm(forms.Form):
    """Whose archive it is: a team mate's, or, said expressly, a prospect's own."""

    whose = forms.ChoiceField(label=_("Owner of the archive"), required=False)
    prospect = forms.CharField(
        label=_("The prospect’s profile address or number"),
        required=False,
        max_length=500,
        help_text=_("Only when the archive is the prospect’s own: everything in it then describes that person."),
    )

    def __init__(self, *args: Any, team: Any, members: Iterable[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.team = team
        self.members = {str(user.pk): user for user in members}
        choices = [(key, f"{user} ({user.email})") for key, user in self.members.items()]
        self.fields["whose"].choices = [*choices, ("prospect", _("A prospect’s own archive"))]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("whose") == "prospect":
            data["found"] = find_prospect(team=self.team, text=data.get("prospect", ""))
            if data["found"] is None:
                self.add_error("prospect", _("No prospect of this team has that profile or number."))
        return data

    def chosen(self) -> Whose:
        whose = self.cleaned_data.get("whose", "")
        return Whose(owner=self.members.get(whose), prospect=self.cleaned_data.get("found"))


class SuppressForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, help_text=_("For the list; never about the person."))


class SuppressionForm(forms.Form):
    kind = forms.ChoiceField(label=_("What"), choices=Suppression.Kind.choices)
    value = forms.CharField(
        label=_("Address, domain, profile or company"),
        max_length=500,
        help_text=_("Stored as a keyed hash only: it can be checked, not read again."),
    )
    reason = forms.CharField(label=_("Reason"), max_length=200)


class SuppressionFileForm(forms.Form):
    """A file of whom not to write to, and what list it is."""

    file = forms.FileField(
        label=_("CSV or XLSX"),
        allow_empty_file=True,
        help_text=_("With columns such as email, domain, profile and company, or one column of addresses."),
    )
    kind = forms.ChoiceField(
        label=_("What list is it?"),
        choices=[
            (ListKind.OPT_OUT, _("Opt-outs: people who said no")),
            (ListKind.CUSTOMER, _("Customers: the whole company")),
            (ListKind.OPPORTUNITY, _("Open opportunities: the whole company")),
        ],
    )
    replace = forms.BooleanField(
        label=_("It replaces the last list of this kind"),
        required=False,
        help_text=_("Whoever is not in it any more may be written to again. Not for opt-outs."),
    )


class LiftForm(forms.Form):
    reason = forms.CharField(label=_("Why it may be written to again"), max_length=200)


class LanguageForm(forms.Form):
    code = forms.ChoiceField(label=_("Write in"), required=False, choices=[("", _("what the signals say")), *LANGUAGES])


class IdentityForm(forms.Form):
    full_name = forms.CharField(label=_("Name of the person"), max_length=300)


class TwinForm(forms.Form):
    other = forms.CharField(
        label=_("Profile address or number of the other record"),
        max_length=500,
        help_text=_("You compare both before anything happens."),
    )


class RevisedNoteForm(forms.Form):
    text = forms.CharField(
        label=_("Statement"),
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One sentence about the industry at large: no you, no company, no figure that you cannot show."),
    )
    kind = forms.ChoiceField(label=_("It rests on"), choices=IndustryNote.Kind.choices)
    source = forms.CharField(label=_("Which source"), max_length=300)
    source_url = forms.URLField(
        label=_("Address of the source"), required=False, max_length=1_000, assume_scheme="https"
    )


class NoteForm(RevisedNoteForm):
    industry = forms.CharField(
        label=_("Industry"), max_length=64, help_text=_("As company records call it, for example Fintech or Banking.")
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=LANGUAGES, help_text=_("Cited in messages of this language.")
    )
    field_order = ["industry", "text", "kind", "source", "source_url", "language"]


class RetractForm(forms.Form):
    reason = forms.CharField(label=_("What is wrong with it"), max_length=300)


class EvidenceForm(forms.Form):
    """A post or page by paste: what it is, the words, where and when."""

    what = forms.ChoiceField(label=_("What is it?"), choices=[(key, label) for key, (label, _k, _a) in ADDED.items()])
    text = forms.CharField(
        label=_("The words as found"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Quotations are checked against these words, letter by letter."),
    )
    title = forms.CharField(
        label=_("Title"),
        required=False,
        max_length=300,
        help_text=_("Of the news, talk, award, publication or position."),
    )
    who = forms.CharField(label=_("Colleague or original author"), required=False, max_length=200)
    url = forms.URLField(label=_("Address where it was seen"), required=False, max_length=1_000, assume_scheme="https")
    snapshot = forms.CharField(
        label=_("Text of the page or file"),
        required=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Needed where there is no address."),
    )
    occurred = forms.CharField(
        label=_("When it happened"),
        required=False,
        max_length=10,
        help_text=_("2026-11-05, 2026-11 or 2026, as precisely as the source says. Empty means undated."),
    )
    observed_at = forms.DateField(
        label=_("When you saw it"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def clean_occurred(self) -> DateInterval | None:
        text = self.cleaned_data["occurred"].strip()
        interval = partial_date(text) if text else None
        if text and interval is None:
            raise forms.ValidationError(_("Write it as 2026-11-05, 2026-11 or 2026."))
        return interval

    def added(self, *, today: date) -> dict[str, Any]:
        """The arguments of the service."""
        data = self.cleaned_data
        _label, kind, actor = ADDED[data["what"]]
        named = {Kind.COLLEAGUE: "full_name", Kind.RESHARE: "original_author"}.get(kind)
        fields = {"title": data["title"], "url": data["url"]}
        if named:
            fields[named] = data["who"]
        if kind is Kind.COLLEAGUE:
            fields["note"] = data["text"]
        return {
            "kind": kind.value,
            "actor": actor.value,
            "text": data["text"],
            "fields": fields,
            "occurred": data["occurred"],
            "url": data["url"],
            "snapshot": data["snapshot"],
            "observed_at": data["observed_at"] or today,
        }


@dataclass(frozen=True)
class ColumnChoice:
    """What somebody chose for the columns of a table: header row (0 none, None not said), column number → field."""

    header_row: int | None
    chosen: dict[int, str]
    remember: bool
    row: int

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> ColumnChoice:
        """Whatever is posted; fields that do not exist are kept, so that the check can name them."""
        return cls(
            header_row=_small_number(data.get("header")),
            chosen={
                number: str(value).strip()[:40]
                for name, value in data.items()
                if name.startswith("c") and (number := _small_number(name[1:])) and str(value).strip()
            },
            remember=bool(data.get("remember")),
            row=_small_number(data.get("row")) or 0,
        )


def _small_number(text: object) -> int | None:
    said = str(text or "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 8 else None


class CaptureForm(EvidenceForm):
    """A paste in two keys: the words; address and day are taken out of them where they are not typed."""

    title = snapshot = observed_at = None  # type: ignore[assignment]  # Django's way of leaving out what the parent asks
    field_order = ("text", "what", "url", "occurred", "who")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].widget.attrs["autofocus"] = True

    def added(self, *, today: date) -> dict[str, Any]:
        data = self.cleaned_data
        pasted = read_paste(data["text"], url=data["url"], today=today)
        snapshot = "" if pasted.url else data["text"]
        data |= {"text": pasted.text, "url": pasted.url, "title": "", "snapshot": snapshot, "observed_at": today}
        data["occurred"] = data["occurred"] or (pasted.posted if data["what"] in ("post", "reshare") else None)
        return super().added(today=today)


class SourceForm(forms.Form):
    url = forms.CharField(
        label=_("Address of a feed or page"),
        max_length=1_000,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
        help_text=_("RSS, Atom, or a page with news. It is read every six hours, as the site’s robots.txt allows."),
    )
