"""Keyset paging: a page costs the same however deep it lies, and rows added meanwhile shift nothing."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core import signing
from django.core.exceptions import FieldDoesNotExist
from django.db.models import F, IntegerField, Model, Q, QuerySet, Subquery
from django.db.models.expressions import OrderBy

Row = TypeVar("Row")
_SALT = "footnote.paging"


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Rows in order, and the cursors of the neighbouring pages ("" when there is none)."""

    rows: tuple[Row, ...]
    next: str
    previous: str

    def __bool__(self) -> bool:
        return bool(self.rows)


@dataclass(frozen=True)
class _Key:
    """One column of the order. Nulls stand where PostgreSQL puts them: last upwards, first downwards."""

    name: str
    descending: bool
    nullable: bool

    def beyond(self, value: Any) -> Q:
        """Rows after the value. Q(pk__in=[]) matches none."""
        if value is None:
            return Q(**{f"{self.name}__isnull": False}) if self.descending else Q(pk__in=[])
        found = Q(**{f"{self.name}__{'lt' if self.descending else 'gt'}": value})
        return found | Q(**{f"{self.name}__isnull": True}) if self.nullable and not self.descending else found

    def same(self, value: Any) -> Q:
        return Q(**{f"{self.name}__isnull": True}) if value is None else Q(**{self.name: value})

    def reversed(self) -> _Key:
        return _Key(name=self.name, descending=not self.descending, nullable=self.nullable)

    def ordering(self) -> OrderBy:
        return F(self.name).desc() if self.descending else F(self.name).asc()


class CappedCount(Subquery):
    """How many rows, counted up to a cap and one more, so that "1,000+" can be told from 1,000."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) capped)"
    output_field = IntegerField()

    def __init__(self, queryset: QuerySet[Any], cap: int = 1000) -> None:
        super().__init__(queryset.order_by().values("pk")[: cap + 1])


def page_after(*, queryset: QuerySet[Any], order: tuple[str, ...], after: str, size: int = 50) -> Page[Any]:
    """The page beyond a cursor, in one query.

    order: field names, "-" for descending; together they must be unique, so end with the primary key.
    after: a cursor made by an earlier page of the same order; anything else gives the first page.
    """
    keys = _keys(model=queryset.model, order=order)
    cursor = _read(after=after, order=order)
    backwards = cursor is not None and cursor[0] == "previous"
    walk = tuple(key.reversed() for key in keys) if backwards else keys
    found = queryset.order_by(*(key.ordering() for key in walk))
    if cursor is not None:
        found = found.filter(_beyond(keys=walk, values=cursor[1]))
    rows = list(found[: size + 1])
    more = len(rows) > size
    rows = rows[:size]
    if backwards:
        rows.reverse()
        if not more:
            # The first page, whole: a short one would be left over after rows were added.
            return page_after(queryset=queryset, order=order, after="", size=size)
    if not rows:
        return Page(rows=(), next="", previous="")
    return Page(
        rows=tuple(rows),
        next=_write(row=rows[-1], order=order, keys=keys, direction="next") if more or backwards else "",
        previous=_write(row=rows[0], order=order, keys=keys, direction="previous") if cursor is not None else "",
    )


def _keys(*, model: type[Model], order: tuple[str, ...]) -> tuple[_Key, ...]:
    names = [(name.removeprefix("-"), name.startswith("-")) for name in order]
    return tuple(
        _Key(name=name, descending=descending, nullable=_nullable(model=model, name=name)) for name, descending in names
    )


def _nullable(*, model: type[Model], name: str) -> bool:
    at: Any = model
    for part in name.split("__"):
        if part == "pk":
            return False
        try:
            field = at._meta.get_field(part)
        except (FieldDoesNotExist, AttributeError):
            return True  # an annotation: nothing is known, so nulls are handled
        if field.null:
            return True
        at = field.related_model
    return False


def _beyond(*, keys: tuple[_Key, ...], values: list[Any]) -> Q:
    """a beyond x, or a = x and (b beyond y, or b = y and …); led by a plain bound that an index can start from."""
    condition = Q(pk__in=[])
    for key, value in reversed(list(zip(keys, values, strict=True))):
        condition = key.beyond(value) | (key.same(value) & condition)
    first = keys[0]
    if first.nullable or values[0] is None or len(keys) == 1:
        return condition
    return Q(**{f"{first.name}__{'lte' if first.descending else 'gte'}": values[0]}) & condition


def _write(*, row: Any, order: tuple[str, ...], keys: tuple[_Key, ...], direction: str) -> str:
    values = [direction, *(_value(row=row, name=key.name) for key in keys)]
    text = json.dumps(values, default=_plain, separators=(",", ":"))
    return signing.Signer(salt=_SALT + ",".join(order)).sign_object(text)


def _read(*, after: str, order: tuple[str, ...]) -> tuple[str, list[Any]] | None:
    if not after:
        return None
    try:
        direction, *values = json.loads(signing.Signer(salt=_SALT + ",".join(order)).unsign_object(after))
    except signing.BadSignature:
        return None
    return direction, values


def _value(*, row: Any, name: str) -> Any:
    if isinstance(row, dict):
        return row[name]
    for part in name.split("__"):
        row = getattr(row, part) if row is not None else None
    return row


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, dt.date) else str(value)
