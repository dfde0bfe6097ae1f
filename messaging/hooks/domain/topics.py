"""What a company's news is about: each subject is worth something else as an opening, and goes stale at its own pace.

Subjects are found by stems of words in seven languages. The order decides where several match: a round that pays
for new people is a funding round.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

from messaging.hooks.domain.relevance import folded


class Topic(StrEnum):
    """The subject of a news item; NEWS is any other."""

    FUNDING = "a funding round"
    LEADERSHIP = "a change of leadership"
    ACQUISITION = "a takeover"
    HIRING = "hiring"
    LAUNCH = "a launch or an opening"
    AWARD = "an award"
    NEWS = "news of the company"


@dataclass(frozen=True, slots=True)
class TopicPrior:
    """half_life_days: after which its recency has halved; current_days: within so many it is happening now."""

    half_life_days: int
    current_days: int


TOPIC_PRIORS: Mapping[Topic, TopicPrior] = MappingProxyType(
    {
        Topic.FUNDING: TopicPrior(75, 180),
        Topic.LEADERSHIP: TopicPrior(90, 180),
        Topic.ACQUISITION: TopicPrior(90, 240),
        Topic.HIRING: TopicPrior(45, 120),
        Topic.LAUNCH: TopicPrior(60, 150),
        Topic.AWARD: TopicPrior(60, 120),
        Topic.NEWS: TopicPrior(60, 180),
    }
)

#: Beginnings of folded words; a phrase of several words is looked for as it stands.
_STEMS: Mapping[Topic, str] = MappingProxyType(
    {
        Topic.FUNDING: (
            "funding round|series a|series b|series c|series d|seed round|serie a|serie b|serie c|raises |raised |"
            "finanzierungsrunde|kapitalrunde|levee de fonds|leve |tour de table|ronda de|levanta |rodada|aporte|"
            "captou|round di|raccoglie |financieringsronde|investeringsronde|haalt "
        ),
        Topic.LEADERSHIP: (
            "appoint|new chief|new ceo|new cfo|new cto|new managing|steps down|neuer geschaftsfuhrer|neue geschaft|"
            "neuer vorstand|ernannt|ubernimmt die leitung|nomme |nommee|nomination|nouvelle direct|nouveau direct|"
            "nombra|nombrad|nuevo direct|nueva direct|nomeia|nomead|novo diret|nova diret|assume a diret|nomina|"
            "nuovo direttore|nuova direttrice|al vertice|benoem|nieuwe directeur|nieuwe topman|nieuwe ceo"
        ),
        Topic.ACQUISITION: (
            "acqui|takeover|merge|bought by|ubernahme|ubernommen|kauft |fusion|rachat|rachete|adqui|compra |compra a|"
            "adquir|fusao|acquis|compra un|compra la|overname|overgenomen|fuseert|fusie"
        ),
        Topic.HIRING: (
            "hiring|hires|new jobs|will need|recruit|stellt ein|neue stellen|einstell|embauch|recrut|contrata|"
            "nuevos puestos|contratac|vagas|assum|assunzion|posti di lavoro|vacature|zoekt |nieuwe banen"
        ),
        Topic.LAUNCH: (
            "launch|opens|unveil|releases|new plant|new site|start von|startet|eroffnet|bringt|lance |lancement|"
            "ouvre|inaugur|lanza|lanzamiento|abre |estrena|lanca|lancamento|lancia|lancio|apre |presenta |lanceert|"
            "opent|introduceert"
        ),
        Topic.AWARD: (
            "award|prize|recogni|honour|auszeichnung|preis |ausgezeichnet|prix|recompens|premio|premia|galardon|"
            "reconoc|reconhec|riconosc|prijs|onderscheid"
        ),
    }
)
_PATTERNS = {
    topic: re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, stems.split("|"))) + ")")
    for topic, stems in _STEMS.items()
}


@lru_cache(maxsize=4_000)
def topic_of(*, title: str, text: str) -> Topic:
    """What the news is about: by its title where that says it, else by its text."""
    for words in (title, text):
        plain = f"{folded(words)} "
        for topic, pattern in _PATTERNS.items():
            if pattern.search(plain):
                return topic
    return Topic.NEWS
