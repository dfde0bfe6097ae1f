"""What a campaign lacks before it may start, each thing with the place where it is mended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from outreach.campaigns.domain.offer import CampaignOffer
from outreach.campaigns.domain.sequence import Step

#: Where a point is mended: a page of the wizard, the team's privacy settings, the campaign's strategies.
OFFER, PROOF, AUDIENCE, STEPS, SENDING, CHECK = PAGES = ("offer", "proof", "audience", "steps", "sending", "check")
PRIVACY, ACCOUNTS, STRATEGIES = "privacy", "accounts", "strategies"


@dataclass(frozen=True, slots=True)
class Beyond:
    """What the rooms above know of a campaign.

    people: who are enrolled; audience: whether one was chosen; strategies: those with a weight above nought that may write
    on every channel; unwritten: languages of the campaign in which no message can be checked.
    """

    people: int = 0
    audience: bool = False
    strategies: int = 0
    unwritten: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything the list is made of. accounts: kind to whether that account is switched on; a missing kind has none."""

    offer: CampaignOffer
    no_proof_needed: bool
    steps: Sequence[Step]
    accounts: dict[str, bool]
    postal_address: str
    ends_on: date | None
    today: date
    beyond: Beyond


@dataclass(frozen=True, slots=True)
class Point:
    """One line. says: what stands there, or what is missing; page: where it is mended."""

    key: str
    done: bool
    says: str
    page: str


def checklist(*, facts: Facts) -> tuple[Point, ...]:
    """Every point in the order of the wizard, done or not."""
    offer = facts.offer
    return (
        _given("purpose", offer.purpose, "Say in a few words what people are written to for.", OFFER),
        _given("offer", offer.offer, "Say in one sentence what you offer.", OFFER),
        _given("question", offer.call_to_action, "Write the one question a message ends with.", OFFER),
        _languages(facts),
        _proof(facts),
        _audience(facts.beyond),
        *(_account(step=step, accounts=facts.accounts) for step in facts.steps),
        _strategies(facts.beyond),
        _given("sender", offer.sender.full_name, "Choose the person the messages come from.", SENDING),
        *_address(facts),
        *_dates(facts),
    )


def missing(points: Sequence[Point]) -> tuple[Point, ...]:
    """What is not done yet."""
    return tuple(point for point in points if not point.done)


def _done(key: str, says: str, page: str) -> Point:
    return Point(key, done=True, says=says, page=page)


def _lacks(key: str, says: str, page: str) -> Point:
    return Point(key, done=False, says=says, page=page)


def _given(key: str, value: str, otherwise: str, page: str) -> Point:
    return Point(key, bool(value.strip()), value.strip() or otherwise, page)


def _languages(facts: Facts) -> Point:
    if facts.beyond.unwritten:
        codes = ", ".join(facts.beyond.unwritten)
        return _lacks("languages", f"Messages in {codes} cannot be checked yet; leave that out.", OFFER)
    return _done("languages", ", ".join(facts.offer.languages) or "Every language that can be checked.", OFFER)


def _proof(facts: Facts) -> Point:
    points = facts.offer.proof_points
    usable = sum(point.usable_through(day=facts.today) for point in points)
    if usable:
        return _done("proof", f"{usable} of {len(points)} may be said.", PROOF)
    if facts.no_proof_needed and not points:
        return _done("proof", "None is needed: the offer is all that is said about us.", PROOF)
    if any(not point.approved for point in points):
        return _lacks("proof", "No proof point is approved yet; read them and save the page: whoever saves answers for them.", PROOF)
    if points:
        return _lacks("proof", "Every proof point has expired; extend one, or write a new one.", PROOF)
    return _lacks("proof", "Give a proof point, or say that none is needed.", PROOF)


def _audience(beyond: Beyond) -> Point:
    if beyond.people:
        return _done("audience", f"{beyond.people:,} enrolled.", AUDIENCE)
    if beyond.audience:
        return _lacks("audience", "An audience is chosen; enrol its people.", AUDIENCE)
    return _lacks("audience", "Choose whom the campaign is for, and enrol them.", AUDIENCE)


def _account(*, step: Step, accounts: dict[str, bool]) -> Point:
    email = step.channel == "email"
    active, key = accounts.get("smtp" if email else "linkedin"), f"account-{step.position}"
    if active is None:
        wanted = "a mailbox" if email else "a LinkedIn account"
        return _lacks(key, f"Step {step.position} has no account: choose {wanted}.", SENDING)
    if not active:
        return _lacks(
            key, f"The account of step {step.position} is switched off; switch it on, or choose another.", ACCOUNTS
        )
    return _done(key, f"Step {step.position} has an account.", SENDING)


def _strategies(beyond: Beyond) -> Point:
    if beyond.strategies:
        return _done("strategies", f"{beyond.strategies} with a share.", STRATEGIES)
    return _lacks("strategies", "No strategy has a share; give one a weight above nought.", STRATEGIES)


def _address(facts: Facts) -> tuple[Point, ...]:
    if all(step.channel != "email" for step in facts.steps):
        return ()
    return (_given("address", facts.postal_address, "E-mail needs your postal address in its footer.", PRIVACY),)


def _dates(facts: Facts) -> tuple[Point, ...]:
    if facts.ends_on is None or facts.ends_on >= facts.today:
        return ()
    return (_lacks("dates", f"Its last day, {facts.ends_on:%d %b %Y}, is past.", SENDING),)
