"""Tables of pandas, Polars and Arrow, Parquet files and addresses, read some rows at a time."""

from __future__ import annotations

import difflib
import importlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from ._errors import FormatError
from ._given import documents_of, plain_value

ROWS = 1024  # so many are values of Python at a time
TABLES = "a table of pandas, Polars or Arrow, a dict of columns, or these one by one"

Document = tuple[str, str, str, str, int]  # as `documents_of` says
Part = tuple[str, Any]  # where a table is from, and some of its rows


def _needed(module: str, what: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".")[0]
        said = f'{what}: expected the package {package}; "pip install {package}" installs it'
        raise ImportError(said) from None


class Columns(NamedTuple):
    """Which columns are what. Without names, `id` and `label` are the columns of that name, where there are any."""

    text: list[str]
    id: str | None
    label: str | None
    keep_others: bool = True
    option: str = "{}"  # how the argument that names one is called


def columns_of_files(names: list[str], keep_others: bool) -> Columns:
    """As files have them: several texts are listed with commas, and a default need not be there."""
    text, id, label = names
    texts = [name.strip() for name in text.split(",")]
    named = (None if name == default else name for name, default in ((id, "id"), (label, "label")))
    return Columns(texts, next(named), next(named), keep_others, "{}_field")


def _keys_of(table: Any) -> dict[str, Any]:
    """What the columns of a table are got by. Arrow's `columns` are values; of pandas, `column_names` may be a column."""
    by_name = hasattr(type(table), "column_names")
    has_columns = not isinstance(table, dict)
    keys = list(table.column_names if by_name else table.columns if has_columns else table)
    names = [str(key) for key in keys]
    columns = dict(zip(names, keys, strict=True))
    if len(columns) < len(names):
        raise FormatError("frame", f"expected columns of different names, got {', '.join(map(repr, names))}")
    # Arrow and Parquet keep an index of pandas that has no name as a column of such a name.
    return {name: key for name, key in columns.items() if not re.fullmatch(r"__index_level_\d+__", name)}


def _values_of(column: Any) -> list[Any]:
    """The values of a column as those of Python: lists of Polars and values of Arrow are of types of their own."""
    name = next((one for one in ("to_pylist", "to_list") if hasattr(column, one)), None)
    return list(getattr(column, name)() if name else column)


class _Rows:
    """Some rows of a table, by column."""

    def __init__(self, where: str, table: Any, columns: Columns) -> None:
        self.where, self.table, self.keys, self.columns = where, table, _keys_of(table), columns
        if not columns.text:
            raise FormatError(columns.option.format("text"), "expected at least one column")
        for name in columns.text:
            self._check("text", name)
        self.id, self.label = self._other("id", columns.id), self._other("label", columns.label)

    def _check(self, what: str, name: str) -> None:
        if name in self.keys:
            return
        near = difflib.get_close_matches(name, self.keys, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        found = ", ".join(f'"{key}"' for key in self.keys) or "none"
        expectation = f'expected a table with the field "{name}"{hint}, found {found}'
        raise FormatError(self.where, f"{expectation}; {self.columns.option.format(what)} names another")

    def _other(self, what: str, name: str | None) -> str | None:
        if name is not None:
            self._check(what, name)
            return name
        return what if what in self.keys and what not in self.columns.text else None

    def _column(self, name: str) -> list[Any]:
        try:
            return [plain_value(value) for value in _values_of(self.table[self.keys[name]])]
        except FormatError as error:
            where = f"{self.where}: the column {name!r}"
            raise FormatError(where, f"{error.expectation}; give a table without it") from None

    def _strings(self, name: str | None) -> list[str] | None:
        values = None if name is None else self._column(name)
        return None if values is None else ["" if value is None else str(value) for value in values]

    def texts(self) -> list[str]:
        rows = zip(*(self._column(name) for name in self.columns.text), strict=True)
        return ["\n".join(str(value) for value in row if value is not None) for row in rows]

    def documents(self) -> Iterator[Document]:
        taken = (*self.columns.text, self.id, self.label)
        others = [name for name in self.keys if self.columns.keep_others and name not in taken]
        values = {name: self._column(name) for name in others}
        if len(self.columns.text) > 1:
            values = {"title": self._column(self.columns.text[0])} | values
        rows = (dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True))
        ids, labels = self._strings(self.id), self._strings(self.label)
        for text, id, label, line, title_bytes in documents_of(
            self.texts(), ids, labels, rows if values else None
        ):
            yield text, id, label, line if self.columns.keep_others else "", title_bytes


