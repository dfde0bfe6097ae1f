"""What a manager enters: shares of a proposal, a reason, an experiment that is planned."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext_lazy as _

#: Shares are typed in percent with one decimal.
_ROUND = 1


class SharesForm(forms.Form):
    """One share in percent for each strategy; together they make 100."""

    def __init__(self, *args: object, shares: Mapping[str, float], names: Mapping[str, str], **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._proposed = shares
        for key, share in shares.items():
            self.fields[key] = forms.DecimalField(
                label=names.get(key, key), min_value=0, max_value=100, initial=round(100 * share, _ROUND),
                widget=forms.NumberInput(attrs={"step": "0.1", "inputmode": "decimal"}),
            )  # fmt: skip

    def clean(self) -> dict[str, object]:
        values = super().clean() or {}
        if not self.errors:
            whole = float(sum(values.values()))
            if abs(whole - 100) > 1:
                raise forms.ValidationError(
                    _("The shares make %(whole)g%%; they have to make 100%%."), params={"whole": whole}
                )
        return values

    @property
    def shares(self) -> dict[str, float] | None:
        """What was typed, in 0..1; None when nothing was changed."""
        typed = {key: float(value) / 100 for key, value in self.cleaned_data.items()}
        same = all(abs(typed[key] - round(self._proposed[key], _ROUND + 2)) < 1e-9 for key in typed)
        return None if same else typed


class PlanForm(forms.Form):
    weekly = forms.IntegerField(
        label=_("Messages a week"), min_value=10, max_value=100_000, help_text=_("All strategies together.")
    )
    base = forms.FloatField(
        label=_("Reply rate today, %"),
        min_value=0.1,
        max_value=50,
        help_text=_("Of 100 messages, how many are answered."),
    )
    lift = forms.FloatField(
        label=_("Difference worth finding, %"), min_value=5, max_value=200,
        help_text=_("30 means: 6.5 replies where there were 5."),
    )  # fmt: skip
    strategies = forms.IntegerField(
        label=_("Strategies side by side"), min_value=2, max_value=6, help_text=_("The present one is one of them.")
    )
