"""What a person enters in the settings. Ranges are the domain's; what a setting says and does stands in its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from messaging.delivery.domain.working_days import countries
from outreach.campaigns.domain import account as account_rules
from outreach.campaigns.domain import policy as policy_rules
from outreach.campaigns.domain.linkedin import PLANS
from outreach.campaigns.domain.setting import setting
from outreach.campaigns.models import AccountKind, Plan, Security
from outreach.home.queries import people_of
from outreach.teams.models import Team

#: Languages that have a field of their own; a text stored for another one is kept.
LANGUAGES = (
    ("en", _("English")), ("de", _("German")), ("fr", _("French")), ("es", _("Spanish")), ("it", _("Italian")),
    ("nl", _("Dutch")), ("pt", _("Portuguese")),
)  # fmt: skip


def _said(key: str) -> dict[str, Any]:
    """Label and help of a setting, from its table."""
    return {"label": _(setting(key).label), "help_text": _(setting(key).help)}


def _switch(key: str) -> forms.BooleanField:
    return forms.BooleanField(**_said(key), required=False)


def _number(
    key: str, ranges: Mapping[str, tuple[int, int]] = policy_rules.RANGES, **options: Any
) -> forms.IntegerField:
    least, most = ranges[key]
    return forms.IntegerField(**_said(key), min_value=least, max_value=most, **options)


def _money(key: str) -> forms.DecimalField:
    return forms.DecimalField(**_said(key), min_value=0, max_value=policy_rules.MOST_MONEY, decimal_places=2)


class PolicyForm(forms.Form):
    """In the order of a message's life: written, reviewed, sent."""

    quality_blocks = _switch("quality_blocks")
    observed_days_position = _number("observed_days_position")
    observed_days_company = _number("observed_days_company")
    observed_days_common = _number("observed_days_common")
    review_target_hours = _number("review_target_hours")
    four_eyes = _switch("four_eyes")
    self_approval_delay = _number("self_approval_delay")
    undo_seconds = _number("undo_seconds")
    send_by_days = _number("send_by_days")


class DaysForm(forms.Form):
    send_on_weekends = _switch("send_on_weekends")
    send_on_holidays = _switch("send_on_holidays")
    home_country = forms.ChoiceField(**_said("home_country"), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["home_country"].choices = [("", _("none")), *countries()]  # type: ignore[attr-defined]


class ClosedDayForm(forms.Form):
    day = forms.DateField(label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}))
    label = forms.CharField(label=_("What for"), max_length=100, required=False)


