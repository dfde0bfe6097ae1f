"""What the writing pages take in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from messaging.hooks.domain.kinds import Layer
from messaging.writing.domain.quality_catalogue import BLOCK, WARN
from messaging.writing.domain.strategy import (
    CHANNELS,
    DEFAULT_BANDS,
    HOOK_GROUPS,
    TONES,
    StrategyParameters,
    Unreadable,
    as_json,
    read_parameters,
)
from messaging.writing.quality_levels import RuleLevel


class StartForm(forms.Form):
    """How many drafts to ask for at once."""

    USUAL = 25

    limit = forms.IntegerField(label=_("How many"), min_value=1, max_value=500, initial=USUAL)


class LevelsForm(forms.Form):
    """One choice a rule; rules that always block have none."""

    def __init__(self, *args: Any, rules: Sequence[RuleLevel], **options: Any) -> None:
        super().__init__(*args, **options)
        self.rules = rules
        for one in rules:
            if not one.rule.fixed:
                self.fields[one.rule.id] = forms.ChoiceField(
                    label=one.rule.name, choices=[(BLOCK, _("blocks")), (WARN, _("warns"))], initial=one.in_force
                )

    def groups(self) -> Iterator[tuple[str, list[tuple[RuleLevel, BoundField | None]]]]:
        """Rules with their fields, under the names of their groups."""
        for name, rules in groupby(self.rules, key=lambda one: one.rule.group):
            yield name, [(one, None if one.rule.fixed else self[one.rule.id]) for one in rules]


_CHANNEL_NAMES = {
    "linkedin_connection": _("Connection note, in characters"), "linkedin_message": _("LinkedIn message, in words"),
    "inmail": _("InMail, in words"), "email": _("E-mail, in words"),
}  # fmt: skip
_GROUP_NAMES = {
    "milestone": _("Milestones of their career"), "own_words": _("Their own words"), "company_news": _("News of the company"),
    "in_common": _("What you have in common"), "profile": _("Their profile"),
}  # fmt: skip


class StrategyForm(forms.Form):
    """One version of a strategy, whole."""

    name = forms.CharField(label=_("Name"), max_length=200, help_text=_("As people read it in Insights and on drafts."))
    tone = forms.ChoiceField(label=_("Tone"), choices=[(one, one) for one in TONES])
    depth = forms.IntegerField(
        label=_("Specific references, at most"), min_value=0, max_value=5,
        help_text=_("One or two have done better than three and more by 31%."),
    )  # fmt: skip
    layers = forms.MultipleChoiceField(
        label=_("What it tells of, where evidence allows"), choices=[(str(one), str(one)) for one in Layer],
        widget=forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"}),
    )  # fmt: skip
    threshold = forms.FloatField(
        label=_("Least confidence for why it matters to them"), min_value=0, max_value=1,
        help_text=_("From 0 to 1. Below it that part is left out, and the draft says so."),
    )  # fmt: skip
    temperature = forms.FloatField(
        label=_("Temperature of the language model"),
        min_value=0,
        max_value=2,
        help_text=_("From 0 to 2; higher varies more."),
    )
    model = forms.CharField(
        label=_("Language model"),
        max_length=200,
        required=False,
        help_text=_("As the endpoint calls it. Empty: the usual one."),
    )
    few_shot = forms.ChoiceField(
        label=_("Examples shown to the model"), required=False,
        choices=[("team", _("the team’s approved ones, else those shipped")), ("starter", _("those shipped")), ("", _("none"))],
    )  # fmt: skip
    prompt = forms.IntegerField(
        label=_("Prompt version"), min_value=0, help_text=_("Its number; 0 is whichever is published.")
    )
    keep_earlier = forms.BooleanField(
        label=_("Keep the earlier version in use, to compare the two"), required=False,
        help_text=_("Off: it is retired, and the new version takes its place and its weights."),
    )  # fmt: skip

    def __init__(self, *args: Any, stored: dict[str, Any] | None = None, name: str = "", **options: Any) -> None:
        """stored: parameters to begin with; the shipped defaults where there are none."""
        read = read_parameters(stored or {})
        self.parameters = StrategyParameters() if isinstance(read, Unreadable) else read
        options.setdefault("initial", {**self._initial(), "name": name})
        super().__init__(*args, **options)
        for channel in CHANNELS:
            for end, label in (("least", _("at least")), ("most", _("at most"))):
                self.fields[f"{channel}_{end}"] = forms.IntegerField(label=label, min_value=0, max_value=5_000)
        for group in HOOK_GROUPS:
            self.fields[f"prefer_{group}"] = forms.FloatField(label=_GROUP_NAMES[group], min_value=0, max_value=10)
        if stored is None:
            del self.fields["keep_earlier"]

    def _initial(self) -> dict[str, Any]:
        values = as_json(self.parameters)
        bands = {
            f"{channel}_{end}": getattr(self.parameters.band(channel), end)
            for channel in CHANNELS
            for end in ("least", "most")
        }
        prefer = {f"prefer_{group}": weight for group, weight in self.parameters.hook_preference.items()}
        return {
            **{
                key: values[key]
                for key in ("tone", "depth", "layers", "threshold", "temperature", "few_shot", "model", "prompt")
            },
            **bands,
            **prefer,
        }

    def bands(self) -> Iterator[tuple[str, BoundField, BoundField]]:
        for channel in CHANNELS:
            yield str(_CHANNEL_NAMES[channel]), self[f"{channel}_least"], self[f"{channel}_most"]

    def preferences(self) -> Iterator[BoundField]:
        for group in HOOK_GROUPS:
            yield self[f"prefer_{group}"]

    def clean(self) -> dict[str, Any]:
        entered: dict[str, Any] = super().clean() or {}
        for channel in CHANNELS:
            least, most = entered.get(f"{channel}_least"), entered.get(f"{channel}_most")
            if least is not None and most is not None and least > most:
                self.add_error(f"{channel}_most", _("At most must not be less than at least."))
        return entered

    def stored(self) -> dict[str, Any]:
        """The parameters as they are kept. Call it on a valid form."""
        entered = self.cleaned_data
        return {
            **{key: entered[key] for key in ("tone", "depth", "layers", "threshold", "temperature", "few_shot", "model", "prompt")},
            "bands": {
                channel: {
                    "least": entered[f"{channel}_least"], "most": entered[f"{channel}_most"], "unit": DEFAULT_BANDS[channel].unit,
                }
                for channel in CHANNELS
            },
            "hook_preference": {group: entered[f"prefer_{group}"] for group in HOOK_GROUPS},
        }  # fmt: skip
