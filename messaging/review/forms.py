"""Forms of the review screen. What was typed is kept when something is wrong."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from messaging.review.domain.added_evidence import BY_HAND, fields_for
from messaging.review.services import NewEvidence
from prospects.domain.dates import partial_date
from prospects.domain.evidence import Kind

MOST_FILE = 1_000_000


class _Named(forms.Form):
    """Several forms share the page: each has ids of its own."""

    ids = "id_%s"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": self.ids, **kwargs})


class EditForm(_Named):
    ids = "ed_%s"
    subject = forms.CharField(label=_("Subject"), required=False, max_length=300)
    body = forms.CharField(label=_("Message"), strip=False, max_length=20_000, widget=forms.Textarea)


class CommentForm(_Named):
    ids = "co_%s"
    text = forms.CharField(
        label=_("Comment"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3, "autofocus": True})
    )


class InstructionForm(_Named):
    ids = "in_%s"
    instruction = forms.CharField(
        label=_("What should be different"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3, "autofocus": True}),
    )


class EvidenceForm(_Named):
    ids = "ev_%s"
    kind = forms.ChoiceField(
        label=_("What it is"),
        widget=forms.Select(attrs={"autofocus": True}),
        choices=[(kind.value, hand.label) for kind, hand in BY_HAND.items()],
    )
    text = forms.CharField(
        label=_("The words, as they stand there"), max_length=20_000, widget=forms.Textarea(attrs={"rows": 4})
    )
    title = forms.CharField(label=_("Title"), required=False, max_length=300)
    place = forms.CharField(label=_("Company, event, issuer or publisher"), required=False, max_length=300)
    occurred = forms.CharField(
        label=_("When it happened"), required=False, max_length=10, help_text=_("2026, 2026-11 or 2026-11-05")
    )
    url = forms.URLField(label=_("Address of the page"), required=False, max_length=1000, assume_scheme="https")
    snapshot = forms.CharField(
        label=_("Text of the page or file"),
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Where there is no address, or it may change."),
    )
    file = forms.FileField(label=_("Or the file itself (text)"), required=False)
    observed_at = forms.DateField(label=_("Day you saw it"), widget=forms.DateInput(attrs={"type": "date"}))

    def clean_occurred(self) -> Any:
        text = self.cleaned_data["occurred"]
        interval = partial_date(text) if text else None
        if text and interval is None:
            raise forms.ValidationError(_("Write the date as 2026, 2026-11 or 2026-11-05."))
        self.typed_date = text
        return interval

    def clean_file(self) -> str:
        upload = self.cleaned_data["file"]
        if not upload:
            return ""
        if upload.size > MOST_FILE:
            raise forms.ValidationError(_("The file has more than 1 MB. Paste the part that matters instead."))
        try:
            return upload.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("This is not a text file in UTF-8. Paste its text instead.")) from None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not any(data.get(name) for name in ("url", "snapshot", "file")) and not self.errors:
            self.add_error("url", _("Give the address of the page, or the text or file where it can be seen."))
        return data

    def evidence(self) -> NewEvidence:
        data = self.cleaned_data
        kind = Kind(data["kind"])
        return NewEvidence(
            kind=kind,
            actor=BY_HAND[kind].actor,
            text=data["text"].strip(),
            fields=fields_for(
                kind=kind, title=data["title"], place=data["place"], date=self.typed_date, url=data["url"]
            ),
            occurred=data["occurred"],
            url=data["url"],
            snapshot="\n\n".join(part for part in (data["snapshot"], data["file"]) if part),
            observed_at=data["observed_at"],
        )
