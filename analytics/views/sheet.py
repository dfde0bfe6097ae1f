"""Tables as spreadsheets: what a page shows, inert in the program that opens it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from prospects.domain.spreadsheet import inert


def sheet(*, name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    answer = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    writer = csv.writer(answer)
    writer.writerow(head)
    for row in rows:
        writer.writerow([inert(cell) if isinstance(cell, str) else cell for cell in row])
    return answer
