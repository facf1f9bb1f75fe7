"""Pools from text, from matrices and from disk."""

from __future__ import annotations

import datetime
import gc
import json
import os
import pickle
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import inkling as ink

from conftest import made_up_texts, random_rows, resident

SETTINGS = [
    {},
    {"stop_words": "english"},
    {"stop_words": ["water", "fish"]},
    {"ngram_range": (1, 2)},
    {"ngram_range": (2, 3), "min_df": 2},
    {"min_df": 3, "max_df": 0.4},
    {"max_features": 10},
    {"sublinear_tf": True, "norm": "l1"},
    {"binary": True, "use_idf": False},
    {"smooth_idf": False, "norm": None},
    {"lowercase": False},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii", "lowercase": False},
    {"token_pattern": r"(?u)\b\w+\b"},
    {"token_pattern": r"\w{3,}", "stop_words": "english"},
    {"token_pattern": "[a-z][a-z]+", "strip_accents": "unicode"},
]


OUR_DEFAULTS = {"sublinear_tf": True, "max_df": 0.95, "ngram_range": (1, 2)}


@pytest.mark.parametrize("like_scikit_learn", [True, False])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_texts_are_weighted_as_scikit_learn_weighs_them(settings: dict[str, object], like_scikit_learn: bool) -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    texts = [*made_up_texts(80, 3)[0], "Ärger über Öl: ΣΑΣ, İstanbul! naïve CAFÉ 2nd x y_z", "", "water water salt"]
    vectorizer = text.TfidfVectorizer(**({} if like_scikit_learn else OUR_DEFAULTS) | settings)
    expected = vectorizer.fit_transform(texts)
    runs = {} if like_scikit_learn else {"min_df_runs": 1}
    pool = ink.Pool.from_text(texts, like_scikit_learn=like_scikit_learn, **settings, **runs)
    assert pool.get_feature_names_out().tolist() == vectorizer.get_feature_names_out().tolist()
    assert np.allclose(pool.X.toarray(), expected.toarray(), rtol=2e-7, atol=1e-12)
    if settings.get("use_idf", True):
        assert np.allclose(pool.idf_, vectorizer.idf_, rtol=1e-12)
    new = ["salt and soil and water", "nothing known here", "Dig the soil"]
    assert np.allclose(pool.transform(new).toarray(), vectorizer.transform(new).toarray(), rtol=2e-7, atol=1e-12)


def test_a_word_of_all_documents_is_left_out_of_pools_of_20_or_more_unless_asked_for() -> None:
    def words(count: int, **settings: object) -> list[str]:
        texts = [f"everywhere word{n}" for n in range(count)]
        return ink.Pool.from_text(texts, **settings).get_feature_names_out().tolist()

    assert "everywhere" in words(19)
    assert "everywhere" not in words(20)
    assert "everywhere" in words(20, max_df=1.0)
    assert "everywhere" in words(20, like_scikit_learn=True)
    assert "everywhere" not in words(20, like_scikit_learn=True, max_df=0.95)
    assert "everywhere" not in words(2, max_df=0.95)


def test_files_are_weighted_by_the_same_defaults_as_texts(tmp_path: Path) -> None:
    texts = ["soil soil soil", "soil and sea"]
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(texts))
    for settings in ({}, {"like_scikit_learn": True}, {"sublinear_tf": False, "max_df": 1.0}):
        from_files = ink.Pool.from_files(file, format="lines", norm=None, **settings)
        from_text = ink.Pool.from_text(texts, norm=None, **settings)
        assert np.array_equal(from_files.X.toarray(), from_text.X.toarray())
        assert from_files.recipe["text"] == from_text.recipe["text"]
        tripled = from_text.X.toarray()[0].max() / from_text.idf_.min()
        assert tripled == pytest.approx(3.0 if settings else 1.0 + np.log(3.0))


