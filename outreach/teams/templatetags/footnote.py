"""Small parts that every page shares: icons, verdict strings, times, counts, fields, the next page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django import forms, template
from django.contrib.auth.hashers import is_password_usable
from django.contrib.humanize.templatetags.humanize import intcomma
from django.forms.boundfield import BoundField
from django.templatetags.static import static
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

register = template.Library()

#: The letters of `Draft.verdicts`, in the order in which a summary names them.
VERDICTS: Mapping[str, Any] = MappingProxyType(
    {
        "v": gettext_lazy("verified"),
        "j": gettext_lazy("judge-corroborated"),
        "c": gettext_lazy("contradicted"),
        "u": gettext_lazy("unsupported"),
        "n": gettext_lazy("undeclared"),
        "a": gettext_lazy("ambiguous"),
    }
)
_STEP = 10  # px from glyph to glyph


@register.simple_tag
def icon(name: str, css: str = "", label: str = "") -> SafeString:
    """One symbol of static/footnote/icons.svg. Without a label it is decoration."""
    address = f"{static('footnote/icons.svg')}#{name}"
    classes = f"i {css}".strip()
    if label:
        return format_html(
            '<svg class="{}" role="img" aria-label="{}" focusable="false"><use href="{}"/></svg>',
            classes,
            label,
            address,
        )
    return format_html('<svg class="{}" aria-hidden="true" focusable="false"><use href="{}"/></svg>', classes, address)


@register.simple_tag
def verdict_string(letters: str) -> SafeString:
    """One glyph a claim: dash, ringed dash, cross, hollow box, dot, two dashes."""
    if not letters:
        return format_html('<span class="xs mute">{}</span>', _("no claims"))
    width = len(letters) * _STEP + 1
    glyphs = format_html_join("", "{}", ((_glyph(letter, at * _STEP),) for at, letter in enumerate(letters)))
    return format_html(
        '<svg class="str" width="{0}" height="12" viewBox="0 0 {0} 12" role="img" aria-label="{1}">{2}</svg>',
        width,
        verdict_words(letters),
        glyphs,
    )


def _glyph(letter: str, x: int) -> SafeString:
    match letter:
        case "v":
            return format_html('<rect class="v1" x="{}" y="5" width="7" height="2"/>', x + 1)
        case "j":
            return format_html(
                '<circle class="v6" cx="{}" cy="6" r="3.25"/><rect class="v1" x="{}" y="5.25" width="3" height="1.5"/>',
                x + 4.5,
                x + 3,
            )
        case "c":
            return format_html('<path class="v2" d="M{} 2.5l7 7m0-7l-7 7"/>', x + 1)
        case "u":
            return format_html('<rect class="v3" x="{}" y="2.75" width="5.5" height="6.5"/>', x + 1.75)
        case "n":
            return format_html('<circle class="v4" cx="{}" cy="6" r="3.5"/>', x + 4.5)
        case _:
            return format_html(
                '<rect class="v5" x="{0}" y="3" width="7" height="2"/><rect class="v5" x="{0}" y="7" width="7" height="2"/>',
                x + 1,
            )


@register.filter
def verdict_words(letters: str) -> str:
    """ "7 verified, 1 contradicted"."""
    counts = [(letters.count(letter), word) for letter, word in VERDICTS.items()]
    return ", ".join(f"{count} {word}" for count, word in counts if count) or _("no claims")


@register.filter(is_safe=False)
def exact(value: dt.datetime | dt.date | None) -> SafeString | str:
    """A time in the viewer's zone, short; the exact instant on hover and for machines."""
    if value is None:
        return ""
    if not isinstance(value, dt.datetime):
        return format_html('<time datetime="{}">{}</time>', value.isoformat(), formats.date_format(value, "j M Y"))
    here = timezone.localtime(value)
    today = timezone.localtime()
    pattern = "H:i" if here.date() == today.date() else "j M, H:i" if here.year == today.year else "j M Y, H:i"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        value.isoformat(),
        formats.date_format(here, "l, j F Y, H:i:s T"),
        formats.date_format(here, pattern),
    )


@register.filter
def ago(value: dt.datetime | None) -> str:
    """How long since, in its largest unit: "10 hours"."""
    if value is None:
        return ""
    young = timezone.now() - value < dt.timedelta(minutes=1)
    return _("less than a minute") if young else timesince(value, depth=1)


@register.filter
def capped(value: int | None, cap: int = 1000) -> str:
    """Counted up to a cap and no further: "1,000+"."""
    count = value or 0
    return f"{intcomma(cap)}+" if count > cap else intcomma(count)


@register.filter
def initials(name: str) -> str:
    words = name.split()
    return (words[0][:1] + (words[-1][:1] if len(words) > 1 else "")).upper() if words else "?"


@register.filter
def usable(password: str) -> bool:
    """Whether a stored password lets its owner in; an invited person has none yet."""
    return is_password_usable(password)


