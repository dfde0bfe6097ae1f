"""The reading half of an import as a process of its own: what a file says comes out as plain values (marshal).

Started by `prospects.services.reading` for files that take a while, so that reading and writing go on side by side, and
so that what reading takes of memory is given back. It knows no database. First it tells what the file is, or why it
cannot be read; then it is told whom the people are known to and where to begin; then it gives chunks until the end.
It ends with its reader: nobody listening means that a write fails.
"""

from __future__ import annotations

import gc
import json
import marshal
import sys
from datetime import date
from pathlib import Path
from typing import Any, BinaryIO

from prospects.domain.columns import plan_from
from prospects.domain.formats.registry import stream_of
from prospects.domain.imported import ImportedPerson, Stream
from prospects.domain.parcels import Owner, chunks_of, plain_owner_rows
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload


def head_of(stream: Stream) -> dict[str, Any]:
    """What has to be known before the first chunk."""
    connects = stream.connects and any(
        isinstance(outcome, ImportedPerson) and outcome.first_degree for outcome in stream.outcomes(0)
    )
    return {
        "format": stream.format,
        "rows": stream.total,
        "warnings": list(stream.warnings),
        "owner_rows": plain_owner_rows(stream.owner_rows),
        "owner_name": stream.owner_name,
        "owner_keys": [(key.kind.value, key.value) for key in stream.owner_keys],
        "connects": connects,
    }


def serve(job: dict[str, Any], *, orders: BinaryIO, answers: BinaryIO) -> None:
    path = Path(job["path"])
    upload = Upload(file_name=job["file_name"], opener=lambda: path.open("rb"), size=path.stat().st_size)
    stream = stream_of(upload, today=date.fromisoformat(job["today"]), plan=plan_from(job["plan"]))
    if isinstance(stream, Unreadable):
        _tell(answers, {"unreadable": stream.message, "format": stream.format})
        return
    _tell(answers, head_of(stream))
    order = json.loads(orders.readline() or b"null")
    if order is None:
        return
    owner = Owner(*order["owner"]) if order["owner"] else None
    told = len(stream.warnings)
    for chunk in chunks_of(
        stream.outcomes(order["start"]),
        size=order["size"],
        owner=owner,
        cards=order["cards"],
        warnings=stream.warnings,
        told=told,
    ):
        skipped = [(entry.row, entry.reason, entry.place, dict(entry.cells)) for entry in chunk.skipped]
        _tell(answers, ([tuple(parcel) for parcel in chunk.parcels], skipped, chunk.warnings))
    _tell(answers, None)


def _tell(answers: BinaryIO, value: Any) -> None:
    answers.write(marshal.dumps(value))
    answers.flush()


if __name__ == "__main__":
    # Many values are made and few hold each other: looking for circles as often as usual takes a fourteenth of the time.
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    try:
        serve(json.loads(sys.argv[1]), orders=sys.stdin.buffer, answers=sys.stdout.buffer)
    except BrokenPipeError:
        sys.exit(0)
