"""Invalid input raises a named exception and changes nothing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import inkling as ink

from conftest import random_rows, searcher_of

NAN, INF = float("nan"), float("inf")


def csr(data: object, indices: object, offsets: object, shape: tuple[int, int]) -> sp.csr_array:
    """A matrix of arrays that SciPy does not check."""
    rows = sp.csr_array(shape, dtype=np.float32)
    rows.data = np.array(data, dtype=np.float32)
    rows.indices = np.array(indices, dtype=np.int32)
    rows.indptr = np.array(offsets, dtype=np.int32)
    return rows


def arrays(data: object, indices: object, offsets: object, shape: tuple[int, int], kind: type = sp.csr_array) -> object:
    """The same with index arrays of any type."""
    rows = kind(shape, dtype=np.float32)
    rows.data, rows.indices, rows.indptr = np.array(data, dtype=np.float32), indices, offsets
    return rows


X = random_rows(6, 4, 2)
BAD_POOLS: dict[str, Callable[[], object]] = {
    "no texts": lambda: ink.Pool.from_text([]),
    "texts without words": lambda: ink.Pool.from_text(["", "!", "a"]),
    "one text": lambda: ink.Pool.from_text("soil"),
    "bytes": lambda: ink.Pool.from_text([b"soil"]),  # type: ignore[list-item]
    "None among texts": lambda: ink.Pool.from_text(["soil", None]),  # type: ignore[list-item]
    "half a surrogate pair": lambda: ink.Pool.from_text(["soil \ud800"]),
    "too few ids": lambda: ink.Pool.from_text(["soil", "sea"], ids=["a"]),
    "too many ids": lambda: ink.Pool.from_text(["soil"], ids=["a", "b"]),
    "a number as id": lambda: ink.Pool.from_text(["soil"], ids=[1]),  # type: ignore[list-item]
    "a label of two lines": lambda: ink.Pool.from_text(["soil"], labels=["a\nb"]),
    "too few labels": lambda: ink.Pool.from_text(["soil", "sea"], labels=["a"]),
    "stop words of Latin": lambda: ink.Pool.from_text(["soil"], stop_words="latin"),
    "a number as stop word": lambda: ink.Pool.from_text(["soil"], stop_words=[1]),  # type: ignore[list-item]
    "everything is a stop word": lambda: ink.Pool.from_text(["soil"], stop_words=["soil"]),
    "min_df that nothing reaches": lambda: ink.Pool.from_text(["soil"], min_df=2),
    "a negative min_df": lambda: ink.Pool.from_text(["soil"], min_df=-1),
    "a share above 1": lambda: ink.Pool.from_text(["soil"], max_df=1.5),
    "a share that is no number": lambda: ink.Pool.from_text(["soil"], max_df=NAN),
    "True as min_df": lambda: ink.Pool.from_text(["soil"], min_df=True),
    "no features": lambda: ink.Pool.from_text(["soil"], max_features=0),
    "phrases of 0 words": lambda: ink.Pool.from_text(["soil"], ngram_range=(0, 1)),
    "phrases that end before they begin": lambda: ink.Pool.from_text(["soil"], ngram_range=(2, 1)),
    "phrases of 17 words": lambda: ink.Pool.from_text(["soil"], ngram_range=(1, 17)),
    "one number of words": lambda: ink.Pool.from_text(["soil"], ngram_range=2),  # type: ignore[arg-type]
    "an unknown norm": lambda: ink.Pool.from_text(["soil"], norm="max"),
    "too little memory": lambda: ink.Pool.from_text(["soil"], memory="1K"),
    "memory in words": lambda: ink.Pool.from_text(["soil"], memory="much"),
    "no threads": lambda: ink.Pool.from_text(["soil"], n_jobs=0),
    "a folder that is not there": lambda: ink.Pool.from_text(["soil"], out="/nowhere/at/all"),
    "a path with a zero": lambda: ink.Pool.open("a\0b"),
    "no path": lambda: ink.Pool.open(None),  # type: ignore[arg-type]
    "a pool that is not there": lambda: ink.Pool.open("/nowhere"),
    "a folder that is no pool": lambda: ink.Pool.open("/"),
    "no sources": lambda: ink.Pool.from_files([]),
    "a source that is not there": lambda: ink.Pool.from_files("/nowhere.jsonl"),
    "an unknown format": lambda: ink.Pool.from_files("/", format="parquet"),
    "a dense matrix": lambda: ink.Pool.from_csr(X.toarray()),
    "a list as matrix": lambda: ink.Pool.from_csr([[1.0]]),
    "complex numbers": lambda: ink.Pool.from_csr(X.astype(np.complex64)),
    "float64 without a copy": lambda: ink.Pool.from_csr(X.astype(np.float64), copy=False),
    "columns without a copy": lambda: ink.Pool.from_csr(X.tocsc(), copy=False),
    "an unknown way to copy": lambda: ink.Pool.from_csr(X, copy="never"),
    "NaN": lambda: ink.Pool.from_csr(csr([NAN], [0], [0, 1], (1, 1))),
    "infinity": lambda: ink.Pool.from_csr(csr([INF], [0], [0, 1], (1, 1))),
    "a number beyond float32": lambda: ink.Pool.from_csr(sp.csr_array(np.array([[1e300]]))),
    "a feature beyond the last": lambda: ink.Pool.from_csr(csr([1], [7], [0, 1], (1, 2))),
    "a negative feature": lambda: ink.Pool.from_csr(csr([1], [-1], [0, 1], (1, 2))),
    "rows that end before they begin": lambda: ink.Pool.from_csr(csr([1, 1], [0, 1], [0, 2, 1], (2, 2))),
    "rows that end beyond the values": lambda: ink.Pool.from_csr(csr([1], [0], [0, 9], (1, 2))),
    "offsets of 32 bits that wrap": lambda: ink.Pool.from_csr(
        csr([1] * 6, [0] * 6, [0, 3, -(2**31), -1, 6], (4, 2))
    ),
    "unsigned offsets that wrap": lambda: ink.Pool.from_csr(
        arrays([1] * 3, np.int32([0] * 3), np.uint32([0, 3, 2**32 - 1, 3]), (3, 2))
    ),
    "offsets of 64 bits that wrap": lambda: ink.Pool.from_csr(
        arrays([1] * 3, np.int64([0] * 3), np.int64([0, -(2**63), 2**63 - 1, 3]), (3, 2))
    ),
    "features in fractions": lambda: ink.Pool.from_csr(
        arrays([1], np.float64([0.5]), np.int32([0, 1]), (1, 2))
    ),
    "offsets in fractions": lambda: ink.Pool.from_csr(
        arrays([1], np.int32([0]), np.float64([0, 1]), (1, 2))
    ),
    "columns with a row beyond the last": lambda: ink.Pool.from_csr(
        arrays([1], np.int32([7]), np.int32([0, 1, 1]), (3, 2), sp.csc_array)
    ),
    "too few rows": lambda: ink.Pool.from_csr(csr([1], [0], [0, 1], (3, 2))),
    "values that are missing": lambda: ink.Pool.from_csr(csr([1], [0, 1], [0, 2], (1, 2))),
    "too few words": lambda: ink.Pool.from_csr(X, vocabulary=["a"]),
    "a word twice": lambda: ink.Pool.from_csr(X, vocabulary=["a", "b", "c", "a"]),
    "a word of no feature": lambda: ink.Pool.from_csr(X, vocabulary={"a": 0, "b": 1, "c": 2, "d": 9}),
    "a feature without a word": lambda: ink.Pool.from_csr(X, vocabulary={"a": 0, "b": 1, "c": 2}),
    "texts for other rows": lambda: ink.Pool.from_csr(X, texts=["a"]),
    "a pool without a way to make one": lambda: ink.Pool(),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_POOLS)
def test_an_invalid_pool_is_refused(name: str) -> None:
    expected = (OSError,) if "there" in name else (ink.FormatError, TypeError, OSError)
    with pytest.raises(expected) as caught:
        BAD_POOLS[name]()
    assert str(caught.value)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("policy", ink.POLICIES)
@pytest.mark.parametrize("features", [30, 600])
def test_writes_into_borrowed_arrays_do_no_harm_beyond_wrong_numbers(policy: str, features: int) -> None:
    """Went wrong: sorts with NaN, and sums with a negative or huge feature, left their memory."""
    chance = np.random.default_rng(5)
    for array, value in [
        ("data", NAN), ("data", INF), ("indices", -1), ("indices", 2**31 - 1), ("indices", features), ("indptr", -1),
    ]:  # fmt: skip
        rows = random_rows(200, features, 6)
        rows.indptr = rows.indptr.astype(np.int64)
        pool = ink.Pool.from_csr(rows, copy=False)
        session = ink.Session(pool, policy, random_state=1, **searcher_of(policy))
        for reward in (1.0, 0.0):
            session.rate(session.choose().document, reward, [0])
        written = getattr(rows, array)
        written[chance.random(written.size) < 0.5] = value
        for work in (
            lambda: session.rate(session.choose().document, 1.0),
            lambda: session.ranking(50),
            lambda: session.why(3),
            lambda: ink.score(pool, session, top=5),
            lambda: ink.Session(pool, policy, **searcher_of(policy)).choose(5),
            lambda: pool.X,
        ):
            try:
                work()
            except (ink.FormatError, ink.NumericalError, ValueError, AttributeError, TypeError):
                pass


Asked = Callable[[ink.Session], object]
BAD_QUESTIONS: dict[str, Asked] = {
    "a document beyond the last": lambda s: s.rate(60, 1.0),
    "a negative document": lambda s: s.rate(-1, 1.0),
    "a document far beyond": lambda s: s.rate(2**70, 1.0),
    "half a document": lambda s: s.rate(0.5, 1.0),  # type: ignore[arg-type]
    "a reward that is no number": lambda s: s.rate(0, NAN),
    "an infinite reward": lambda s: s.rate(0, INF),
    "a reward beyond all bounds": lambda s: s.rate(0, 1e200),
    "a reward in words": lambda s: s.rate(0, "good"),  # type: ignore[arg-type]
    "an unknown word": lambda s: s.rate(0, 1.0, ["xylophone"]),
    "one text as words": lambda s: s.rate(0, 1.0, "soil"),
    "a mark beyond the last feature": lambda s: s.rate(0, 1.0, [999]),
    "a mark that is no word": lambda s: s.rate(0, 1.0, [None]),  # type: ignore[list-item]
    "a confidence of 0": lambda s: s.rate(0, 1.0, [{"word": "soil", "confidence": 0.0}]),
    "a confidence above 1": lambda s: s.rate(0, 1.0, [{"word": "soil", "confidence": 1.5}]),
    "a rating of a word of 0": lambda s: s.rate(0, 1.0, {"soil": 0.0}),
    "a rating of a word above 1": lambda s: s.query({"soil": 1.5}),
    "a word without a rate": lambda s: s.rate(0, 1.0, [{"word": "soil"}]),
    "a rate without a word": lambda s: s.rate(0, 1.0, [{"rate": 1.0}]),
    "an unknown member of a word": lambda s: s.rate(0, 1.0, [{"word": "soil", "reward": 1.0}]),
    "a query of nothing": lambda s: s.query([]),
    "half a surrogate pair": lambda s: s.rate(0, 1.0, ["\ud800"]),
    "too few rewards": lambda s: s.rate_many([0, 1], [1.0]),
    "too few lists of words": lambda s: s.rate_many([0, 1], [1.0, 1.0], [[]]),
    "choosing nothing": lambda s: s.choose(0),
    "choosing half": lambda s: s.choose(1.5),  # type: ignore[arg-type]
    "a mask of another size": lambda s: s.choose(among=np.ones(3, dtype=bool)),
    "a list beyond the last": lambda s: s.choose(among=[60]),
    "a mask of nothing": lambda s: s.choose(among=[]),
    "a mask of words": lambda s: s.choose(among=["soil"]),
    "skipping what is not there": lambda s: s.skip(99),
    "unmarking what is no word": lambda s: s.unmark("xylophone"),
    "unmarking what was not marked": lambda s: s.unmark("soil"),
    "bringing back what was not undone": lambda s: s.redo(),
    "sampling nothing": lambda s: s.sample(0),
    "opening what is not there": lambda s: ink.Session.open("/nowhere/at/all"),
    "undoing more than there was": lambda s: s.undo(9),
    "undoing nothing": lambda s: s.undo(0),
    "ranking by luck": lambda s: s.ranking(by="luck"),
    "ranking fewer than none": lambda s: s.ranking(-1),
    "explaining what is not there": lambda s: s.why(60),
    "expectations of what is not there": lambda s: s.expectations([60]),
    "words by luck": lambda s: s.words(by="luck"),
    "a confidence of 1": lambda s: s.good_left(confidence=1.0),
    "an export of some": lambda s: s.export("work.csv", which="some"),
    "a report in no known language": lambda s: s.report("report.html", language="pt"),  # type: ignore[arg-type]
    "saving into nowhere": lambda s: s.save("/nowhere/at/all"),
    "loading a pool": lambda s: ink.Session.load("/dev/null", s.pool),
    "the text of what is not there": lambda s: s.pool.text(60),
    "the word of what is not there": lambda s: s.pool.word(999),
    "an unknown policy": lambda s: ink.Session(s.pool, "fast"),
    "no pool": lambda s: ink.Session(None),  # type: ignore[arg-type]
    "a ridge of 0": lambda s: ink.Session(s.pool, "oful", ridge=0.0),
    "a ridge in words": lambda s: ink.Session(s.pool, "oful", ridge="one"),
    "a negative noise": lambda s: ink.Session(s.pool, "oful", noise=-1.0),
    "a delta of 1": lambda s: ink.Session(s.pool, "oful", delta=1.0),
    "an unknown radius": lambda s: ink.Session(s.pool, "oful", radius="wide"),
    "half a round": lambda s: ink.Session(s.pool, "explore-then-commit", first_rounds=1.5),
    "a setting of another policy": lambda s: ink.Session(s.pool, ridge=2.0),
    "settings of a session that has its own": lambda s: ink.score(s.pool, s, noise=0.5),
    "simulating with a setting of another policy": lambda s: ink.simulate(s.pool, "random", rounds=1, ridge=2.0),
    "a negative seed": lambda s: ink.Session(s.pool, random_state=-1),
    "a seed in words": lambda s: ink.Session(s.pool, random_state="one"),
    "a feature given twice": lambda s: ink.Session(s.pool, "oful-subset", given=[0, 0]),
    "scoring what is no session": lambda s: ink.score(s.pool, ["me"]),  # type: ignore[list-item]
    "scoring by chance": lambda s: ink.score(s.pool, ink.Session(s.pool, "random")),
    "simulating no rounds": lambda s: ink.simulate(s.pool, "random", rounds=0),
    "simulating an unknown reward": lambda s: ink.simulate(s.pool, "random", rounds=1, reward="luck"),
    "simulating more words than there are": lambda s: ink.simulate(s.pool, "random", rounds=1, relevant=999),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_QUESTIONS)
def test_an_invalid_request_changes_nothing(name: str, pool: ink.Pool) -> None:
    session = ink.Session(pool, random_state=1).rate(3, 1.0, ["salt"])
    before = (session.expectations().tolist(), len(session.log()))
    with pytest.raises((ink.FormatError, OSError)) as caught:
        BAD_QUESTIONS[name](session)
    assert str(caught.value)
    assert (session.expectations().tolist(), len(session.log())) == before


def test_an_unknown_setting_is_refused_with_the_nearest_one(pool: ink.Pool) -> None:
    with pytest.raises(TypeError, match=r"'normbound' \(did you mean norm_bound\?\)"):
        ink.Session(pool, "oful", normbound=1.0)
    with pytest.raises(TypeError, match="unexpected setting 'nosie'"):
        ink.simulate(pool, "oful", rounds=1, nosie=1.0)


def test_help_names_every_setting_with_its_default() -> None:
    for function in (ink.Session.__init__, ink.score):
        for line in ("ridge = 1.0: ", "mark_probability = None: of soft-marks", "with_replacement = False: "):
            assert line in (function.__doc__ or "")


def test_a_session_of_another_pool_is_refused(pool: ink.Pool, tmp_path: Path) -> None:
    session = ink.Session(pool, random_state=1).rate(3, 1.0, ["salt"])
    session.save(tmp_path / "log")
    other = ink.Pool.from_text(["soil", "sea"])
    with pytest.raises(ink.FormatError, match="another one"):
        ink.Session.load(tmp_path / "log", other)
    with pytest.raises(ink.FormatError, match="features"):
        ink.score(other, session)
    (tmp_path / "broken").write_bytes((tmp_path / "log").read_bytes()[:5000])
    with pytest.raises((ink.FormatError, OSError)):
        ink.Session.load(tmp_path / "broken", pool)


def test_errors_say_where_and_are_pickled(pool: ink.Pool) -> None:
    with pytest.raises(ValueError) as caught:
        ink.Session(pool).rate(99, 1.0)
    assert isinstance(caught.value, ink.FormatError) and caught.value.where == "document 99"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(KeyError, match="soil"):
        pool.feature("soi")
