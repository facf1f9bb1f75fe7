"""The same records make the same pool, whatever holds them: tables of every library, streams, Parquet, addresses."""

from __future__ import annotations

import datetime
import http.server
import json
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import made_up_texts

import inkling as ink

ROWS = 3000  # more than are read at a time


def records(count: int = ROWS) -> dict[str, list[Any]]:
    """Columns of most types, with values that are missing."""
    texts, topics = made_up_texts(count)
    return {
        "id": [f"record {n}" for n in range(count)],
        "title": [" ".join(text.split()[:3]) if n % 7 else None for n, text in enumerate(texts)],
        "abstract": texts,
        "label": [topic if n % 5 else None for n, topic in enumerate(topics)],
        "topic": topics,
        "cited": [n * n for n in range(count)],
        "score": [n / 7 if n % 3 else None for n in range(count)],
        "open": [n % 2 == 0 for n in range(count)],
        "day": [datetime.date(2001, 1 + n % 12, 3) if n % 4 else None for n in range(count)],
        "seen": [datetime.datetime(2001, 1, 1 + n % 28, 3, 4, n % 60) for n in range(count)],
        "authors": [["Ada", "Bob"][: n % 3] for n in range(count)],
        "place": [{"city": f"town {n % 9}", "at": [n % 5, 2]} for n in range(count)],
    }


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def columns() -> dict[str, list[Any]]:
    return records()


