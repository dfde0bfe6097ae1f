"""Files that are not UTF-8, or not throughout: what does not fit is read as Windows-1252, and that is said with the line."""

from __future__ import annotations

import codecs


def _as_western(error: UnicodeError) -> tuple[str, int]:
    """What is not UTF-8 as Windows-1252; the rest of a file that mixes both stays as it is."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


#: The error handler by which UTF-8 with foreign bytes is read.
WESTERN = "footnote-western"
codecs.register_error(WESTERN, _as_western)
_HIGH = bytes(range(0x80, 0x100))


def high_bytes(data: bytes) -> int:
    return len(data) - len(data.translate(None, _HIGH))


def beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", errors="ignore"))


def western_warnings(*, bad: int, line: int, mixed: bool) -> tuple[str, ...]:
    """line: the first that is not UTF-8. bad: how many bytes mean nothing in Windows-1252 either."""
    what = (
        f"The file mixes encodings: what is not UTF-8, first in line {line}, was read as Windows-1252. "
        if mixed
        else f"The file is not UTF-8, first in line {line}; it was read as Windows-1252. "
    )
    warnings = [f"{what}Check that accented letters look right, or save it again as UTF-8."]
    if bad:
        warnings.append(f"{bad} bytes have no meaning in Windows-1252 either and are shown as \ufffd.")
    return tuple(warnings)
