"""What can be tuned about a message, the shipped defaults, and the draw by weights that is logged.

The figures are the method's own starting points: 60 to 80 words for a first message after a connection,
100 to 150 for an InMail, one or two specific references, milestones before company news (+23%).
Connection notes are measured in characters, because the channel's hard limit wins over any band.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from random import Random
from types import MappingProxyType
from typing import Any

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import Hook
from prospects.domain.evidence import Dossier, Kind

CHANNELS = ("linkedin_connection", "linkedin_message", "inmail", "email")
FEW_SHOT_SETS = ("team", "starter", "")
TONES = ("plain", "warm", "crisp")
HOOK_GROUPS = ("milestone", "own_words", "company_news", "in_common", "profile")
WORDS, CHARACTERS = "words", "characters"

_GROUP: Mapping[Kind, str] = {
    Kind.TALK: "milestone",
    Kind.AWARD: "milestone",
    Kind.POSITION: "milestone",
    Kind.PUBLICATION: "milestone",
    Kind.POST: "own_words",
    Kind.COMMENT: "own_words",
    Kind.ABOUT: "own_words",
    Kind.COMPANY_NEWS: "company_news",
    Kind.JOB: "company_news",
    Kind.IN_COMMON: "in_common",
}


@dataclass(frozen=True, slots=True)
class LengthBand:
    """How long a body should be: from least to most, both inclusive, in words or characters."""

    least: int
    most: int
    unit: str = WORDS

    def __post_init__(self) -> None:
        if self.unit not in (WORDS, CHARACTERS) or not 0 <= self.least <= self.most:
            raise ValueError(f"not a length band: {self.least} to {self.most} {self.unit}")

    def measure(self, text: str) -> int:
        """The text's length in the band's unit."""
        return len(text.split()) if self.unit == WORDS else len(text)

    def distance(self, text: str) -> int:
        """How far outside the band the text is; 0 inside."""
        size = self.measure(text)
        return max(self.least - size, size - self.most, 0)


@dataclass(frozen=True, slots=True)
class ChannelLimits:
    """Hard limits in characters; 0 is no limit. A subject of 0 means the channel has none."""

    subject: int
    body: int


#: Settings of the platforms as reported; the note limit of an account (200 or 300) replaces the first.
DEFAULT_LIMITS: Mapping[str, ChannelLimits] = MappingProxyType(
    {
        "linkedin_connection": ChannelLimits(subject=0, body=200),
        "linkedin_message": ChannelLimits(subject=0, body=8_000),
        "inmail": ChannelLimits(subject=200, body=1_900),
        "email": ChannelLimits(subject=200, body=20_000),
    }
)

DEFAULT_BANDS: Mapping[str, LengthBand] = MappingProxyType(
    {
        "linkedin_connection": LengthBand(60, 200, CHARACTERS),
        "linkedin_message": LengthBand(60, 80),
        "inmail": LengthBand(100, 150),
        "email": LengthBand(80, 140),
    }
)


def limits_of(*, channel: str, note_limit: int | None = None) -> ChannelLimits:
    """The channel's hard limits; note_limit is the account's own for connection notes, in characters."""
    limits = DEFAULT_LIMITS[channel]
    if channel == "linkedin_connection" and note_limit:
        return replace(limits, body=note_limit)
    return limits


def _bands() -> Mapping[str, LengthBand]:
    return DEFAULT_BANDS


def _preference() -> Mapping[str, float]:
    return MappingProxyType({"milestone": 1.0, "own_words": 1.0, "company_news": 1.0, "in_common": 1.0, "profile": 1.0})


@dataclass(frozen=True, slots=True)
class StrategyParameters:
    """One strategy.

    bands            length band per channel
    hook_preference  multiplies a hook's score by its group (HOOK_GROUPS)
    tone             plain, warm or crisp
    depth            number of specific references; 1 or 2 outperform 3 and more
    layers           layers that may be used, where evidence allows
    threshold        least confidence (0 to 1) at which the motivational layer is written
    temperature      of the language model
    model            name of the language model; "" is the deployment's own
    few_shot         "team": the team's approved examples, the shipped ones where there are none; "starter": the
                     shipped ones alone; "" is none
    prompt           number of the prompt version; 0 is the published one
    """

    bands: Mapping[str, LengthBand] = field(default_factory=_bands)
    hook_preference: Mapping[str, float] = field(default_factory=_preference)
    tone: str = "plain"
    depth: int = 2
    layers: tuple[Layer, ...] = tuple(Layer)
    threshold: float = 0.5
    temperature: float = 0.7
    model: str = ""
    few_shot: str = "team"
    prompt: int = 0

    def band(self, channel: str) -> LengthBand:
        """The band of a channel, the default's where the strategy says nothing."""
        return self.bands.get(channel, DEFAULT_BANDS[channel])


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why stored parameters are no strategy, naming the field and what to do."""

    reason: str


def as_json(parameters: StrategyParameters) -> dict[str, Any]:
    """The stored form, plain JSON."""
    values = {one.name: getattr(parameters, one.name) for one in fields(parameters)}
    values["bands"] = {channel: asdict(band) for channel, band in parameters.bands.items()}
    values["hook_preference"] = dict(parameters.hook_preference)
    values["layers"] = [str(layer) for layer in parameters.layers]
    return values


def _read_bands(value: object) -> Mapping[str, LengthBand]:
    if not isinstance(value, Mapping):
        raise ValueError("bands must be an object of channels")  # noqa: TRY004 - one family for the caller
    unknown = set(value) - set(CHANNELS)
    if unknown:
        raise ValueError(f"bands: no such channel: {', '.join(sorted(map(str, unknown)))}")
    return MappingProxyType({**DEFAULT_BANDS, **{channel: LengthBand(**band) for channel, band in value.items()}})


def _read_preference(value: object) -> Mapping[str, float]:
    if not isinstance(value, Mapping) or set(value) - set(HOOK_GROUPS):
        raise ValueError(f"hook_preference: use {', '.join(HOOK_GROUPS)}")
    numbers = {group: float(weight) for group, weight in value.items()}
    if any(weight < 0 for weight in numbers.values()):
        raise ValueError("hook_preference: no weight may be below 0")
    return MappingProxyType({**_preference(), **numbers})


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "bands": _read_bands,
    "hook_preference": _read_preference,
    "layers": lambda value: tuple(Layer(layer) for layer in value),
}


def _problem(parameters: StrategyParameters) -> str:
    checks = (
        (parameters.tone in TONES, f"tone: use {', '.join(TONES)}"),
        (isinstance(parameters.depth, int) and 0 <= parameters.depth <= 5, "depth: a whole number from 0 to 5"),
        (parameters.few_shot in FEW_SHOT_SETS, "few_shot: team, starter, or nothing"),
        (isinstance(parameters.prompt, int) and parameters.prompt >= 0, "prompt: a whole number, 0 for the published one"),
        (bool(parameters.layers), "layers: at least one"),
        (0 <= parameters.threshold <= 1, "threshold: from 0 to 1"),
        (0 <= parameters.temperature <= 2, "temperature: from 0 to 2"),
    )
    return next((reason for holds, reason in checks if not holds), "")


def read_parameters(stored: Mapping[str, Any]) -> StrategyParameters | Unreadable:
    """Read the stored form; missing fields take the shipped default, unknown ones are refused."""
    known = {one.name for one in fields(StrategyParameters)}
    unknown = set(stored) - known
    if unknown:
        return Unreadable(f"Unknown: {', '.join(sorted(unknown))}. Known: {', '.join(sorted(known))}.")
    try:
        values: dict[str, Any] = {
            name: _READERS[name](value) if name in _READERS else value for name, value in stored.items()
        }
        parameters = StrategyParameters(**values)
        problem = _problem(parameters)
    except (TypeError, ValueError) as error:
        return Unreadable(str(error))
    return Unreadable(problem) if problem else parameters


@dataclass(frozen=True, slots=True)
class ShippedStrategy:
    """A strategy that every team starts with."""

    key: str
    name: str
    parameters: StrategyParameters


SHIPPED: tuple[ShippedStrategy, ...] = (
    ShippedStrategy("balanced", "Balanced: best hook, two references", StrategyParameters()),
    ShippedStrategy(
        "milestone-short",
        "Milestone first, short",
        StrategyParameters(
            bands=MappingProxyType({**DEFAULT_BANDS, "inmail": LengthBand(100, 120), "email": LengthBand(70, 110)}),
            hook_preference=_read_preference({"milestone": 1.23, "own_words": 1.0, "company_news": 0.8}),
            tone="crisp",
            depth=1,
        ),
    ),
    ShippedStrategy(
        "own-words",
        "Their own words, one reference",
        StrategyParameters(hook_preference=_read_preference({"own_words": 1.3}), tone="warm", depth=1),
    ),
    ShippedStrategy(
        "three-layers",
        "All three layers where evidence allows",
        StrategyParameters(depth=2, threshold=0.4),
    ),
    ShippedStrategy(
        "context-only",
        "Role and company only (comparison)",
        StrategyParameters(layers=(Layer.CONTEXTUAL,), depth=1, tone="plain"),
    ),
)


def group_of(kind: Kind) -> str:
    """The hook group that a kind of evidence belongs to."""
    return _GROUP.get(kind, "profile")


def prefer(*, hooks: tuple[Hook, ...], dossier: Dossier, parameters: StrategyParameters) -> tuple[Hook, ...]:
    """The hooks in the strategy's order: scores times the preference of their group, layers it leaves out removed."""
    kinds = {item.ref: item.kind for item in dossier.items}

    def preferred(hook: Hook) -> float:
        return hook.score * parameters.hook_preference.get(group_of(kinds[hook.ref]), 1.0)

    kept = [hook for hook in hooks if hook.layer in parameters.layers and hook.ref in kinds]
    return tuple(sorted(kept, key=lambda hook: -preferred(hook)))


@dataclass(frozen=True, slots=True)
class Drawn:
    """The strategy drawn, and the probability that each had: logged with the draft, or nothing can be learned."""

    key: str
    propensities: Mapping[str, float]


def draw_strategy(*, weights: Mapping[str, float], rng: Random) -> Drawn:
    """Draw one key in proportion to its weight. Raises ValueError when no weight is above zero.

    The order of `weights` does not matter: the same rng state and the same weights draw the same key.
    """
    positive = {key: weight for key, weight in sorted(weights.items()) if weight > 0}
    total = sum(positive.values())
    if not positive or total == float("inf"):
        raise ValueError("no strategy has a weight that can be drawn; give at least one a finite weight above 0")
    propensities = {key: positive.get(key, 0.0) / total for key in sorted(weights)}
    point, reached = rng.random(), 0.0
    for key in positive:
        reached += propensities[key]
        if point < reached:
            return Drawn(key=key, propensities=MappingProxyType(propensities))
    return Drawn(key=next(reversed(positive)), propensities=MappingProxyType(propensities))
