"""A file as it was handed in, with the costly readings of it done once: text, rows, JSON, members of a ZIP."""

from __future__ import annotations

import io
import json
import lzma
import struct
import zipfile
import zlib
from functools import cached_property
from pathlib import PurePosixPath

from prospects.domain.reading import Row, Text, Unreadable, decode, scrub, split_rows
from prospects.domain.sheets import sheet_rows

MAX_MEMBERS = 5_000
MAX_UNPACKED = 2_000_000_000
MAX_MEMBER = 400_000_000
MAX_RATIO = 200
_RATIO_FROM = 5_000_000


class Upload:
    """Bytes under a name. All readings are values; none raises."""

    def __init__(self, *, file_name: str, data: bytes) -> None:
        self.file_name = PurePosixPath(scrub(file_name).replace("\\", "/")).name[:200]
        self.data = data

    @property
    def stem(self) -> str:
        """The name for comparing: no folder, no ending, lower case, "_" and "-" as spaces."""
        return PurePosixPath(self.file_name).stem.replace("_", " ").replace("-", " ").casefold().strip()

    @property
    def is_zip(self) -> bool:
        return self.data[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

    @cached_property
    def is_sheet(self) -> bool:
        """An Excel or OpenDocument workbook, which is a ZIP as well."""
        if not self.is_zip or isinstance(self.members, Unreadable):
            return False
        return "xl/workbook.xml" in self.members or "xl/workbook.bin" in self.members

    @property
    def is_archive(self) -> bool:
        return self.is_zip and not self.is_sheet

    @cached_property
    def decoded(self) -> Text | Unreadable:
        return decode(self.data)

    @cached_property
    def rows(self) -> tuple[Row, ...] | Unreadable:
        if self.is_sheet:
            return sheet_rows(self.data)
        return self.decoded if isinstance(self.decoded, Unreadable) else split_rows(self.decoded.text)

    @cached_property
    def looks_like_json(self) -> bool:
        return isinstance(self.decoded, Text) and self.decoded.text.lstrip()[:1] in ("{", "[")

    @cached_property
    def json_values(self) -> tuple[tuple[int, object], ...] | Unreadable:
        """(line, value) of JSON lines, or (index from 1, entry) of one JSON document; a document's list is its entries."""
        if isinstance(self.decoded, Unreadable):
            return self.decoded
        return _json_values(self.decoded.text)

    @cached_property
    def members(self) -> dict[str, bytes] | Unreadable:
        """The files of a ZIP by path. Bombs, broken and locked archives are refused."""
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
                return _unpack(archive)
        except (
            zipfile.BadZipFile,
            zlib.error,
            lzma.LZMAError,
            struct.error,
            OSError,
            EOFError,
            ValueError,
            OverflowError,
            LookupError,
        ):
            return Unreadable("The ZIP archive is broken. Download or export it again and import that.")
        except (NotImplementedError, RuntimeError):
            return Unreadable("The ZIP archive uses a compression or encryption that cannot be read. Unpack it first.")


class _TooNested(ValueError):
    pass


def _loads(text: str) -> object:
    try:
        value: object = json.loads(text)
        return _scrubbed(value) if "\\u" in text else value
    except RecursionError as error:
        raise _TooNested("it is nested too deeply") from error


def _scrubbed(value: object) -> object:
    """Without the signs that no text may hold: NUL and halves of surrogate pairs, which JSON can spell."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, list):
        return [_scrubbed(entry) for entry in value]
    if isinstance(value, dict):
        return {scrub(key): _scrubbed(entry) for key, entry in value.items()}
    return value


def _json_values(text: str) -> tuple[tuple[int, object], ...] | Unreadable:
    try:
        whole = _loads(text)
    except ValueError as error:
        return _json_lines(text, error)
    entries = whole if isinstance(whole, list) else [whole]
    return tuple(enumerate(entries, 1))


def _json_lines(text: str, whole_error: ValueError) -> tuple[tuple[int, object], ...] | Unreadable:
    values: list[tuple[int, object]] = []
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    good = 0
    for number, line in lines:
        try:
            values.append((number, _loads(line)))
            good += 1
        except ValueError as error:
            values.append((number, Unreadable(f"it is not JSON ({_fault(error)})")))
    if good == 0 or (len(lines) > 1 and good * 2 < len(lines)):
        return Unreadable(f"The file is not JSON: {_fault(whole_error)}. Mend it there and import it again.")
    return tuple(values)


def _fault(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    return str(error)[:120]


def _unpack(archive: zipfile.ZipFile) -> dict[str, bytes] | Unreadable:
    infos = [info for info in archive.infolist() if info.filename and not info.is_dir()]
    refused = _refuse(infos, len(archive.infolist()))
    if refused:
        return refused
    found: dict[str, bytes] = {}
    total = 0
    for info in infos:
        with archive.open(info) as member:
            data = member.read(MAX_MEMBER + 1)
        total += len(data)
        if len(data) > MAX_MEMBER or total > MAX_UNPACKED:
            return Unreadable("The ZIP archive unpacks to more than 2 GB. Import its files one by one.")
        found[info.filename] = data
    return found


def _refuse(infos: list[zipfile.ZipInfo], count: int) -> Unreadable | None:
    if count > MAX_MEMBERS:
        return Unreadable(f"The ZIP archive holds {count:,} files; at most {MAX_MEMBERS:,} are read.")
    if any(info.flag_bits & 0x1 for info in infos):
        return Unreadable("The ZIP archive is protected by a password. Unpack it and import the files.")
    unpacked = sum(info.file_size for info in infos)
    packed = sum(info.compress_size for info in infos)
    if unpacked > MAX_UNPACKED or (unpacked > _RATIO_FROM and unpacked > MAX_RATIO * max(packed, 1)):
        return Unreadable(
            f"The ZIP archive would unpack to {unpacked:,} bytes from {packed:,}, which no export does. It was not opened."
        )
    return None