def test_a_pool_knows_its_documents(texts: list[str]) -> None:
    labels = ["a" if n % 2 else None for n in range(len(texts))]
    pool = ink.Pool.from_text(texts, ids=[f"d{n}" for n in range(len(texts))], labels=labels)
    assert pool.ids[3] == "d3"
    assert pool.labels is not None and pool.labels[:3].tolist() == [None, "a", None]
    assert pool.text(5) == texts[5]
    assert pool.document_frequency[pool.feature("SOIL")] == sum("soil" in text.lower() for text in texts)
    assert len(pool) == pool.shape[0] == len(texts)
    assert "text" in pool.recipe


def test_tokens_tile_the_text_in_characters() -> None:
    pool = ink.Pool.from_text(["Größe zählt, größe!", "salt"])
    text = "Größe 🌊 salt"
    tokens = pool.tokens(text)
    assert "".join(text[token.begin : token.end] for token in tokens) == text
    assert [(text[t.begin : t.end], pool.word(t.feature)) for t in tokens if t.feature is not None] == [
        ("Größe", "größe"),
        ("salt", "salt"),
    ]


def test_columns_are_the_transposed_rows_and_nothing_can_be_written(pool: ink.Pool) -> None:
    assert pool.T.format == "csc" and (pool.X != pool.T).nnz == 0
    for view in (pool.X, pool.T):
        assert np.shares_memory(view.data, view.data) and not view.data.flags.writeable
        assert not view.indices.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        pool.X.data[0] = 1.0


def test_rows_are_borrowed_at_their_own_address() -> None:
    rows = random_rows(300, 50, 7)
    pool = ink.Pool.from_csr(rows, copy=False)
    for name in ("data", "indices"):
        assert getattr(pool.X, name).ctypes.data == getattr(rows, name).ctypes.data
    data = rows.data.ctypes.data
    del rows
    assert pool.X.data.ctypes.data == data and abs(pool.X.sum()) > 0


def test_columns_of_a_borrowed_matrix_take_eight_bytes_a_value() -> None:
    rows = random_rows(20_000, 200, 60)
    before = resident()
    pool = ink.Pool.from_csr(rows, copy=False)
    taken = resident() - before
    assert pool.nnz == 1_200_000
    assert taken < 8 * pool.nnz * 1.10 + 4_000_000  # and what the process needs for a thread


@pytest.mark.parametrize(
    "change",
    [
        lambda X: X.astype(np.float64),
        lambda X: sp.csr_matrix(X),
        lambda X: X.tocsc(),
        lambda X: X.tocoo(),
        lambda X: sp.csr_array((X.data[::-1], X.indices, X.indptr), X.shape),
        lambda X: sp.csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), X.shape),
        lambda X: sp.vstack([X, X]).tocsr()[: X.shape[0]],
        lambda X: X != 0,
    ],
)
def test_any_sparse_matrix_gives_the_same_pool(change) -> None:  # type: ignore[no-untyped-def]
    given = change(random_rows(40, 12, 3))
    before = given.copy()
    pool = ink.Pool.from_csr(given)
    assert np.array_equal(pool.X.toarray(), given.toarray().astype(np.float32))
    assert (given != before).nnz == 0


def test_unsorted_rows_and_places_named_twice_are_put_in_order() -> None:
    X = sp.csr_array((np.ones(4, dtype=np.float32), np.array([2, 0, 1, 1], dtype=np.int32), [0, 2, 4]), shape=(2, 3))
    assert ink.Pool.from_csr(X).X.toarray().tolist() == [[1, 0, 1], [0, 2, 0]]
    assert X.indices.tolist() == [2, 0, 1, 1]


def test_a_saved_pool_is_the_same(tmp_path: Path, texts: list[str]) -> None:
    made = ink.Pool.from_text(texts, labels=["x"] * len(texts))
    made.save(tmp_path / "pool")
    opened = ink.Pool.open(tmp_path / "pool")
    opened.verify()
    assert (opened.X != made.X).nnz == 0 and opened.text(1) == texts[1]
    assert opened.fingerprint() == made.fingerprint()
    with pytest.raises(ink.FormatError, match="not taken"):
        made.save(tmp_path / "pool")


