"""A file as it was handed in, with the costly readings of it done once: text, rows, JSON, members of a ZIP."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from prospects.domain.blocks import BLOCK, Opener, bytes_of, decode_large
from prospects.domain.json_values import Entry, json_values_of
from prospects.domain.reading import Row, Text, Unreadable, decode, rows_of, scrub
from prospects.domain.sheets import sheet_rows

MAX_MEMBERS = 5_000
MAX_UNPACKED = 8_000_000_000
MAX_RATIO = 200
_RATIO_FROM = 5_000_000
#: Bytes from which on a file is read in blocks and its contents are not kept.
LARGE = 4_000_000


class Upload:
    """A file under a name: its bytes, or a way to open it anew and its size. All readings are values; none raises."""

    def __init__(self, *, file_name: str, data: bytes = b"", opener: Opener | None = None, size: int = 0) -> None:
        self.file_name = PurePosixPath(scrub(file_name).replace("\\", "/")).name[:200]
        self.open: Opener = opener or (lambda: io.BytesIO(data))
        self.size = size if opener else len(data)

    def head(self, length: int) -> bytes:
        """The first bytes."""
        with self.open() as file:
            return file.read(length)

    @property
    def data(self) -> bytes:
        """All bytes; of a large file only for formats that hold one record."""
        with self.open() as file:
            return file.read()

    @property
    def is_large(self) -> bool:
        return self.size > LARGE

    @property
    def stem(self) -> str:
        """The name for comparing: no folder, no ending, lower case, "_" and "-" as spaces."""
        return PurePosixPath(self.file_name).stem.replace("_", " ").replace("-", " ").casefold().strip()

    @cached_property
    def is_zip(self) -> bool:
        return self.head(4) in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

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
        return decode_large(self.open) if self.is_large else decode(self.data)

    @cached_property
    def rows(self) -> Sequence[Row] | Unreadable:
        """The records of a table. A loop over those of a large file reads it anew."""
        if self.is_sheet:
            return sheet_rows(self.open)
        return self.decoded if isinstance(self.decoded, Unreadable) else rows_of(self.decoded)

    @cached_property
    def looks_like_json(self) -> bool:
        return isinstance(self.decoded, Text) and self.decoded.head.lstrip()[:1] in ("{", "[")

    @cached_property
    def json_values(self) -> Sequence[Entry] | Unreadable:
        """(line, value) of JSON lines, or (index from 1, entry) of one JSON document; a document's list is its entries."""
        if isinstance(self.decoded, Unreadable):
            return self.decoded
        if self.decoded.large and not self.looks_like_json:
            return Unreadable("The file is not JSON: it begins with neither a brace nor a bracket.")
        return json_values_of(self.decoded)

    @cached_property
    def members(self) -> dict[str, Upload] | Unreadable:
        """The files of a ZIP by path. Bombs, broken and locked archives are refused."""
        try:
            return _members(zipfile.ZipFile(self.open()))
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


def _members(archive: zipfile.ZipFile) -> dict[str, Upload] | Unreadable:
    """Each file is unpacked once here, and not kept: its size and check sum are known to be true afterwards."""
    infos = [info for info in archive.infolist() if info.filename and not info.is_dir()]
    refused = _refuse(infos, len(archive.infolist()))
    if refused:
        return refused
    found: dict[str, Upload] = {}
    total = 0
    for info in infos:
        opener = _opener(archive, info)
        size = 0
        for block in bytes_of(opener, BLOCK):
            size += len(block)
            if total + size > MAX_UNPACKED:
                return Unreadable("The ZIP archive unpacks to more than 8 GB. Import its files one by one.")
        total += size
        found[info.filename] = Upload(file_name=info.filename, opener=opener, size=size)
    return found


def _opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Opener:
    return lambda: cast("BinaryIO", archive.open(info))


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
