"""JSON of files that anybody may have written."""

from __future__ import annotations

import json
import re

_HALF = re.compile("[\ud800-\udfff]")


def load_json(text: str) -> object:
    """The value of a JSON text. Raises json.JSONDecodeError, also for nesting that is too deep to read.

    Halves of surrogate pairs, which JSON can spell and UTF-8 cannot, become the replacement character each, so that
    offsets into the text stay what they were.
    """
    try:
        value: object = json.loads(text)
        return _whole(value) if "\\u" in text else value
    except RecursionError as error:
        raise json.JSONDecodeError("nested too deeply", text, 0) from error


def _whole(value: object) -> object:
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    if isinstance(value, dict):
        return {_HALF.sub("\ufffd", key): _whole(entry) for key, entry in value.items()}
    return value