def _tables_of(frame: Any) -> Iterator[Any]:
    """Tables whose rows can be taken by number, one after another: streams are read as they are needed."""
    kind = type(frame)  # a column of pandas is an attribute of its frame, but not of the type
    if isinstance(frame, Mapping):
        yield _equal_columns(frame)
    elif hasattr(kind, "lazy") and hasattr(kind, "collect"):  # of Polars; older ones give no batches
        yield frame.clear().collect()  # its names are checked before it is computed
        yield from frame.collect_batches() if hasattr(kind, "collect_batches") else [frame.collect()]
    elif hasattr(kind, "columns") and (hasattr(kind, "iloc") or hasattr(kind, "slice")):
        yield frame
    elif hasattr(kind, "with_format") and hasattr(kind, "iter"):  # of Hugging Face
        yield from frame.with_format("arrow").iter(batch_size=ROWS)
    elif hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__"):
        arrow = _needed("pyarrow", f"frame: a {kind.__name__}")
        of_stream = hasattr(kind, "__arrow_c_stream__")
        try:
            read = arrow.RecordBatchReader.from_stream(frame) if of_stream else arrow.record_batch(frame)
        except (ValueError, TypeError) as error:
            raise FormatError("frame", f"expected {TABLES}, got a {kind.__name__}: {error}") from None
        if of_stream:
            yield read.schema.empty_table()  # a stream may hold no batch at all
        yield from read if of_stream else [read]
    elif isinstance(frame, Iterable) and not isinstance(frame, (str, bytes)):
        for one in frame:
            yield from _tables_of(one)
    else:
        raise FormatError("frame", f"expected {TABLES}, got {kind.__name__}")


def _equal_columns(frame: Mapping[Any, Any]) -> dict[Any, list[Any]]:
    for key, column in frame.items():
        is_table = hasattr(type(column), "columns") or hasattr(type(column), "column_names")
        if is_table or isinstance(column, (str, bytes)) or not isinstance(column, Iterable):
            expectation = f"expected a list of values, got {type(column).__name__}"
            raise FormatError(f"the column {str(key)!r}", expectation)
    columns = {key: _values_of(column) for key, column in frame.items()}
    rows = len(next(iter(columns.values()), ()))
    for key, values in columns.items():
        if len(values) != rows:
            expectation = f"expected {rows} values, as in the first, got {len(values)}"
            raise FormatError(f"the column {str(key)!r}", expectation)
    return columns


def _rows_of(table: Any) -> Iterator[Any]:
    """A table in slices; an empty one, too, so that its names are checked."""
    is_dict = isinstance(table, dict)
    rows = len(next(iter(table.values()), ())) if is_dict else len(table)
    for begin in range(0, max(rows, 1), ROWS):
        end = begin + ROWS
        if is_dict:
            yield {key: values[begin:end] for key, values in table.items()}
        else:
            yield table.iloc[begin:end] if hasattr(type(table), "iloc") else table.slice(begin, ROWS)


def frame_parts(frame: Any) -> Iterator[Part]:
    return (("frame", rows) for table in _tables_of(frame) for rows in _rows_of(table))


def documents_in(parts: Iterator[Part], columns: Columns) -> Iterator[Document]:
    for part in parts:
        yield from _Rows(*part, columns).documents()


def records_in(parts: Iterator[Part], text: list[str]) -> Iterator[dict[str, Any]]:
    """Rows as records of JSON lines, from which the same documents are read: a text that is missing is empty."""
    columns = Columns(text, None, None)
    for part in parts:
        rows = _Rows(*part, columns)
        values = [rows._column(name) for name in rows.keys]
        for row in zip(*values, strict=True):
            record = {name: value for name, value in zip(rows.keys, row, strict=True) if value is not None}
            yield {**record, **{name: str(record.get(name, "")) for name in text}}


