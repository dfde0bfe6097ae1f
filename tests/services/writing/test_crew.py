"""Many drafts at once: few connections, every draft once, and a crew that is told to stop ends what it began."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from django.db import connection

from messaging.models import Draft, ModelCall
from messaging.writing.crew import Crew, write_many
from messaging.writing.queue import claim_drafts
from tests.factories import NOW, a_campaign, a_policy, a_prospect, an_unwritten_draft
from tests.people import a_team
from tests.services.writing.model_server import ModelServer, Reply, model_server
from tests.services.writing.models import ANALYSIS, FAITHFUL, model_at

pytestmark = pytest.mark.django_db(transaction=True)
#: Seconds a test waits for what must happen; it never does when all is well.
PATIENCE = 30.0


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def crew() -> Iterator[Crew]:
    made = Crew(size=12, desks=3)
    yield made
    made.close()


def waiting(count: int) -> list[Draft]:
    team = a_team()
    a_policy(team=team)
    campaign = a_campaign(team=team)
    return [an_unwritten_draft(campaign=campaign, prospect=a_prospect(team=team)) for _ in range(count)]


def by_stage(request: dict[str, Any]) -> Reply:
    return ANALYSIS if request["response_format"]["json_schema"]["name"] == "analysis" else FAITHFUL


def connections_open() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def run(crew: Crew, server: ModelServer, goes_on: Callable[[], bool] = lambda: True) -> list[str]:
    model = model_at(server, timeout=PATIENCE)
    written = write_many(crew=crew, model=model, rng=Random(7), clock=lambda: NOW, goes_on=goes_on)
    return [one.outcome for one in written]


def test_as_many_wait_for_the_model_as_there_are_places_over_few_connections(server: ModelServer, crew: Crew) -> None:
    drafts = waiting(12)
    together = threading.Barrier(12)
    seen: list[int] = []

    def all_at_once(request: dict[str, Any]) -> Reply:
        together.wait(PATIENCE)  # breaks unless twelve requests are under way at the same time
        return by_stage(request)

    server.will(all_at_once)
    before = connections_open()
    crew_size_seen = run(crew, server)
    seen.append(connections_open() - before)
    assert crew_size_seen == ["ready"] * 12
    assert seen[0] <= 3
    assert [draft.revisions.count() for draft in Draft.objects.all()] == [1] * len(drafts)


def test_what_was_asked_adds_up_over_all_drafts(server: ModelServer, crew: Crew) -> None:
    waiting(15)
    server.will(by_stage)
    run(crew, server)
    assert ModelCall.objects.count() == len(server.requests) == 30
    assert sum(ModelCall.objects.values_list("prompt_tokens", flat=True)) == 30 * 1000
    assert sum(ModelCall.objects.values_list("cached_tokens", flat=True)) == 30 * 400


def test_two_crews_write_each_draft_once(server: ModelServer, crew: Crew) -> None:
    waiting(16)
    server.will(by_stage)
    other = Crew(size=4)
    counted: list[int] = []

    def work() -> None:
        try:
            counted.append(len(run(other, server)))
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    mine = len(run(crew, server))
    thread.join()
    other.close()
    assert mine + sum(counted) == 16
    assert [draft.revisions.count() for draft in Draft.objects.all()] == [1] * 16


def test_a_crew_told_to_stop_ends_what_it_began_and_leaves_the_rest_free(server: ModelServer) -> None:
    waiting(6)
    server.will(by_stage)
    crew, asked = Crew(size=2), iter([True])
    outcomes = run(crew, server, goes_on=lambda: next(asked, False))
    crew.close()
    assert outcomes == ["ready", "ready"]
    assert len(claim_drafts(now=NOW, limit=9)) == 4


def test_a_draft_that_breaks_does_not_stop_the_others(server: ModelServer, crew: Crew) -> None:
    drafts = waiting(5)
    Draft.objects.filter(pk=drafts[0].pk).update(language="xx")
    server.will(by_stage, Reply(json.dumps([])), by_stage)
    assert sorted(run(crew, server)) == ["blocked", *["ready"] * 4]
