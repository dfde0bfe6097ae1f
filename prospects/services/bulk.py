"""Many rows at once by COPY, several times as fast as INSERT; ids are drawn from the sequence beforehand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import JSONField, Model


def insert(rows: Sequence[Model]) -> None:
    """Insert rows of one model that have no primary key yet, and give them theirs. Triggers and constraints hold."""
    if not rows:
        return
    options = type(rows[0])._meta
    fields = list(options.concrete_fields)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [options.db_table, options.pk.column, len(rows)],
        )
        for row, (number,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = number
        quote = connection.ops.quote_name
        columns = ", ".join(quote(str(field.column)) for field in fields)
        command = f"COPY {quote(options.db_table)} ({columns}) FROM STDIN"
        names = [(field.attname, isinstance(field, JSONField)) for field in fields]
        with cursor.copy(command) as copy:
            for row in rows:
                copy.write_row([_value(getattr(row, name), as_json=as_json) for name, as_json in names])


def _value(value: Any, *, as_json: bool) -> Any:
    if as_json:
        return json.dumps(value, ensure_ascii=False)
    return str(value) if type(value) is not str and isinstance(value, str) else value
