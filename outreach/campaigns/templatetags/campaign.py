"""Parts of campaign pages: where one is in the wizard, what is missing and where it is mended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from outreach.campaigns.domain.checklist import (
    ACCOUNTS,
    AUDIENCE,
    CHECK,
    OFFER,
    PAGES,
    PRIVACY,
    PROOF,
    SENDING,
    STEPS,
    STRATEGIES,
    Point,
)
from outreach.campaigns.domain.offer import ProofPoint
from outreach.campaigns.domain.sequence import Step
from outreach.campaigns.models import Campaign, Channel, Condition
from outreach.campaigns.queries import checklist_of

register = template.Library()
_ELSEWHERE = {
    AUDIENCE: "enrolment:audience", PRIVACY: "home:settings:privacy", ACCOUNTS: "home:settings:accounts",
    STRATEGIES: "writing:strategies",
}  # fmt: skip


def _address(campaign: Campaign, page: str) -> str:
    if page in PAGES and page != AUDIENCE:
        return reverse("campaigns:setup", kwargs={"team": campaign.team.slug, "slug": campaign.slug, "page": page})
    of_campaign = {"slug": campaign.slug} if page in (AUDIENCE, STRATEGIES) else {}
    return reverse(_ELSEWHERE[page], kwargs={"team": campaign.team.slug, **of_campaign})


def _page_names() -> dict[str, str]:
    return {
        OFFER: _("Offer"), PROOF: _("Proof points"), AUDIENCE: _("Audience"), STEPS: _("Steps"),
        SENDING: _("Policy and sender"), CHECK: _("Check and start"),
    }  # fmt: skip


def _label(point: Point) -> str:
    if point.key.startswith("account-"):
        return _("Account of step %(step)s") % {"step": point.key.removeprefix("account-")}
    return {
        "purpose": _("Purpose"), "offer": _("Offer"), "question": _("Call to action"), "languages": _("Languages"),
        "proof": _("Proof points"), "audience": _("Audience"), "strategies": _("Strategies"), "sender": _("Sender"),
        "address": _("Postal address"), "dates": _("Dates"),
    }[point.key]  # fmt: skip


@register.inclusion_tag("campaigns/pages.html")
def wizard_pages(campaign: Campaign | None, here: str, points: Sequence[Point] | None = None) -> dict[str, Any]:
    """The pages of the wizard as links, done or not. Works on every page that is one of them."""
    if campaign is None:
        return {"pages": [{"name": name, "href": "", "here": page == OFFER} for page, name in _page_names().items()]}
    if points is None:
        points = checklist_of(campaign=campaign, today=timezone.localdate())
    lacking = {point.page for point in points if not point.done}
    pages = [
        {
            "name": name, "href": _address(campaign, page), "here": page == here,
            "done": not lacking if page == CHECK else page not in lacking,
        }
        for page, name in _page_names().items()
    ]  # fmt: skip
    return {"pages": pages}


@register.inclusion_tag("campaigns/checklist.html")
def checklist_lines(campaign: Campaign, points: Sequence[Point], *, may_mend: bool = True) -> dict[str, Any]:
    """What is there and what is missing, each with the place where it is mended."""
    lines = [{"point": one, "label": _label(one), "href": _address(campaign, one.page)} for one in points]
    return {"lines": lines, "may_mend": may_mend}


@register.filter
def step_name(step: Step) -> str:
    """The step's channel in words."""
    return str(Channel(step.channel).label)


@register.filter
def step_when(step: Step) -> str:
    """When it is sent, and on which condition."""
    if step.position == 1:
        return _("at once")
    after = ngettext("%(n)s day later", "%(n)s days later", step.wait_days) % {"n": step.wait_days}
    return f"{after}, {Condition(step.condition).label}"


@register.filter
def still_true(point: ProofPoint) -> bool:
    """Whether a proof point has not expired."""
    return point.lasts_through(day=timezone.localdate())
