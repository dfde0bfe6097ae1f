"""Spoiled files come in whole, or say why and leave nothing. FOOTNOTE_FUZZ=10000 tries so many; 500 are tried otherwise."""

from __future__ import annotations

import os
import sys
from collections import Counter

from django.db import transaction

from outreach.teams.models import Team
from prospects.invariants import invariants
from prospects.models import Evidence, IdentityKey, ImportBatch, ImportState, Prospect
from prospects.services import import_bytes
from tests.fuzz import spoiled
from tests.people import a_member
from tests.services.prospects.imports import NOW

NUMBER = int(os.environ.get("FOOTNOTE_FUZZ", "500"))
Stored = tuple[int, int, int]
FIRST = int(os.environ.get("FOOTNOTE_FUZZ_FIRST", "0"))


def stored() -> Stored:
    return Prospect.objects.count(), Evidence.objects.count(), IdentityKey.objects.count()


def faults(team: Team, number: int) -> tuple[str, list[str]]:
    """(what became of the file, what is wrong about that)."""
    name, data = spoiled(number)
    before = stored()
    batch = import_bytes(team=team, actor=None, file_name=name, data=data, now=NOW)
    assert isinstance(batch, ImportBatch), batch
    checked = {ImportState.REFUSED: _refused, ImportState.DONE: _done}.get(ImportState(batch.state))
    wrong = checked(batch, before) if checked else [f"it ended as {batch.state}"]
    if number % 10 == 0:
        wrong += [f"{rule.name}: {broken.detail}" for rule in invariants() for broken in rule.broken()]
    return batch.state, wrong


def _refused(batch: ImportBatch, before: Stored) -> list[str]:
    wrong = [] if stored() == before else ["it was refused and something is stored"]
    return wrong if batch.message else [*wrong, "it was refused without a reason"]


def _done(batch: ImportBatch, before: Stored) -> list[str]:
    wrong = []
    used = batch.created + batch.updated + batch.unchanged
    if batch.rows_done != batch.rows or used + len(batch.skipped) < batch.rows:
        wrong.append(f"{batch.rows} rows, {batch.rows_done} done, {used} used, {len(batch.skipped)} skipped")
    if any(not entry["reason"] for entry in batch.skipped):
        wrong.append("a row was skipped without a reason")
    if batch.created != Prospect.objects.count() - before[0]:
        wrong.append("the count of new people is not what is stored")
    return wrong


def test_spoiled_files_come_in_whole_or_not_at_all(team: Team) -> None:
    a_member(team=team, role="writer")
    ends: Counter[str] = Counter()
    wrong: dict[int, object] = {}
    for number in range(FIRST, FIRST + NUMBER):
        with transaction.atomic():
            try:
                with transaction.atomic():
                    state, found = faults(team, number)
            except Exception as error:  # noqa: BLE001  # what escapes is what is looked for
                state, found = "escaped", [f"{type(error).__name__}: {error}"[:300]]
            transaction.set_rollback(True)
        ends[state] += 1
        if found:
            wrong[number] = found
        if sum(ends.values()) % 500 == 0:
            sys.stderr.write(f"\n{sum(ends.values())} spoiled files: {dict(ends)}, {len(wrong)} wrong\n")
    assert wrong == {}
    assert ends["done"] > NUMBER // 5
    assert ends["refused"] > NUMBER // 20
