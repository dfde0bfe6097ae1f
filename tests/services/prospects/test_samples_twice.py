"""All samples, one after another, twice: the second round changes nothing, in whatever order they came."""

from __future__ import annotations

from datetime import timedelta

import pytest

from outreach.teams.models import Team
from prospects.invariants import invariants
from prospects.models import Evidence, ImportState, Prospect, Suppression
from tests.files import DOSSIERS, SAMPLES
from tests.people import a_member
from tests.services.prospects.imports import NOW, imported

FILES = [*sorted(path for path in SAMPLES.rglob("*") if path.is_file()), DOSSIERS]


@pytest.mark.parametrize("backwards", [False, True])
def test_the_second_round_changes_nothing(team: Team, backwards: bool) -> None:
    a_member(team=team)
    files = FILES[::-1] if backwards else FILES
    for path in files:
        imported(team=team, data=path.read_bytes(), name=path.name)
    before = (Prospect.objects.count(), Evidence.objects.count(), Suppression.objects.count())
    changed = {}
    for path in files:
        batch = imported(team=team, data=path.read_bytes(), name=path.name, now=NOW + timedelta(days=3))
        if batch.state == ImportState.DONE and (batch.created or batch.updated):
            changed[path.name] = (batch.created, batch.updated)
    assert changed == {}
    assert (Prospect.objects.count(), Evidence.objects.count(), Suppression.objects.count()) == before
    assert not any(list(invariant.broken()) for invariant in invariants())