def test_a_saved_matrix_has_its_columns_in_the_order_of_words(tmp_path: Path) -> None:
    X = sp.csr_array(np.array([[1, 0, 2], [0, 3, 0]], dtype=np.float32))
    pool = ink.Pool.from_csr(
        X,
        vocabulary={"soil": 0, "ash": 1, "mud": 2},
        ids=["a", "b"],
        labels=["p", None],
        texts=["one", "two"],
        out=tmp_path / "pool",
    )
    assert pool.get_feature_names_out().tolist() == ["ash", "mud", "soil"]
    assert pool.X.toarray().tolist() == [[0, 2, 1], [3, 0, 0]]
    assert pool.ids == ["a", "b"] and pool.text(1) == "two" and pool.labels is not None


def test_files_become_a_pool_on_disk(tmp_path: Path, texts: list[str]) -> None:
    lines = "".join(json.dumps({"text": text, "id": str(n)}) + "\n" for n, text in enumerate(texts))
    (tmp_path / "texts.jsonl").write_text(lines, encoding="utf-8")
    pool = ink.Pool.from_files(tmp_path / "texts.jsonl", out=tmp_path / "pool", min_df=2)
    assert pool.path == str(tmp_path / "pool") and pool.ids[1] == "1"
    assert (pool.X != ink.Pool.from_text(texts, min_df=2).X).nnz == 0


def test_records_that_are_added_make_the_pool_of_the_program(tmp_path: Path, texts: list[str], inkling_program: str) -> None:
    lines = [json.dumps({"title": text[:9], "text": text, "id": str(n), "year": n}) + "\n" for n, text in enumerate(texts)]
    lines += lines[1:2] + [json.dumps({"text": texts[0], "id": "copy"}) + "\n"]  # a known record, and a new one with a known text
    half = len(texts) // 2
    first, later = tmp_path / "first.jsonl", tmp_path / "later.jsonl"
    first.write_text("".join(lines[:half]), encoding="utf-8")
    later.write_text("".join(lines[half:]), encoding="utf-8")

    def files(pool: Path) -> dict[str, bytes]:
        return {str(file.relative_to(pool)): file.read_bytes() for file in pool.rglob("*") if file.is_file()}

    def program(*arguments: object) -> None:
        subprocess.run([inkling_program, *map(str, arguments)], check=True, capture_output=True)

    for options in ([], ["--keep-text"], ["--keep-duplicates", "--keep-text"]):
        for made in (tmp_path / "a", tmp_path / "b"):
            program("build", first, "--out", made, "--force", *options)
        old = ink.Pool.open(tmp_path / "a")
        program("add", tmp_path / "b", later)
        with pytest.raises(ink.FormatError, match="expected documents"):
            old.add(tmp_path)
        elsewhere = old.add(later, out=tmp_path / "c")
        pool = old.add([later])
        assert files(tmp_path / "a") == files(tmp_path / "b") == files(tmp_path / "c")
        assert pool.shape == elsewhere.shape == (len(texts) + 1, old.shape[1]) and len(old) == half
        assert (pool.X[:half] != old.X).nnz == 0 and pool.ids[-1] == "copy" and pool.path == old.path
        assert pool.add(later) is pool  # there are no new records
        session = ink.Session(old, random_state=1, file=tmp_path / "log").rate(1, 1.0)
        session.close()
        with ink.Session.open(tmp_path / "log", pool=pool) as session:
            assert session.rate(len(texts), 0.0).choose().document not in (1, len(texts))
        os.unlink(tmp_path / "log")
    in_memory = ink.Pool.from_files(first).add(later)
    assert in_memory.path is None and len(in_memory) == len(texts) + 1
    with pytest.raises(ink.FormatError, match="matrix"):
        ink.Pool.from_csr(in_memory.X).add(later)