class TextsByLanguage(forms.Form):
    """A text for each language, as one mapping under `texts_key`."""

    texts_key = ""
    rows = 3

    def __init__(self, data: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        filled = dict(initial or {})
        self._stored: Mapping[str, str] = filled.pop(self.texts_key, None) or {}
        filled.update({f"{self.texts_key}_{code}": text for code, text in self._stored.items()})
        super().__init__(data, initial=filled)
        for code, name in LANGUAGES:
            self.fields[f"{self.texts_key}_{code}"] = forms.CharField(
                label=name,
                required=False,
                max_length=600,
                widget=forms.Textarea(attrs={"rows": self.rows, "lang": code}),
            )

    @property
    def by_language(self) -> list[forms.BoundField]:
        return [self[f"{self.texts_key}_{code}"] for code, _name in LANGUAGES]

    @property
    def open_languages(self) -> bool:
        """Whether a text is there or wrong, so that it should be seen without asking."""
        return bool(self._stored) or any(bound.errors for bound in self.by_language)

    def values(self) -> dict[str, Any]:
        """What was entered, the texts of all languages under their one key."""
        entered = dict(self.cleaned_data)
        given = {code: entered.pop(f"{self.texts_key}_{code}").strip() for code, _name in LANGUAGES}
        kept = {**self._stored, **given}
        return {**entered, self.texts_key: {code: text for code, text in kept.items() if text}}


class PrivacyForm(TextsByLanguage):
    texts_key = "notice_texts"

    postal_address = forms.CharField(
        **_said("postal_address"), required=False, max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )
    lawful_basis = forms.CharField(**_said("lawful_basis"), max_length=200)


def _secret(label: Any, help_text: Any = "") -> forms.CharField:
    """Never filled in again: an empty field leaves what is kept."""
    widget = forms.PasswordInput(attrs={"autocomplete": "new-password", "spellcheck": "false"})
    return forms.CharField(
        label=label, required=False, max_length=4000, strip=False, widget=widget, help_text=help_text
    )


class ModelForm(forms.Form):
    model_base_url = forms.CharField(**_said("model_base_url"), required=False, max_length=500)
    model_name = forms.CharField(**_said("model_name"), required=False, max_length=200)
    model_key = _secret(_("Key"), _("Kept encrypted and never shown. Empty: the one that is kept stays."))
    forget_key = forms.BooleanField(label=_("Forget the key"), required=False)
    model_daily_budget = _money("model_daily_budget")
    model_monthly_budget = _money("model_monthly_budget")


class ReasonForm(forms.Form):
    label = forms.CharField(label=_("Reason"), max_length=200)


class SenderForm(TextsByLanguage):
    texts_key = "signatures"

    full_name = forms.CharField(label=_("Name"), max_length=200)
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    company = forms.CharField(label=_("Company"), max_length=200)
    signature = forms.CharField(
        **_said("signature"), max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    calendar_url = forms.CharField(
        label=_("Calendar link"), required=False, max_length=500, help_text=_("Where a meeting can be booked; a line below the signature of e-mails.")
    )  # fmt: skip
    user = forms.TypedChoiceField(
        label=_("Team mate"), required=False, coerce=int, empty_value=None,
        help_text=_("Whose LinkedIn archive tells what they and a prospect have in common."),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, team: Team, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.fields["user"].choices = [("", _("nobody")), *((user.pk, str(user)) for user in people_of(team=team))]  # type: ignore[attr-defined]


#: Fields with a usual value, which holds where a form leaves them out.
USUAL = ("plan", "smtp_port", "smtp_security", "imap_port", "imap_security")


class AccountForm(forms.Form):
    """What every account has; those below add what their kind has."""

    kind = forms.ChoiceField(choices=AccountKind.choices, widget=forms.HiddenInput)
    address = forms.CharField(label=_("Address"), max_length=320)
    display_name = forms.CharField(**_said("display_name"), max_length=200, required=False)
    daily_cap = _number("daily_cap", account_rules.RANGES, initial=50)
    active = forms.BooleanField(**_said("active"), required=False, initial=True)

    def __init__(self, data: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        if data is not None:
            data = data.copy()
            for name in USUAL:
                data.setdefault(name, account_rules.FIELDS[name])
        super().__init__(data, initial=dict(initial or {}))

    def passwords(self) -> dict[str, str | None]:
        """None for what stays."""
        return {}

    def values(self) -> dict[str, Any]:
        """Everything but passwords, kind and address."""
        apart = ("kind", "address", "smtp_password", "imap_password", "forget_passwords")
        return {name: value for name, value in self.cleaned_data.items() if name not in apart}


def _host(help_text: Any) -> forms.CharField:
    return forms.CharField(label=_("Server"), required=False, max_length=253, help_text=help_text)


def _port(initial: int) -> forms.IntegerField:
    return forms.IntegerField(label=_("Port"), min_value=1, max_value=65535, initial=initial)


class MailboxForm(AccountForm):
    smtp_host = _host(_("As smtp.example.com. Empty: the installation’s own mail server."))
    smtp_port = _port(587)
    smtp_security = forms.ChoiceField(label=_("Encryption"), choices=Security.choices, initial=Security.STARTTLS)
    smtp_user = forms.CharField(label=_("User"), required=False, max_length=320, help_text=_("Empty: no login."))
    smtp_password = _secret(_("Password"))
    imap_host = _host(_("As imap.example.com. Empty: answers are not fetched."))
    imap_port = _port(993)
    imap_security = forms.ChoiceField(label=_("Encryption"), choices=Security.choices, initial=Security.IMPLICIT)
    imap_user = forms.CharField(label=_("User"), required=False, max_length=320)
    imap_password = _secret(_("Password"))
    forget_passwords = forms.BooleanField(label=_("Forget both passwords"), required=False)

    def passwords(self) -> dict[str, str | None]:
        forget = self.cleaned_data["forget_passwords"]
        given = {name: self.cleaned_data[name] or None for name in ("smtp_password", "imap_password")}
        return {name: value or ("" if forget else None) for name, value in given.items()}


class LinkedInForm(AccountForm):
    plan = forms.ChoiceField(
        label=_("Plan"), choices=Plan.choices, initial=Plan.FREE,
        help_text=_("A basic account has notes of 200 characters and few of them; the others 300."),
    )  # fmt: skip
    note_limit = _number("note_limit", account_rules.RANGES, required=False)
    weekly_invitations = _number("weekly_invitations", account_rules.RANGES, required=False)
    monthly_notes = _number("monthly_notes", account_rules.RANGES, required=False)

    def values(self) -> dict[str, Any]:
        """What is left empty is the plan's."""
        entered = super().values()
        limits = PLANS[entered["plan"]]
        usual = {
            "note_limit": limits.note,
            "weekly_invitations": limits.weekly_invitations,
            "monthly_notes": limits.monthly_notes,
        }
        return {name: usual.get(name) if value is None else value for name, value in entered.items()}


def account_form(kind: str) -> type[AccountForm]:
    return LinkedInForm if kind == AccountKind.LINKEDIN else MailboxForm