#: Icons of the audit trail, by the noun of the action.
_ACTION_ICONS: Mapping[str, str] = MappingProxyType(
    {
        "draft": "pencil",
        "approval": "check",
        "member": "users",
        "account": "settings",
        "policy": "scale",
        "sender": "user-plus",
        "campaign": "flag",
        "delivery": "send",
        "reply": "inbox",
        "evidence": "file-text",
        "import": "upload",
        "suppression": "ban",
        "prospect": "briefcase",
        "strategy": "bolt",
        "enrolment": "list-check",
    }
)


@register.filter
def action_icon(action: str) -> str:
    return _ACTION_ICONS.get(action.partition(".")[0], "note")


_ACTION_WORDS = {
    "campaign.ready": gettext_lazy("Campaign marked as ready"),
    "campaign.start": gettext_lazy("Campaign started"),
    "campaign.pause": gettext_lazy("Campaign paused"),
    "campaign.finish": gettext_lazy("Campaign finished"),
    "campaign.offer": gettext_lazy("Offer changed"),
    "campaign.proof": gettext_lazy("Proof points changed"),
    "campaign.steps": gettext_lazy("Steps changed"),
    "campaign.sending": gettext_lazy("Policy and sender changed"),
    "campaign.strategies": gettext_lazy("Strategies changed"),
    "campaign.enrolled": gettext_lazy("People enrolled"),
    "drafts.requested": gettext_lazy("Drafts asked for"),
    "enrolment_run.started": gettext_lazy("Enrolling started"),
    "enrolment_run.resumed": gettext_lazy("Enrolling resumed"),
    "enrolment_run.cancelled": gettext_lazy("Enrolling cancelled"),
}
_LAYER_WORDS = {
    "contextual": gettext_lazy("who they are"),
    "situational": gettext_lazy("what happens now"),
    "motivational": gettext_lazy("why it matters to them"),
}


@register.filter
def layer_words(name: str) -> str:
    """What a layer of a message tells of, for people: "contextual" as "who they are"."""
    return str(_LAYER_WORDS.get(str(name), name))


@register.filter
def action_words(name: str) -> str:
    """ "draft.taken_over" as "Draft taken over"; what would read badly so has words of its own."""
    if name in _ACTION_WORDS:
        return str(_ACTION_WORDS[name])
    words = name.replace(".", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


@register.filter
def target_words(label: str) -> str:
    """ "messaging.draft" as "draft"."""
    return label.rpartition(".")[2]


@register.filter
def detail(value: Any) -> str:
    """A value of an event's details on one line."""
    if isinstance(value, dict):
        return "; ".join(f"{action_words(key)} {detail(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return " → ".join(detail(inner) for inner in value) if len(value) == 2 else ", ".join(map(detail, value))
    return (
        {True: _("yes"), False: _("no"), None: "–"}.get(value, str(value))
        if isinstance(value, bool | None)
        else str(value)
    )


@register.filter
def may(member: Any, capability: str) -> bool:
    """{% if member|may:"review" %}; False where nobody is signed in."""
    return bool(member) and member.may(capability)


@register.inclusion_tag("components/field.html")
def field(bound: BoundField, *, help: bool = True) -> dict[str, Any]:  # noqa: A002  # the word in templates
    """Label, control, help and errors of one form field, tied together for screen readers."""
    widget = bound.field.widget
    checks = isinstance(widget, forms.CheckboxInput)
    many = isinstance(widget, forms.RadioSelect | forms.CheckboxSelectMultiple)
    css = (
        "form-check-input" if checks or many else "form-select" if isinstance(widget, forms.Select) else "form-control"
    )
    described = [f"{bound.id_for_label}_help"] if help and bound.help_text else []
    described += [f"{bound.id_for_label}_error"] if bound.errors else []
    # The widget's own class stays: `wide`, `num` and the like.
    attributes: dict[str, str | bool] = {"class": f"{css} {widget.attrs.get('class', '')}".strip()}
    if str(widget.attrs.get("placeholder", "")).casefold().startswith(str(bound.label).casefold()):
        attributes["placeholder"] = False  # the label said again
    if described:
        attributes["aria-describedby"] = " ".join(described)
    if bound.errors:
        attributes["aria-invalid"] = "true"
        attributes["class"] = f"{attributes['class']} is-invalid"
    return {"bound": bound, "control": bound.as_widget(attrs=attributes), "checks": checks, "many": many, "help": help}


@register.inclusion_tag("components/fields.html")
def fields(form: forms.BaseForm) -> dict[str, Any]:
    """All visible fields of a form with its errors; the page writes form, token and button."""
    return {"form": form}


@register.inclusion_tag("components/page_links.html", takes_context=True)
def page_links(context: template.Context, page: Any, target: str = "", name: str = "after") -> dict[str, Any]:
    """Previous and next of a keyset page. target: selector of the fragment to swap; without it, plain links."""
    return {
        "page": page,
        "target": target,
        "previous": _link(context, name, page.previous),
        "next": _link(context, name, page.next),
    }


def _link(context: template.Context, name: str, cursor: str) -> str:
    if not cursor:
        return ""
    query = context["request"].GET.copy()
    query[name] = cursor
    return f"?{query.urlencode()}"
