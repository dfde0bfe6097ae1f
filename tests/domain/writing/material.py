"""What the tests of the writing stage share: gold dossiers, an offer, and one call of the composer."""

from __future__ import annotations

import json
from datetime import date
from functools import lru_cache
from pathlib import Path

from messaging.hooks.domain.ranking import rank
from messaging.writing.domain.composer import compose
from messaging.writing.domain.strategy import CHANNELS, DEFAULT_BANDS
from messaging.writing.domain.style import decide_style
from outreach.campaigns.domain.offer import CampaignOffer, Sender
from prospects.domain.dates import partial_date
from prospects.domain.dossier_json import read_dossier
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind, fields_of

GOLD = Path(__file__).parents[2] / "data" / "gold" / "dossiers.jsonl"
TODAY = date(2026, 11, 20)
__all__ = ["CHANNELS", "TODAY"]


@lru_cache
def gold_dossiers():
    """All gold dossiers by id, with the language of their profile."""
    entries = map(json.loads, GOLD.read_text(encoding="utf-8").splitlines())
    return {entry["dossier_id"]: (read_dossier(entry), entry["prospect"]["profile_language"]) for entry in entries}


def dossiers_in(language):
    return {key: dossier for key, (dossier, spoken) in gold_dossiers().items() if spoken == language}


def an_offer(**changes):
    values = {
        "slug": "s",
        "name": "",
        "purpose": "",
        "offer": "",
        "value_proposition": "",
        "call_to_action": "",
        "must_not_say": (),
        "channel": "email",
        "languages": (),
        "sender": Sender("", "", ""),
        "proof_points": (),
    }
    return CampaignOffer(**{**values, **changes})


def evidence(ref, what, text, /, *, on="", actor=Actor.PROSPECT, language="en", **fields):
    return Evidence(
        ref=ref,
        kind=what,
        actor=actor,
        text=text,
        fields=fields_of(fields.items()),
        occurred=partial_date(on) if on else None,
        observed_at=TODAY,
        language=language,
    )


SENDER = evidence(
    "sender",
    Kind.SENDER,
    "Ida Berg, Engineer, Kilnwatch",
    actor=Actor.SENDER,
    full_name="Ida Berg",
    title="Engineer",
    company="Kilnwatch",
)
OFFER = evidence("offer", Kind.OFFER, "A sensor for kilns that reports heat every minute.", actor=Actor.SENDER)
PROOF = evidence("facts[0]", Kind.PROOF_POINT, "Forty kilns in Denmark use Kilnwatch.", actor=Actor.SENDER)
NAME = evidence("full_name", Kind.NAME, "Ana Roe", full_name="Ana Roe", first_name="Ana", last_name="Roe")
COMPANY = evidence(
    "company.name", Kind.COMPANY_FACT, "Claywork", actor=Actor.COMPANY, attribute="name", value="Claywork"
)
POST = evidence(
    "post1",
    Kind.POST,
    "We lost 40 bricks in the kiln last spring. I would like to know the heat at every shelf.",
    on="2026-11-02",
)
POSITION = evidence(
    "positions[0]",
    Kind.POSITION,
    "Plant Manager, Claywork",
    on="2023-05",
    title="Plant Manager",
    company="Claywork",
    start="2023-05",
)


def a_dossier(*items):
    return Dossier(dossier_id="d", send_by=TODAY, items=(SENDER, OFFER, PROOF, *items))


def composed(dossier, channel, seed=0, *, language="en", offer=None, **options):
    """One message; options as of compose()."""
    tone = options.pop("tone", "plain")
    style = decide_style(dossier=dossier, language=language, tone=tone, formality=options.pop("formality", ""))
    return compose(
        dossier=dossier,
        hooks=rank(dossier=dossier, value_proposition=""),
        offer=offer or an_offer(),
        style=style,
        channel=channel,
        length=options.pop("length", DEFAULT_BANDS[channel]),
        seed=seed,
        **options,
    )
