"""How a pool is written: of documents or files, of a matrix, of another pool and later records."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from . import _checks, _core, _frames
from ._errors import FormatError
from ._progress import ProgressOption, reporter_of

if TYPE_CHECKING:
    from ._documents import Documents

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def reading_of(format: str, names: list[str], encoding: str, strict: bool) -> _core.Reading:
    """How files are read. `names`: of the fields of text, id and label."""
    formats = ("auto", *_core.document_formats())
    if format not in formats:
        raise FormatError(f"format {format!r}", "expected one of " + ", ".join(formats))
    reading = _core.Reading()
    reading.format, reading.names, reading.encoding, reading.strict = format, names, encoding, bool(strict)
    return reading


def from_documents(
    documents: Iterator[_frames.Document],
    recipe: _core.Recipe,
    progress: ProgressOption,
    target: str,
    size: int = 0,
) -> None:
    """`size`: of all texts in characters; 0 if it is not known."""
    with reporter_of(progress) as teller:
        _core.build_texts(documents, size, recipe, target, teller)


def from_files(
    sources: Paths, reading: _core.Reading, recipe: _core.Recipe, progress: ProgressOption, target: str
) -> None:
    """Warns of records that were left out, and of the like."""
    if isinstance(sources, (str, bytes, os.PathLike)):
        sources = [sources]
    given = _frames.Sources([_checks.path_of("sources", source) for source in sources])
    if not given.given:
        raise FormatError("sources", "expected at least one file or folder")
    parquet, links = given.parquet_files(reading.follow_links) if reading.format == "auto" else ([], 0)
    if parquet:
        columns = _frames.columns_of_files(reading.names, reading.keep_fields)
        documents = _frames.documents_in(_frames.parquet_parts(parquet), columns)
        from_documents(documents, recipe, progress, target)
        remark = f"{links} links in folders were not followed (follow_links=True follows them)"
        remarks = [remark] if links else []
    else:
        with given.fetched() as places, reporter_of(progress) as teller:
            reading.origins = [one.rstrip("/") if "://" in one else one for one in given.given]
            try:
                remarks = _core.build_files(places, reading, recipe, target, teller)
            except FormatError as error:
                raise given.named(error, places) from None
    for remark in remarks[:20] + remarks[max(20, len(remarks) - 3) :]:
        warnings.warn(remark, stacklevel=4)  # for the line that called a method of Pool


def add_files(
    pool: _core.Pool,
    sources: Paths,
    reading: _core.Reading,
    recipe: _core.Recipe,
    progress: ProgressOption,
    target: str,
) -> bool:
    """Writes the pool with the records of files after its own; nothing, and False, if it has them all."""
    with tempfile.TemporaryDirectory(prefix="inkling-") as folder:
        more = os.path.join(folder, "more")
        from_files(sources, reading, recipe, progress, more)
        return _core.extend(pool, more, target)


def from_matrix(pool: Documents, target: str) -> None:
    """Columns come in the order of their words."""
    beside, names = _core.SavedMatrix(), pool._names
    if names is not None:
        order = sorted(range(len(names)), key=names.__getitem__)
        beside.terms = [names[column] for column in order]
        places = np.empty(len(order), dtype=np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        beside.order = places.tolist()
    beside.ids, beside.labels, beside.texts = pool._ids, pool._labels or [], pool._texts or []
    _core.save(target, pool._core, beside)


def copy_pool(source: str, target: str) -> None:
    if os.path.lexists(target):
        raise FormatError(target, "expected a name that is not taken")
    partial = f"{target}.{os.getpid()}.partial"
    try:
        shutil.copytree(source, partial)
        os.rename(partial, target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def packed(path: str) -> dict[str, bytes]:
    """The files of a pool, by name."""
    files = {}
    for folder, _, names in os.walk(path):
        for name in names:
            place = os.path.join(folder, name)
            with open(place, "rb") as file:
                files[os.path.relpath(place, path)] = file.read()
    return files


def unpack(files: dict[str, bytes], target: str) -> None:
    for name, content in files.items():
        place = os.path.join(target, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(content)
