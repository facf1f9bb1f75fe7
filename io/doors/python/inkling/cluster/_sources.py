"""Sources that the program does not read itself: tables, Parquet files and addresses become files that all workers see."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .. import _frames
from .._errors import FormatError


def write_source(
    records: Any, path: str | os.PathLike[str], *, text: str | list[str] | tuple[str, ...] = "text"
) -> str:
    """Write records as a source of `build`: JSON lines, a record on each.

    To be called in many workers at once, each with a part of the records and a path of its own. A file that exists is kept, and one
    appears whole or not at all, so a worker that dies costs only its own part.

    Parameters
    ----------
    records : iterable of dict or str, DataFrame, Table, dict or iterable of these
        Records by name, or texts, or a table as in `Pool.from_frame`.
    path : str or path
        The file to make, in a folder that all workers see. Parts have the order of their names.
    text : str or list of str, default "text"
        The columns that `build` takes as `text_field`.

    Returns
    -------
    str
        The path.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from inkling import cluster
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "texts").mkdir()
    >>> partitions = [[{"text": "dig the soil", "year": 1999}], [{"text": "the sea is cold"}, {"text": "a cold wind"}]]
    >>> with ThreadPoolExecutor(2) as executor:
    ...     paths = [folder / "texts" / f"{number:06}.jsonl" for number in range(len(partitions))]
    ...     _ = list(executor.map(cluster.write_source, partitions, paths))
    ...     report = cluster.build(folder / "texts", folder / "made", executor)
    >>> report.documents
    3
    """
    names = [text] if isinstance(text, str) else list(text)
    _write(_parts_of(records, names[0]), os.fspath(path), names)
    return os.fspath(path)


def _parts_of(records: Any, text: str) -> Iterator[_frames.Part]:
    """Records and texts as tables of some rows."""
    is_table = any(hasattr(type(records), name) for name in ("columns", "keys", "__arrow_c_stream__", "__arrow_c_array__", "with_format"))
    if is_table or isinstance(records, str) or not isinstance(records, Iterable):
        yield from _frames.frame_parts(records)
        return
    items = iter(records)
    while some := list(itertools.islice(items, _frames.ROWS)):
        if isinstance(some[0], str):
            some = [{text: one} for one in some]
        if isinstance(some[0], Mapping) and not any(isinstance(value, (list, tuple)) for value in some[0].values()):
            names = dict.fromkeys(name for one in some for name in one)
            yield from _frames.frame_parts({name: [one.get(name) for one in some] for name in names})
        else:
            yield from _frames.frame_parts(some)


def _write(parts: Iterator[_frames.Part], path: str, text: list[str]) -> int:
    """How many records; of a file that exists, none is counted."""
    if os.path.exists(path):
        return 0
    count = 0
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, prefix=".new-", delete=False) as file:
        try:
            for record in _frames.records_in(parts, text):
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                count += 1
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
    return count


def fetched_files(sources: list[str], follow_links: bool) -> tuple[list[str | None], int]:
    """To be called by a worker: the Parquet files in the sources, and how many links were not followed.

    Without any, the sources: those that are addresses, and None for each that the program reads itself.
    """
    given = _frames.Sources(sources)
    parquet, links = given.parquet_files(follow_links)
    if parquet:
        return [name for name, *_ in parquet], links
    return [source if "://" in source else None for source in sources], 0


def fetch(name: str, out: str, text: str) -> dict[str, Any]:
    """A step: makes a file of JSON lines of a Parquet file, or copies what is at an address."""
    given = _frames.Sources([name])
    parquet, _ = given.parquet_files(False)
    try:
        if parquet:
            return {"documents": _write(_frames.parquet_parts(parquet), out, [one.strip() for one in text.split(",")])}
        with given.fetched() as (place,):
            new = f"{out}.new-{os.getpid()}"
            (shutil.copytree if os.path.isdir(place) else shutil.copyfile)(place, new)
            os.replace(new, out)
    except FormatError as error:
        raise ValueError(f"{error.where}: {error.expectation}") from None
    return {}