def test_links_in_folders_are_followed_only_on_request(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("soil")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(ink.FormatError, match="found none and 1 links in folders"):
        ink.Pool.from_files(folder, format="dir")
    (folder / "own.txt").write_text("water")
    with pytest.warns(UserWarning, match="1 links in folders were not followed") as told:
        assert ink.Pool.from_files(folder).ids == ["own.txt"]
    assert told[0].filename == __file__
    assert sorted(ink.Pool.from_files(folder, follow_links=True).ids) == ["link.txt", "own.txt"]


def test_a_damaged_pool_is_named(tmp_path: Path, pool: ink.Pool) -> None:
    pool.save(tmp_path / "pool")
    with open(tmp_path / "pool" / "data.npy", "r+b") as file:
        file.seek(200)
        file.write(b"\xff\xff\xff\xff")
    with pytest.raises(ink.CorruptFileError, match=r"data\.npy"):
        ink.Pool.open(tmp_path / "pool")


def test_a_cut_file_of_an_open_pool_is_named_and_does_not_end_the_process(tmp_path: Path) -> None:
    """Went wrong: Python ended by SIGBUS."""
    rows = random_rows(3000, 400, 12)
    texts = [f"text {n} " * 20 for n in range(3000)]
    ink.Pool.from_csr(rows, texts=texts).save(tmp_path / "pool")
    for name in ("data.npy", "indices.npy", "documents/texts.npy"):
        shutil.copytree(tmp_path / "pool", tmp_path / "copy")
        pool = ink.Pool.open(tmp_path / "copy", trust=True)
        session = ink.Session(pool, random_state=1).rate(5, 1.0, [3])
        os.truncate(tmp_path / "copy" / name, 200)
        with pytest.raises(ink.CorruptFileError, match=f"{name}.*became shorter"):
            session.rate(session.choose().document, 0.0)
            session.rate(2999, 0.0)
            session.ranking(3000)
            pool.text(2900)
        assert ink.Pool.open(tmp_path / "pool").shape == pool.shape  # other pools can be opened
        del session, pool
        gc.collect()
        ink.Pool.from_csr(rows).X  # and used
        shutil.rmtree(tmp_path / "copy")


def test_a_pool_is_checked_once_unless_one_insists(tmp_path: Path, pool: ink.Pool) -> None:
    place = tmp_path / "pool"
    pool.save(place)
    for opened in (ink.Pool.open(place), ink.Pool.open(place, check=True), ink.Pool.open(place, trust=True)):
        assert (opened.X != pool.X).nnz == 0
    with pytest.raises(ink.FormatError, match="check"):
        ink.Pool.open(place, check=True, trust=True)


def test_pools_are_pickled(pool: ink.Pool, tmp_path: Path) -> None:
    borrowed = ink.Pool.from_csr(random_rows(10, 5, 2), vocabulary=list("abcde"))
    pool.save(tmp_path / "pool")
    for one in (pool, borrowed, ink.Pool.open(tmp_path / "pool")):
        again = pickle.loads(pickle.dumps(one))
        assert (again.X != one.X).nnz == 0
        assert again.get_feature_names_out().tolist() == one.get_feature_names_out().tolist()


def test_a_build_reports_its_progress(texts: list[str]) -> None:
    told: list[tuple[str, int, int]] = []
    ink.Pool.from_text(texts, progress=lambda *line: told.append(line))
    assert told[-1][0] == "done"


def test_an_error_of_the_texts_reaches_the_caller() -> None:
    def texts():  # type: ignore[no-untyped-def]
        yield "soil"
        raise KeyError("the source broke")

    with pytest.raises(KeyError, match="the source broke"):
        ink.Pool.from_text(texts())


def test_fields_are_kept_beside_texts_and_a_frame_of_any_kind_gives_them() -> None:
    frame = {
        "title": ["Gold mines", "Sea"],
        "abstract": ["ounces of gold", None],
        "id": [7, 8],
        "label": ["x", None],
        "year": np.array([1999, 2001]),
        "doi": ["10.1/a", float("nan")],
        "authors": [["Ada", "Bob"], []],
    }
    pool = ink.Pool.from_frame(frame, text=["title", "abstract"])
    assert pool.ids == ["7", "8"]
    assert pool.text(0) == "Gold mines\nounces of gold"
    assert pool.fields(0) == {"title": "Gold mines", "year": 1999, "doi": "10.1/a", "authors": ["Ada", "Bob"]}
    assert pool.fields(1) == {"title": "Sea", "year": 2001, "authors": []}
    assert pool.fields() == [pool.fields(0), pool.fields(1)]
    assert ink.Pool.from_text(["gold mines"]).fields(0) == {}
    with pytest.raises(ink.FormatError, match="did you mean title"):
        ink.Pool.from_frame(frame, text="titel")
    pandas = pytest.importorskip("pandas")
    of_pandas = ink.Pool.from_frame(pandas.DataFrame(frame), text=["title", "abstract"])
    assert of_pandas.fields() == pool.fields()
    assert (of_pandas.X != pool.X).nnz == 0


@pytest.mark.parametrize("kind", ["pyarrow", "pyarrow batch", "polars", "pandas", "dict"])
def test_tables_of_every_library_make_the_same_pool(kind: str) -> None:
    columns: dict[str, list[Any]] = {
        "title": ["Gold mines", "Sea"],
        "abstract": ["ounces of gold", None],
        "id": ["a", "b"],
        "year": [1999, None],
        "score": [0.5, float("nan")],
        "authors": [["Ada", "Bob"], None],
        "day": [datetime.date(2001, 2, 3), None],
        "column_names": ["x", "y"],
    }
    frame: Any = columns
    if kind.startswith("pyarrow"):
        arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
        frame = (arrow.record_batch if kind.endswith("batch") else arrow.table)(columns)
    elif kind == "polars":
        frame = pytest.importorskip("polars", reason="polars is not installed").DataFrame(columns)
    elif kind == "pandas":
        frame = pytest.importorskip("pandas", reason="pandas is not installed").DataFrame(columns, dtype=object)
    pool = ink.Pool.from_frame(frame, text=["title", "abstract"])
    assert [pool.ids, pool.text(0), pool.text(1)] == [["a", "b"], "Gold mines\nounces of gold", "Sea"]
    assert pool.fields(0) == {
        "title": "Gold mines",
        "year": 1999,
        "score": 0.5,
        "authors": ["Ada", "Bob"],
        "day": "2001-02-03",
        "column_names": "x",
    }
    assert pool.fields(1) == {"title": "Sea", "column_names": "y"}
    if kind == "pyarrow":
        with pytest.raises(ink.FormatError, match=r'the field "titel" \(did you mean title\?\), found "title", "abstract", '):
            ink.Pool.from_frame(frame, text="titel")


def test_a_table_with_two_columns_of_one_name_is_refused() -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    with pytest.raises(ink.FormatError, match="columns of different names"):
        ink.Pool.from_frame(arrow.table([["a"], ["b"]], names=["text", "text"]))


def test_a_title_weighs_the_same_from_a_frame_and_from_a_file(tmp_path: Path) -> None:
    rows = [{"title": "gold mines", "abstract": "ounces of gold", "year": 1999, "id": "a"}]
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    of_file = ink.Pool.from_files(source, text_field="title,abstract")
    of_frame = ink.Pool.from_frame({name: [row[name] for row in rows] for name in rows[0]}, ["title", "abstract"])
    assert of_file.fields() == of_frame.fields() == [{"title": "gold mines", "year": 1999}]
    assert np.array_equal(of_file.X.data, of_frame.X.data)
    assert ink.Pool.from_files(source, text_field="title,abstract", keep_fields=False).fields() == [{}]


def test_a_text_that_several_documents_have_is_offered_once():
    texts = ["dig the soil", "the sea is cold", "dig  the\nsoil", "a cold wind"]
    session = ink.Session(ink.Pool.from_text(texts, ids=list("abcd")), random_state=1)
    session.rate(2, 1)
    assert sorted(choice.document for choice in session.choose(4)) == [1, 3]
    apart = ink.Session(ink.Pool.from_text(texts, keep_duplicates=True), random_state=1)
    apart.rate(2, 1)
    assert sorted(choice.document for choice in apart.choose(4)) == [0, 1, 3]


def test_ids_differ(tmp_path):
    with pytest.raises(ink.FormatError, match="document 2: expected another id than that of document 0"):
        ink.Pool.from_text(["one", "two", "three"], ids=["a", "b", "a"])
    (tmp_path / "two.jsonl").write_text('{"id": "a", "text": "soil"}\n{"id": "a", "text": "rose"}\n')
    with pytest.raises(ink.FormatError, match=r'two.jsonl:2: expected another id than "a", which .*two.jsonl:1 has'):
        ink.Pool.from_files(tmp_path / "two.jsonl", strict=True)
    with pytest.warns(UserWarning, match="1 record was kept without an id.*two.jsonl:2"):
        assert ink.Pool.from_files(tmp_path / "two.jsonl").ids == ["a", ""]


def test_a_bad_record_is_left_out_and_an_encoding_is_found(tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"text": "soil"}\n{"text": 3}\n')
    with pytest.raises(ink.FormatError, match="bad.jsonl:2:"):
        ink.Pool.from_files(tmp_path / "bad.jsonl", strict=True)
    with pytest.warns(UserWarning, match="bad.jsonl:2: left out: expected"):
        pool = ink.Pool.from_files(tmp_path / "bad.jsonl")
    (tmp_path / "later.txt").write_bytes("сад и луг зеленеют весной, а осенью мы собираем урожай яблок и груш".encode("koi8-r"))
    with pytest.warns(UserWarning, match="read as KOI8"):
        assert pool.add(tmp_path / "later.txt", out=tmp_path / "pool").shape[0] == 2
    named = ink.Pool.from_files(tmp_path / "later.txt", encoding="koi8-r")
    assert "сад" in named.get_feature_names_out()
    with pytest.raises(ink.FormatError, match="a name that ICU has"):
        ink.Pool.from_files(tmp_path / "later.txt", encoding="koi9")


def test_a_vocabulary_is_given_and_another_pool_is_followed(tmp_path: Path) -> None:
    texts = ["dig the soil", "soil and compost", "the cold sea", "sea and soil", "wind"]
    given = ink.Pool.from_text(texts, vocabulary=["soil", "rain", "compost", "soil"], ngram_range=(1, 1))
    assert given.get_feature_names_out().tolist() == ["compost", "rain", "soil"]
    vectors = pytest.importorskip("sklearn.feature_extraction.text")
    of_sklearn = vectors.TfidfVectorizer(vocabulary=["compost", "rain", "soil"], sublinear_tf=True)
    assert np.allclose(given.X.toarray(), of_sklearn.fit_transform(texts).toarray(), atol=1e-6)
    with pytest.raises(ink.FormatError, match="at least one word"):
        ink.Pool.from_text(texts, vocabulary=[])
    first = ink.Pool.from_text(texts)
    later = ink.Pool.from_text(["rain and soil", "a cold day"], like=first, ids=["x", "y"])
    assert np.array_equal(later.X.toarray(), first.transform(["rain and soil", "a cold day"]).toarray())
    lines = tmp_path / "texts.txt"
    lines.write_text("rain and soil\na cold day\n")
    for others in (lambda **more: ink.Pool.from_frame({"text": texts}, **more), lambda **more: ink.Pool.from_files(lines, **more), lambda **more: ink.Pool.from_text(texts, **more)):
        with pytest.raises(ink.FormatError, match="expected no min_df and no norm beside it"):
            others(like=first, min_df=2, norm="l1", memory="2G")
        with pytest.raises(ink.FormatError, match="expected an inkling.Pool, got list"):
            others(like=texts)
    assert np.array_equal(ink.Pool.from_files(lines, like=first).X.toarray(), later.X.toarray())
    with pytest.raises(ink.FormatError, match="made from text"):
        ink.Pool.from_text(texts, like=ink.Pool.from_csr(first.X))


def test_a_row_is_found_by_its_id() -> None:
    pool = ink.Pool.from_text(["soil", "sea", "wind"], ids=["garden-1", "coast-1", "coast-2"])
    assert [pool.row_of(id) for id in pool.ids] == [0, 1, 2]
    with pytest.raises(ink.FormatError, match="did you mean 'coast-"):
        pool.row_of("coast-3")

