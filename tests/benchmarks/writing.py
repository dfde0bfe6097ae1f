"""Drafts of a worker against a server that takes a second for each answer, 64 requests at once.

The server is a process of its own on real HTTP. Each draft asks twice, to choose the hooks and to write, so that the
latency allows 64 / 2 drafts a second: the baseline of the throughput. Seconds of the processor are this process's own
(what the database takes is another's) and are measured against the 25 ms that a draft may cost.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any

from django.utils import timezone

from messaging.models import AuthorKind, Draft, DraftState, ModelCall
from messaging.writing.adapters.openai_model import OpenAIModel
from messaging.writing.crew import Crew, write_many
from prospects.domain.evidence import Kind
from tests.factories import a_campaign, a_policy, a_prospect, an_unwritten_draft, evidence
from tests.people import a_team

SIZE = 512
AT_ONCE, LATENCY, ASKED = 64, 1.0, 2
CPU = 25.0
#: Posts of one person beside the one that is quoted.
POSTS = 12
_WORDS = ["kiln", "harbour", "ledger", "orchard", "signal", "turbine", "archive", "lantern", "valley", "copper", "meadow", "engine", "ferry", "granite", "column", "bridge", "saddle", "quarry", "market", "compass", "pillar", "anchor", "basket", "candle", "desert", "falcon", "garden", "hammer", "island", "jacket"]


def run(size: int = SIZE) -> Iterator[dict[str, Any]]:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.slow_model", str(LATENCY)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        yield from _measured(size, server.stdout.readline().strip())
    finally:
        server.kill()
        server.wait()


def _measured(size: int, url: str) -> Iterator[dict[str, Any]]:
    drafts = _waiting(size + AT_ONCE)
    model = OpenAIModel(base_url=url, api_key="none", model="slow", timeout=60)
    crew = Crew(size=AT_ONCE)
    _write(crew, model, drafts[:AT_ONCE])  # lexicons, prompts and connections are there afterwards
    begun, cpu = time.perf_counter(), _cpu()
    _write(crew, model, drafts[AT_ONCE:])
    took, spent = time.perf_counter() - begun, _cpu() - cpu
    crew.close()
    model.close()
    written = Draft.objects.filter(pk__in=drafts[AT_ONCE:], state=DraftState.READY)
    first = written.filter(current__author_kind=AuthorKind.MODEL, current__number=1).count()
    calls = ModelCall.objects.filter(draft__in=drafts[AT_ONCE:]).count()
    shown = f"{size} drafts, {AT_ONCE} at once, {LATENCY:g} s an answer, {ASKED} answers a draft"
    bound = AT_ONCE / (ASKED * LATENCY)
    yield _line("writing, drafts a second against what the latency allows", size / took, bound, "drafts/s", shown)
    yield _line("writing, own processor time of a draft against what it may take", spent / size * 1000, CPU, "ms", shown)
    yield _line("writing, drafts ready from the model's first text", first, size, "drafts", shown)
    yield _line("writing, requests against those needed", calls, ASKED * size, "requests", shown)


def _waiting(count: int) -> list[int]:
    team = a_team(slug="bench-writing")
    a_policy(team=team)
    campaign = a_campaign(team=team)
    draw = Random(7)
    drafts = []
    for number in range(count):
        prospect = a_prospect(team=team, full_name=f"Diego {draw.choice(_WORDS).title()}{number}", company=None)
        for _ in range(POSTS):
            evidence(prospect=prospect, kind=Kind.POST, text=_sentence(draw), occurred=f"2026-{draw.randint(1, 9):02}-11")
        quoted = f"Quoted: {_sentence(draw)}"
        evidence(prospect=prospect, kind=Kind.POST, text=quoted, occurred="2026-11-20")
        draft = an_unwritten_draft(campaign=campaign, prospect=prospect, now=timezone.now(), dossier=None)
        drafts.append(draft.pk)
    return drafts


def _sentence(draw: Random) -> str:
    one, two, three, four, five, six, seven = draw.sample(_WORDS, 7)
    return (
        f"We moved the {one} behind the {two} while the {three} of the {four} waited for {draw.randint(3, 900)} parts, "
        f"and the {five} near the {six} got a new {seven} before the rain came."
    )


def _write(crew: Crew, model: OpenAIModel, drafts: list[int]) -> None:
    written = write_many(
        crew=crew, model=model, rng=Random(7), clock=timezone.now, goes_on=lambda: True, only=drafts
    )  # fmt: skip
    for one in written:
        if one.outcome != DraftState.READY:
            sys.stderr.write(f"{one.outcome}: {one.reason} {one.fallback_reason}\n")


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _line(name: str, value: float, baseline: float, unit: str, size: str) -> dict[str, Any]:
    return {
        "name": name, "value": round(value, 3), "baseline": baseline, "ratio": round(value / baseline, 4), "unit": unit,
        "size": size,
    }  # fmt: skip

