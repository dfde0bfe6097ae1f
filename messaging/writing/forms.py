"""What the writing pages take in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from messaging.writing.domain.quality_catalogue import BLOCK, WARN
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