@pytest.fixture(scope="module")
def expected(columns: dict[str, list[Any]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the pool that `from_text` makes of these records."""
    out = tmp_path_factory.mktemp("expected") / "pool"
    titles, abstracts = columns["title"], columns["abstract"]
    others = [name for name in columns if name not in ("id", "title", "abstract", "label")]
    ink.Pool.from_text(
        [f"{title}\n{text}" if title else text for title, text in zip(titles, abstracts, strict=True)],
        ids=columns["id"],
        labels=columns["label"],
        fields=[{name: columns[name][n] for name in ("title", *others)} for n in range(ROWS)],
        out=out,
    )
    return contents(out)


def arrow_table(columns: dict[str, list[Any]]) -> Any:
    """In chunks of several sizes, with the types that hold text."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = arrow.table(columns)
    types = {
        "id": arrow.large_string(),
        "title": arrow.string_view(),
        "abstract": arrow.binary(),
        "topic": arrow.dictionary(arrow.int32(), arrow.string()),
        "seen": arrow.timestamp("ns"),
        "authors": arrow.large_list(arrow.large_string()),
    }
    for name, kind in types.items():
        if name == "topic":
            table = table.set_column(table.column_names.index(name), name, table[name].dictionary_encode())
        else:
            table = table.set_column(
                table.column_names.index(name), name, arrow.array(columns[name]).cast(kind)
            )
    return arrow.concat_tables(
        [table.slice(begin, size) for begin, size in ((0, 1), (1, 0), (1, 1999), (2000, None))]
    )


class Exported:
    """A table of a library that is not known, which has Arrow's interface."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


class ExportedBatch:
    def __init__(self, batch: Any) -> None:
        self.batch = batch

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.batch.__arrow_c_array__(requested_schema)


def pandas_frame(columns: dict[str, list[Any]]) -> Any:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame(columns, index=[f"row {n}" for n in range(ROWS)])
    return frame.astype({"topic": "category", "seen": "datetime64[ns]", "cited": "Int64"})


def polars_frame(columns: dict[str, list[Any]]) -> Any:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame(columns).with_columns(polars.col("topic").cast(polars.Categorical))
    return polars.concat([frame[:1], frame[1:2000], frame[2000:]], rechunk=False)


def hugging_face(columns: dict[str, list[Any]]) -> Any:
    datasets = pytest.importorskip("datasets", reason="Hugging Face's datasets is not installed")
    if not hasattr(datasets, "Dataset"):
        pytest.skip("Hugging Face's datasets is not installed")
    return datasets.Dataset.from_dict(columns)


KINDS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "a dict": lambda columns: columns,
    "a dict of arrays": lambda columns: (
        columns | {"cited": np.array(columns["cited"]), "seen": np.array(columns["seen"], "M8[ns]")}
    ),
    "pandas": pandas_frame,
    "pandas by Arrow": lambda columns: pytest.importorskip("pyarrow").Table.from_pandas(
        pandas_frame(columns)
    ),
    "Polars": polars_frame,
    "Polars by Arrow": lambda columns: Exported(polars_frame(columns)),
    "Polars, lazy": lambda columns: polars_frame(columns).lazy(),
    "a table of Arrow": arrow_table,
    "a stream of Arrow": lambda columns: arrow_table(columns).to_reader(max_chunksize=700),
    "batches of Arrow": lambda columns: arrow_table(columns).to_batches(),
    "another stream": lambda columns: Exported(arrow_table(columns)),
    "another array": lambda columns: ExportedBatch(arrow_table(columns).combine_chunks().to_batches()[0]),
    "a generator of tables": lambda columns: (
        {name: values[begin : begin + 500] for name, values in columns.items()}
        for begin in range(0, ROWS, 500)
    ),
    "Hugging Face": hugging_face,
    "Hugging Face, streamed": lambda columns: hugging_face(columns).to_iterable_dataset(num_shards=3),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_of_any_kind_makes_the_pool_of_its_texts(
    kind: str, columns: dict[str, list[Any]], expected: dict[str, bytes], tmp_path: Path
) -> None:
    if "Polars" in kind:
        pytest.importorskip("polars", reason="polars is not installed")
    if "Arrow" in kind or "another" in kind or kind == "Polars by Arrow":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    ink.Pool.from_frame(KINDS[kind](columns), ["title", "abstract"], out=tmp_path / "pool")
    assert contents(tmp_path / "pool") == expected


@pytest.fixture
def parquet_folder(columns: dict[str, list[Any]], tmp_path: Path) -> Path:
    """Parquet in three files, of which one has other row groups, beside what Spark leaves there."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = arrow_table(columns)
    folder = tmp_path / "tables"
    (folder / "later").mkdir(parents=True)
    parquet.write_table(table.slice(0, 900), folder / "a.parquet", row_group_size=100)
    parquet.write_table(table.slice(900, 0), folder / "b.PQ")
    parquet.write_table(table.slice(900), folder / "later" / "c.parquet", compression="zstd")
    (folder / "_SUCCESS").write_bytes(b"")
    (folder / ".a.parquet.crc").write_bytes(b"crc")
    return folder


def test_parquet_makes_the_pool_of_a_table(
    parquet_folder: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    files = [parquet_folder / "a.parquet", parquet_folder / "b.PQ", parquet_folder / "later" / "c.parquet"]
    for number, sources in enumerate((parquet_folder, files)):
        out = tmp_path / f"pool {number}"
        ink.Pool.from_files(sources, text_field="title,abstract", out=out)
        assert contents(out) == expected
    without = ink.Pool.from_files(parquet_folder, text_field="title,abstract", keep_fields=False)
    assert without.fields(1) == {}
    assert np.array_equal(
        without.X.data, ink.Pool.open(tmp_path / "pool 0").X.data
    )  # a title has its weight without fields


def test_parquet_that_is_added_continues_a_pool(parquet_folder: Path, columns: dict[str, list[Any]]) -> None:
    pool = ink.Pool.from_frame(
        {name: values[:1000] for name, values in columns.items()}, ["title", "abstract"]
    )
    grown = pool.add(parquet_folder, text_field="title,abstract")
    assert grown.ids == columns["id"]


@pytest.fixture
def memory() -> Iterator[Any]:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    system = fsspec.filesystem("memory")
    yield system
    system.rm("/", recursive=True)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a server of the folder `tmp_path`; it knows no ranges."""
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    pytest.importorskip("aiohttp", reason="aiohttp is not installed, by which fsspec reads HTTP")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_parquet_at_addresses_makes_the_same_pool(
    memory: Any, parquet_folder: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    memory.put(str(parquet_folder), "/tables", recursive=True)
    ink.Pool.from_files("memory://tables", text_field="title,abstract", out=tmp_path / "pool")
    assert contents(tmp_path / "pool") == expected
    files = ["memory://tables/a.parquet", "memory://tables/later/c.parquet"]
    ink.Pool.from_files(files, text_field="title,abstract", out=tmp_path / "of files")
    assert contents(tmp_path / "of files") == expected


def test_parquet_from_a_server_makes_the_same_pool(
    served: str, parquet_folder: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    files = [f"{served}/tables/a.parquet?version=1", f"{served}/tables/later/c.parquet"]
    ink.Pool.from_files(files, text_field="title,abstract", out=tmp_path / "pool")
    assert contents(tmp_path / "pool") == expected
    with pytest.raises(FileNotFoundError):
        ink.Pool.from_files(f"{served}/tables/d.parquet")
    (tmp_path / "rows.csv").write_text("id,text\na,dig the soil\n")
    pool = ink.Pool.from_files(f"{served}/rows.csv")
    assert [pool.ids, pool.recipe["sources"]] == [["a"], [f"{served}/rows.csv"]]


def test_files_of_text_are_fetched_and_named_by_their_address(memory: Any, tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "a.jsonl").write_text('{"id": "a", "text": "dig the soil"}\n{"text": 3}\n')
    (tmp_path / "rows" / "b.txt").write_text("the sea is cold")
    (tmp_path / "rows" / "c.csv").write_text("id,text\nc,a cold wind\n")
    memory.put(str(tmp_path / "rows"), "/rows", recursive=True)
    with pytest.warns(UserWarning, match=r"^memory://rows/a.jsonl:2: left out: expected"):
        pools = [ink.Pool.from_files("memory://rows/a.jsonl", out=tmp_path / name) for name in ("one", "two")]
    assert [pool.text(0) for pool in pools] == ["dig the soil"] * 2
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert pools[0].recipe["sources"] == ["memory://rows/a.jsonl"]
    assert ink.Pool.from_files(["memory://rows/b.txt", tmp_path / "rows" / "c.csv"]).shape[0] == 2
    with pytest.raises(ink.FormatError, match=r"^memory://rows/a.jsonl:2"):
        ink.Pool.from_files("memory://rows/a.jsonl", strict=True)
    of_folder, here = (
        ink.Pool.from_files(rows, format="dir") for rows in ("memory://rows/", tmp_path / "rows")
    )
    assert [of_folder.text(n) for n in range(3)] == [here.text(n) for n in range(3)]
    with pytest.raises(FileNotFoundError, match="memory://rows/d.csv"):
        ink.Pool.from_files("memory://rows/d.csv")
    with pytest.raises(ink.FormatError, match="expected an address that fsspec knows; .*nowhere"):
        ink.Pool.from_files("nowhere://rows")


def test_a_wrong_column_is_named_with_the_nearest_and_with_all(memory: Any) -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"title": ["gold"], "body": ["ounces"]})
    of_reader = 'the field "titel" (did you mean title?), found "title", "body"; '
    for frame in (
        table,
        table.to_pydict(),
        table.slice(1),
        table.schema.empty_table().to_reader(),
        [table],
        iter([table]),
    ):
        with pytest.raises(ink.FormatError) as raised:
            ink.Pool.from_frame(frame, "titel")
        assert str(raised.value) == f"frame: expected a table with {of_reader}text names another"
        with pytest.raises(ink.FormatError, match=r'the field "titel" .*; id names another'):
            ink.Pool.from_frame(table, "title", id="titel")
    with memory.open("/a.parquet", "wb") as file:
        parquet.write_table(table, file)
    with pytest.raises(ink.FormatError) as raised:
        ink.Pool.from_files("memory://a.parquet", text_field="titel")
    assert (
        str(raised.value) == f"memory://a.parquet: expected a table with {of_reader}text_field names another"
    )
    for option in ("id_field", "label_field"):
        with pytest.raises(ink.FormatError, match=f"; {option} names another"):
            ink.Pool.from_files("memory://a.parquet", text_field="title", **{option: "titel"})


def test_the_words_are_those_of_the_reader_of_tables(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("title,body\ngold,ounces\n")
    with pytest.raises(ink.FormatError) as of_file:
        ink.Pool.from_files(tmp_path / "a.csv", format="csv", text_field="titel")
    with pytest.raises(ink.FormatError) as of_frame:
        ink.Pool.from_frame({"title": ["gold"], "body": ["ounces"]}, "titel")
    said = [
        error.value.expectation.split("with the field ")[1].split(";")[0] for error in (of_file, of_frame)
    ]
    assert said[0] == said[1] == '"titel" (did you mean title?), found "title", "body"'


def test_what_is_no_table_is_refused() -> None:
    for frame in ("text", 3, ["text"], [[1, 2]], None):
        with pytest.raises(
            ink.FormatError, match="frame: expected a table of pandas, Polars or Arrow, .*, got "
        ):
            ink.Pool.from_frame(frame)
    for column in ("soil", 3):
        with pytest.raises(ink.FormatError, match="the column 'text': expected a list of values, got"):
            ink.Pool.from_frame({"text": column})
    with pytest.raises(ink.FormatError, match="the column 'id': expected 2 values, as in the first, got 1"):
        ink.Pool.from_frame({"text": ["soil", "sea"], "id": ["a"]})
    with pytest.raises(
        ink.FormatError, match="frame: the column 'scan': expected text as UTF-8, found other bytes; give"
    ):
        ink.Pool.from_frame({"text": ["soil"], "scan": [b"\xff\xd8"]})
    with pytest.raises(ink.FormatError, match="text: expected at least one column"):
        ink.Pool.from_frame({"text": ["soil"]}, [])
    for empty in ({"text": []}, [], iter(())):
        with pytest.raises(ink.FormatError, match="expected at least one document, found none"):
            ink.Pool.from_frame(empty)


def test_a_stream_without_rows_is_refused() -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    empty = arrow.table({"text": arrow.array([], arrow.string())})
    for frame in (empty, empty.to_reader(), arrow.RecordBatchReader.from_batches(empty.schema, [])):
        with pytest.raises(ink.FormatError, match="expected at least one document, found none"):
            ink.Pool.from_frame(frame)
    with pytest.raises(
        ink.FormatError, match="frame: expected a table of pandas, Polars or Arrow, .* got a ChunkedArray"
    ):
        ink.Pool.from_frame(arrow.chunked_array([[1, 2]]))


def test_parquet_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ink.FormatError, match=r"bad.parquet: expected a Parquet file that can be read; "):
        ink.Pool.from_files(tmp_path / "bad.parquet")
    with pytest.raises(FileNotFoundError):
        ink.Pool.from_files(tmp_path / "none.parquet")
    folder = tmp_path / "folder"
    (folder / "year=2001").mkdir(parents=True)
    table = arrow.table({"text": ["soil"]})
    parquet.write_table(table, folder / "year=2001" / "a.parquet")
    with pytest.raises(
        ink.FormatError, match=r'a.parquet: expected all columns in the file, .* partitioning="hive"'
    ):
        ink.Pool.from_files(folder)
    dataset = pytest.importorskip("pyarrow.dataset").dataset(folder, partitioning="hive")
    assert ink.Pool.from_frame(dataset.scanner().to_reader()).fields(0) == {"year": 2001}
    parquet.write_table(table, folder / "b.parquet")
    (folder / "notes.txt").write_text("the sea")
    with pytest.raises(
        ink.FormatError, match=r"notes.txt: expected Parquet, as is .*b.parquet; each kind is built by"
    ):
        ink.Pool.from_files(folder)
    (folder / "notes.txt").unlink()
    (tmp_path / "links").mkdir()
    parquet.write_table(table, tmp_path / "links" / "a.parquet")
    (tmp_path / "links" / "b.parquet").symlink_to(folder / "b.parquet")
    (tmp_path / "links" / "again").symlink_to(tmp_path / "links")
    with pytest.warns(UserWarning, match=r"2 links in folders were not followed"):
        assert ink.Pool.from_files(tmp_path / "links").shape[0] == 1
    assert ink.Pool.from_files(tmp_path / "links", follow_links=True).shape[0] == 2


def test_a_repeated_id_is_an_error_and_a_missing_one_is_none() -> None:
    with pytest.raises(ink.FormatError, match="document 2: expected another id than that of document 0"):
        ink.Pool.from_frame([{"text": ["soil", "sea"], "id": [1, 2]}, {"text": ["rose"], "id": [1]}])
    assert ink.Pool.from_frame({"text": ["soil", "sea"], "id": ["a", None]}).ids == ["a", ""]


@pytest.mark.parametrize("hidden", ["pyarrow", "fsspec"])
def test_a_package_that_is_missing_is_named(
    hidden: str, monkeypatch: pytest.MonkeyPatch, columns: dict[str, list[Any]]
) -> None:
    exported = Exported(None)
    for name in [name for name in sys.modules if name.split(".")[0] == hidden]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, hidden, None)
    uses: list[Callable[[], Any]] = [lambda: ink.Pool.from_files("memory://a.csv")]
    if hidden == "pyarrow":
        uses = [lambda: ink.Pool.from_frame(exported), lambda: ink.Pool.from_files("a.parquet")]
    for use in uses:
        with pytest.raises(
            ImportError, match=f'expected the package {hidden}; "pip install {hidden}" installs it'
        ):
            use()
    assert ink.Pool.from_frame(columns, "abstract").shape[0] == ROWS


def test_tables_of_polars_and_pandas_need_no_pyarrow(
    monkeypatch: pytest.MonkeyPatch, columns: dict[str, list[Any]]
) -> None:
    frames = [pandas_frame(columns), polars_frame(columns), polars_frame(columns).lazy()]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for frame in frames:
        assert ink.Pool.from_frame(frame, "abstract").shape[0] == ROWS


@pytest.mark.parametrize(("options", "most_held"), [({"ngram_range": (1, 1)}, 3), ({}, 20)])
def test_a_stream_is_read_as_it_is_needed(options: dict[str, Any], most_held: int) -> None:
    """Batches are let go as they are read: at once with n-grams given, else after 64 Mi characters."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    size, before = 4 << 20, arrow.total_allocated_bytes()
    held: list[int] = []

    def batches() -> Iterator[Any]:
        for number in range(24):
            held.append(arrow.total_allocated_bytes() - before)
            yield arrow.record_batch({"text": [f"soil {number} " + "x" * size]})

    pool = ink.Pool.from_frame(batches(), **options)
    assert pool.shape[0] == 24
    assert max(held) < most_held * size


def test_pairs_of_words_depend_on_the_size_alone() -> None:
    """A list, a table and a stream of texts with just 64 Mi characters have pairs, with one more none of them."""
    text = "soil sea " + "x" * ((4 << 20) - 9)
    for more, longest in (("", 2), ("x", 1)):
        texts = [text] * 15 + [text + more]
        pools = [ink.Pool.from_text(texts), ink.Pool.from_frame({"text": texts})]
        pools.append(ink.Pool.from_frame({"text": [one]} for one in texts))
        assert [pool.recipe["text"]["longest_ngram"] for pool in pools] == [longest] * 3


def test_fields_are_json_that_can_be_read_again() -> None:
    fields = {
        "nested": {"a": [1, {"b": None}]},
        "array": np.arange(2000),
        "when": np.datetime64("2001-02-03T04:05", "ns"),
        "raw": b"soil",
    }
    pool = ink.Pool.from_frame({"text": ["soil"]} | {name: [value] for name, value in fields.items()})
    assert json.loads(json.dumps(pool.fields(0))) == {
        "nested": {"a": [1, {"b": None}]},
        "array": list(range(2000)),
        "when": "2001-02-03 04:05:00",
        "raw": "soil",
    }
