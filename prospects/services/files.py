"""Files on their way in: stored in pieces, and read from there, so that nobody holds one whole."""

from __future__ import annotations

import hashlib
import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from prospects.domain.upload import Upload
from prospects.models import ImportBatch, ImportPart

PIECE = 1 << 20


def pieces_of(data: bytes | BinaryIO) -> Iterator[bytes]:
    """The contents from the beginning."""
    file = io.BytesIO(data) if isinstance(data, bytes) else data
    file.seek(0)
    while piece := file.read(PIECE):
        yield piece


def measured(data: bytes | BinaryIO) -> tuple[int, str]:
    """(bytes, SHA-256 in hex)."""
    digest, size = hashlib.sha256(), 0
    for piece in pieces_of(data):
        digest.update(piece)
        size += len(piece)
    return size, digest.hexdigest()


def keep(*, batch: ImportBatch, data: bytes | BinaryIO) -> None:
    for number, piece in enumerate(pieces_of(data)):
        ImportPart.objects.create(batch=batch, number=number, data=piece)


def is_kept(*, batch: ImportBatch) -> bool:
    """Whether there is still something to read. Of an empty file there never was."""
    return not batch.file_size or ImportPart.objects.filter(batch=batch).exists()


def forget(*, batch: ImportBatch) -> None:
    """The file is no longer needed: what it said is evidence, what was not used stands in the steps."""
    ImportPart.objects.filter(batch=batch).delete()


class _Stored(io.RawIOBase):
    """The pieces of a file in the database as one file to read."""

    def __init__(self, batch: ImportBatch) -> None:
        super().__init__()
        self._batch, self._place, self._number, self._piece = batch, 0, -1, b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._batch.file_size}[whence]
        self._place = max(0, start + offset)
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        number, at = divmod(self._place, PIECE)
        if number != self._number:
            part = ImportPart.objects.filter(batch=self._batch, number=number).values_list("data", flat=True).first()
            self._number, self._piece = number, bytes(part or b"")
        found = self._piece[at : at + len(buffer)]
        buffer[: len(found)] = found
        self._place += len(found)
        return len(found)


def upload_of(batch: ImportBatch) -> Upload:
    """The file of a batch as the importers take it; read from the database as far as it is looked at."""
    return Upload(
        file_name=batch.file_name,
        opener=lambda: io.BufferedReader(_Stored(batch), PIECE),
        size=batch.file_size,
    )


def handed_in(data: bytes | BinaryIO, *, file_name: str, size: int) -> Upload:
    """A file that is not stored yet. Whoever reads from it reads it from its beginning."""
    if isinstance(data, bytes):
        return Upload(file_name=file_name, data=data)
    return Upload(file_name=file_name, opener=lambda: cast("BinaryIO", _Shared(data)), size=size)


class _Shared(io.RawIOBase):
    """A file that somebody else closes, from its beginning."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        file.seek(0)

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True


@contextmanager
def laid_out(*, batch: ImportBatch) -> Iterator[Path]:
    """The file on disk, for a process that knows no database; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="footnote-import-") as folder:
        path = Path(folder) / "file"
        with path.open("wb") as file, upload_of(batch).open() as stored:
            shutil.copyfileobj(stored, file, PIECE)
        yield path
