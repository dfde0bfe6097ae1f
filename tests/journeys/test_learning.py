"""A manager and the loop, in a browser: leaning, confirmed, approved, followed, taken back; and a strategy that stops."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from scipy.stats import chisquare

from analytics import services, tasks
from analytics.models import DayCell, FrozenArm
from messaging.models import Draft, StrategyWeight
from messaging.writing.strategies import assign
from outreach.teams.models import Team
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.people import a_member, a_team
from tests.services.analytics.scenes import a_market

pytestmark = pytest.mark.django_db(transaction=True)
Opener = Callable[..., Page]
KEYS = ("three-layers", "context-only")
PAGES = ("insights", "strategies", "effects", "plan", "truth")


def address(team: Team, name: str = "strategies") -> str:
    return reverse(f"analytics:{name}", kwargs={"team": team.slug})


def a_start(
    *, rates: tuple[float, float], weekly: int, weeks: int, optouts: tuple[float, float] = (0.005, 0.005)
) -> Team:
    """Two strategies, the second one in force with most of the messages."""
    team = a_team()
    better, other = a_market(
        team=team, rates=dict(zip(KEYS, rates, strict=True)), weekly=weekly, weeks=weeks,
        optouts=dict(zip(KEYS, optouts, strict=True)), today=timezone.now().date(),
    )  # fmt: skip
    weights = {str(better.pk): 0.3, str(other.pk): 0.7}
    services._apply(team=team, weights=weights, why="Start", incumbent=str(other.pk))
    return team


def compute(page: Page) -> None:
    """Ask as a manager does, and let the worker have its turn."""
    page.get_by_role("button", name="Compute now").click()
    expect(page.locator("#waiting")).to_contain_text("Being computed")
    tasks.compute()
    expect(page.locator("#waiting")).to_have_count(0)


def row(page: Page, name: str) -> object:
    return (
        page.locator("section", has=page.get_by_role("heading", name="What is known"))
        .get_by_role("row")
        .filter(has_text=name)
    )


def test_leaning_confirmed_approved_followed_and_taken_back(open_page: Opener) -> None:
    team = a_start(rates=(0.075, 0.05), weekly=400, weeks=4)
    names = {one.strategy.key: f"{one.strategy.name} v1" for one in StrategyWeight.objects.select_related("strategy")}
    page = open_page(user=a_member(team=team, role="manager").user)
    page.goto(address(team))
    compute(page)
    expect(row(page, names[KEYS[0]])).to_contain_text("leaning")
    before = services.present_shares(team=team)

    for cell in DayCell.objects.filter(team=team):  # months pass, and go on as they began
        for month in range(1, 9):
            cell.pk = None
            cell.sent_on -= timedelta(days=28)
            cell.alike = f"{cell.alike[:8]}-{month}"
            cell.save(force_insert=True)
    compute(page)
    expect(row(page, names[KEYS[0]])).to_contain_text("confirmed")
    expect(
        page.get_by_text(re.compile(r"Of [\d,]+ replies where it was an even draw, [\d,]+ came from"))
    ).to_be_visible()
    expect(page.get_by_text(f"{names[KEYS[0]]} becomes the incumbent.")).to_be_visible()
    assert services.present_shares(team=team) == before

    page.get_by_role("button", name="Approve").click()
    expect(page.locator("#live")).to_contain_text("In force")
    expect(row(page, names[KEYS[0]])).to_contain_text("%")
    shares = services.present_shares(team=team)
    assert shares != before
    campaign = StrategyWeight.objects.filter(campaign__team=team).latest("pk").campaign
    rng = random.Random(4)
    drawn = [_drawn(campaign, rng) for _ in range(2000)]
    kept = [key for key, share in shares.items() if share > 0]
    counts = [drawn.count(key) for key in kept]
    assert sum(counts) == 2000
    assert chisquare(counts, [2000 * shares[key] for key in kept]).pvalue > 0.001

    page.get_by_role("button", name="Go back to it: number 2", exact=True).click()
    expect(page.locator("#live")).to_contain_text("in force again")
    assert services.present_shares(team=team)[_key(names, team)] == pytest.approx(0.3)


def _key(names: dict[str, str], team: Team) -> str:
    return str(StrategyWeight.objects.get(campaign__team=team, strategy__key=KEYS[0]).strategy_id)


class _Colleagueless:
    """A person without a company: every draw is its own."""

    company_id = None


def _drawn(campaign, rng: random.Random) -> str:
    draft = Draft(campaign=campaign, team=campaign.team, channel="email", language="en")
    draft._state.fields_cache["prospect"] = _Colleagueless()
    assign(draft=draft, rng=rng)
    return str(draft.strategy_id)


def test_a_strategy_that_people_leave_over_stops_and_the_manager_is_told(open_page: Opener) -> None:
    team = a_start(rates=(0.05, 0.05), weekly=600, weeks=6, optouts=(0.03, 0.003))
    page = open_page(user=a_member(team=team, role="manager").user)
    page.goto(address(team))
    compute(page)
    told = page.get_by_role("alert").filter(has_text="is stopped: it gets no new messages")
    expect(told).to_contain_text("asked to be left alone")
    stopped = FrozenArm.objects.get()
    assert services.present_shares(team=team)[str(stopped.strategy_id)] == 0
    told.get_by_role("button", name="Take the stop back").click()
    expect(page.locator("#live")).to_contain_text("taken back")
    expect(told).to_have_count(0)


def test_a_proposal_is_declined_with_a_reason_by_keyboard(open_page: Opener) -> None:
    team = a_start(rates=(0.10, 0.05), weekly=600, weeks=30)
    services.retune(team=team, now=timezone.now())
    page = open_page(user=a_member(team=team, role="manager").user)
    page.goto(address(team))
    page.locator("summary", has_text="Decline").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Why", exact=True).fill("The offer changes next week.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("“The offer changes next week.”")).to_be_visible()
    expect(page.get_by_role("heading", name="A proposal waits")).to_have_count(0)


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_the_pages_are_accessible_and_fit(open_page: Opener, width: int, dark: bool) -> None:
    team = a_start(rates=(0.10, 0.05), weekly=600, weeks=30)
    services.retune(team=team, now=timezone.now())
    FrozenArm.objects.create(
        team=team, strategy_id=int(_key({}, team)), reason="9 of 90 people asked to be left alone."
    )
    page = open_page(user=a_member(team=team, role="manager").user, width=width, dark=dark)
    problems: dict[str, object] = {}
    wanted = [address(team, name) for name in PAGES]
    for url in [*wanted, address(team, "plan") + "?weekly=2000&base=5&lift=60&strategies=2"]:
        page.goto(url)
        found = serious_problems(page)
        if found or scrolls_sideways(page):
            problems[url] = (found, scrolls_sideways(page))
    assert problems == {}
