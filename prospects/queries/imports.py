"""Rows of files that were not used, a bounded number at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db import connection

from prospects.models import ImportBatch

_REASONS = """
SELECT entry->>'reason', count(*) FROM prospects_importstep, jsonb_array_elements(skipped) AS entry
 WHERE batch_id = %s GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %s
"""


def unused_rows(*, batch: ImportBatch) -> Iterator[dict[str, Any]]:
    """Row, reason, place and cells of each, in the order of the file; read step by step."""
    steps = batch.steps.exclude(skipped=[]).order_by("first").values_list("skipped", flat=True)
    for rows in steps.iterator(chunk_size=1):
        yield from rows


def first_unused_rows(*, batch: ImportBatch, most: int) -> list[dict[str, Any]]:
    return list(islice(unused_rows(batch=batch), most))


def reasons_of(*, batch: ImportBatch, most: int = 8) -> list[tuple[str, int]]:
    """The most frequent reasons for which rows were not used, with their numbers."""
    with connection.cursor() as cursor:
        cursor.execute(_REASONS, [batch.pk, most])
        return list(cursor.fetchall())