class Sources:
    """Files, folders and addresses, which fsspec knows. Addresses are fetched into temporary files."""

    def __init__(self, given: list[str]) -> None:
        self.given = given
        self._at = {one: _files_at(one) for one in given if "://" in one}

    def parquet_files(self, follow_links: bool) -> tuple[list[tuple[str, Any, str]], int]:
        """The name, file system (or None) and path of each, and how many links were not followed.

        None if no file is Parquet.
        """
        found: list[tuple[str, Any, str]] = []
        partitioned: list[str] = []
        links = 0
        for one in self.given:
            if one in self._at:
                system, root, files = self._at[one]
            else:
                system, root = None, one
                files, left_out = _files_in(one, follow_links) if os.path.isdir(one) else ([one], 0)
                links += left_out
            for path in files:
                name = path if system is None else one if path == root else system.unstrip_protocol(path)
                steps = path.removeprefix(root).strip("/").split("/")
                # Spark and others write such files beside the tables: _SUCCESS, .part-0.crc.
                if path == root or not any(step.startswith((".", "_")) for step in steps):
                    found.append((name, system, path))
                    partitioned += [name] if any("=" in step for step in steps[:-1]) else []
        are_parquet = [name.lower().split("?")[0].endswith((".parquet", ".pq")) for name, *_ in found]
        if not any(are_parquet):
            return [], 0
        if not all(are_parquet):
            other, parquet = found[are_parquet.index(False)][0], found[are_parquet.index(True)][0]
            raise FormatError(other, f"expected Parquet, as is {parquet}; each kind is built by itself")
        if partitioned:
            raise FormatError(
                partitioned[0],
                "expected all columns in the file, found some in the names of its folders; give pyarrow.dataset."
                'dataset(FOLDER, partitioning="hive").scanner().to_reader() to Pool.from_frame',
            )
        return found, links

    @contextmanager
    def fetched(self) -> Iterator[list[str]]:
        """Where each of the sources is on this machine, while it is needed."""
        with tempfile.TemporaryDirectory(prefix="inkling-") as folder:
            places = []
            for number, one in enumerate(self.given):
                if one not in self._at:
                    places.append(one)
                    continue
                system, root, files = self._at[one]
                top = os.path.join(folder, f"{number:09}")  # so that none begins as another one
                for path in files:
                    step = os.path.basename(root) if path == root else path.removeprefix(root).lstrip("/")
                    target = os.path.normpath(os.path.join(top, step.split("?")[0] or "file"))
                    if not target.startswith(top + os.sep):
                        raise FormatError(one, f"expected files in this folder, found {path}")
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    system.get_file(path, target)
                places.append(target if files == [root] else top)
            yield places

    def named(self, error: FormatError, places: list[str]) -> FormatError:
        """The error with addresses in place of where they were fetched to."""
        said = [error.where, error.expectation]
        for place, one in zip(places, self.given, strict=True):
            if one in self._at:
                said = [text.replace(place, one.rstrip("/")) for text in said]
        return type(error)(*said)


def _files_at(address: str) -> tuple[Any, str, list[str]]:
    """The file system of an address, the path there, and the files."""
    try:
        system, root = _needed("fsspec", address).core.url_to_fs(address)
    except ValueError as error:
        raise FormatError(address, f"expected an address that fsspec knows; {error}") from None
    root = root.rstrip("/")
    files = [root] if system.isfile(root) else sorted(system.find(root))
    if not files:
        raise FileNotFoundError(2, "No such file or folder", address)
    return system, root, files


def _files_in(folder: str, follow_links: bool) -> tuple[list[str], int]:
    """The files of a folder by name, and how many links in it were not followed."""
    found, links, seen = [], 0, set()
    for here, folders, names in os.walk(folder, followlinks=follow_links):
        seen.add(os.path.realpath(here))
        linked = [name for name in folders if os.path.islink(os.path.join(here, name))]
        links += 0 if follow_links else len(linked)
        again = [name for name in linked if os.path.realpath(os.path.join(here, name)) in seen]
        folders[:] = [name for name in folders if name not in again]
        for path in (os.path.join(here, name) for name in names):
            if follow_links or not os.path.islink(path):
                found.append(path)
            else:
                links += 1
    return sorted(found), links


def parquet_parts(files: list[tuple[str, Any, str]]) -> Iterator[Part]:
    """The rows of Parquet files. One at an address is fetched when its turn comes."""
    arrow, parquet = (_needed(module, files[0][0]) for module in ("pyarrow", "pyarrow.parquet"))
    for name, system, path in files:
        with tempfile.TemporaryDirectory(prefix="inkling-") as temporary:
            if system is not None:
                system.get_file(path, here := os.path.join(temporary, "table.parquet"))
            else:
                here = path
            try:
                with parquet.ParquetFile(here, buffer_size=1 << 20) as opened:
                    yield name, opened.schema_arrow.empty_table()
                    for batch in opened.iter_batches(batch_size=ROWS):
                        yield name, batch
            except arrow.ArrowException as error:
                raise FormatError(name, f"expected a Parquet file that can be read; {error}") from None
