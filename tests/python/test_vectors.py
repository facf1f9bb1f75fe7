"""Vectors that a person brings: kept as they are documented, learned from as a twin in NumPy learns, and refused where they are wrong."""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inkling as ink
from inkling import cluster

from conftest import Pipe, made_up_texts

SEQUENCES = int(os.environ.get("INKLING_SEQUENCES", "60"))  # 10,000 takes an hour
TEXTS = made_up_texts(40, 2)[0]


def kept(vectors: np.ndarray, centre: np.ndarray | None = None) -> np.ndarray:
    """Centred by the mean of the rows that are not zero, of length 1, in 127 steps up to the largest number."""
    rows = vectors.astype(np.float32).astype(np.float64)
    there = rows.any(axis=1)
    if centre is None:
        centre = rows[there].mean(axis=0).astype(np.float32).astype(np.float64)
    rows = np.where(there[:, None], rows - centre, 0.0)
    steps = np.abs(rows).max(axis=1) / 127.0
    codes = np.where(steps[:, None] > 0, np.round(rows / np.where(steps == 0, 1, steps)[:, None]), 0)
    lengths = np.linalg.norm(rows, axis=1)
    scales = np.where(lengths > 0, steps / np.where(lengths == 0, 1, lengths), 0).astype(np.float32)
    return codes.astype(np.float32) * scales[:, None]


def some_vectors(count: int, dimensions: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)


def steps_apart(left: np.ndarray, right: np.ndarray) -> float:
    """The largest difference, in steps of its row."""
    steps = np.abs(right).max(axis=1) / 127.0
    return float((np.abs(left - right).max(axis=1)[steps > 0] / steps[steps > 0]).max())


class Twin:
    """The rule of `inkling` for grades 0 and 1, from all answers each time: K + 0.05 E E' by plain ridge regression."""

    def __init__(self, pool: ink.Pool, weight: float = 0.05) -> None:
        words, vectors = pool.X.toarray().astype(np.float64), pool.vectors
        assert vectors is not None
        self.whole = np.hstack([words, vectors.astype(np.float64), np.ones((len(words), 1))])
        self.precision = np.concatenate([np.ones(words.shape[1]), np.full(vectors.shape[1], 1 / weight), [1.0]])
        self.average = np.zeros(self.whole.shape[1])
        self.average[: words.shape[1]] = words.mean(axis=0).astype(np.float32)
        self.average[-1] = 1.0
        self.answers: list[tuple[int, float] | tuple[str, int, float]] = []

    def means(self) -> np.ndarray:
        grades = [(one[0], one[1]) for one in self.answers if len(one) == 2]
        rows, targets, weights = [], [], []
        good, bad, average = self.balance([grade for _, grade in grades])
        if average:
            rows.append(self.average), targets.append(-1.0), weights.append(average)
        for document, grade in grades:
            rows.append(self.whole[document]), targets.append(2 * grade - 1), weights.append(good if grade else bad)
        for feature, rating in {one[1]: one[2] for one in self.answers if len(one) == 3}.items():
            row = np.zeros(self.whole.shape[1])
            row[feature] = 1.0
            rows.append(row), targets.append(rating), weights.append(3.0)
        if not rows:
            return np.zeros(len(self.whole))
        X, y, w = np.array(rows), np.array(targets), np.array(weights)
        return self.whole @ np.linalg.solve(np.diag(self.precision) + (X.T * w) @ X, X.T @ (w * y))

    @staticmethod
    def balance(grades: list[float]) -> tuple[float, float, float]:
        used: tuple[float, float, float] | None = None
        for n in range(1, len(grades) + 1):
            good = sum(grades[:n])
            less = float(np.clip(0.3 * good / (n - good), 0.05, 1.0)) if 0 < good < n else 1.0
            due = (1 / less, less, 0.1 * less * n)
            if used is None or any(a > 1.25 * b or b > 1.25 * a for a, b in zip(due, used, strict=True)):
                used = due
        return used or (1.0, 1.0, 0.0)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int8])
def test_vectors_are_kept_as_they_are_documented(kind: Any, tmp_path: Path) -> None:
    given = (some_vectors(40, 7) * 20).astype(kind)
    given[3] = 0
    path = tmp_path / "E.npy"
    np.save(path, given)
    pool = ink.Pool.from_text(TEXTS, vectors=given, out=tmp_path / "one")
    assert pool.vectors is not None
    assert steps_apart(pool.vectors, kept(given)) < 1e-3 or steps_apart(pool.vectors, kept(given)) <= 1.001  # a tie of rounding
    assert not pool.vectors[3].any() and np.linalg.norm(pool.vectors[4]) == pytest.approx(1.0, abs=0.02)
    ink.Pool.from_text(TEXTS, vectors=path, out=tmp_path / "two")
    files = [{file.relative_to(tmp_path / name): file.read_bytes() for file in (tmp_path / name).rglob("*.npy")} for name in ("one", "two")]
    assert files[0] == files[1] and Path("documents/vectors.npy") in files[0]
    assert ink.Pool.from_text(TEXTS).vectors is None


@pytest.mark.parametrize("seed", range(3))
def test_a_session_learns_from_vectors_as_its_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(SEQUENCES // 3):
        count = int(rng.integers(5, 40))
        vectors = some_vectors(count, int(rng.integers(1, 24)), int(rng.integers(1 << 30)))
        vectors[rng.random(count) < 0.1] = 0
        weight = float(rng.choice([0.05, 0.05, 0.4, 2.0]))
        pool = ink.Pool.from_text(TEXTS[:count], vectors=vectors)
        session, twin = ink.Session(pool, vectors=weight), Twin(pool, weight)
        for _ in range(int(rng.integers(1, 25))):
            kind = rng.random()
            if kind < 0.15 and twin.answers:
                session.undo()
                twin.answers.pop()
            elif kind < 0.3:
                word = (int(rng.integers(pool.shape[1])), float(rng.choice([-1.0, 1.0])))
                session.query({word[0]: word[1]})
                twin.answers.append(("word", *word))
            else:
                rest = sorted(set(range(count)) - {one[0] for one in twin.answers if len(one) == 2})
                if not rest:
                    break
                answer = (int(rng.choice(rest)), float(rng.random() < 0.4))
                session.rate(*answer)
                twin.answers.append(answer)
            if session.features_in_use.size or twin.answers:
                assert np.abs(session.expectations() - twin.means()).max() < 1e-9
        some = [int(document) for document in rng.integers(count, size=3)]
        assert session.expectations(some) == pytest.approx(session.expectations()[some], abs=1e-9)
        best = session.ranking(5)
        assert best["score"] == pytest.approx(session.expectations()[best["document"]], abs=1e-9) or not any(
            one[1] == 1.0 for one in twin.answers if len(one) == 2
        )
        why = session.why(some[0])
        assert why.base + why.vector + why.words["contribution"].sum() == pytest.approx(session.expectations()[some[0]], abs=1e-9)


def test_undo_is_exact_and_a_kept_search_is_the_same(tmp_path: Path) -> None:
    pool = ink.Pool.from_text(TEXTS, vectors=some_vectors(40, 12), out=tmp_path / "pool")
    with ink.Session(pool, file=tmp_path / "kept", random_state=3) as session:
        for n in range(12):
            session.rate(session.next().document, float(n % 3 == 0))
        before = session.expectations()
        session.rate(session.next().document, 1.0)
        session.undo()
        assert session.expectations().tolist() == before.tolist()
        following = [session.next().document]
    again = ink.Session.open(tmp_path / "kept", pool=ink.Pool.open(tmp_path / "pool"))
    assert again.expectations() == pytest.approx(before, abs=1e-12) and [again.next().document] == following


def test_words_alone_decide_where_vectors_are_ignored() -> None:
    pool, plain = ink.Pool.from_text(TEXTS, vectors=some_vectors(40, 12)), ink.Pool.from_text(TEXTS)
    sessions = [ink.Session(pool, vectors=0.0), ink.Session(plain), ink.Session(pool, "ff-oful"), ink.Session(plain, "ff-oful")]
    for n in range(10):
        for session in sessions:
            session.rate(n, float(n % 2), ["water"])
    means = [session.expectations() for session in sessions]
    assert means[0].tolist() == means[1].tolist() and means[2].tolist() == means[3].tolist()
    both = ink.Session(pool).rate(0, 1.0).rate(1, 0.0)
    assert set(both.words()["word"]) == set(plain.get_feature_names_out()) and both.features_in_use.size == plain.shape[1]


def test_an_export_has_the_vectors_of_the_pool(tmp_path: Path, inkling_program: str) -> None:
    given = some_vectors(40, 7)
    given[3] = 0
    pool = ink.Pool.from_text(TEXTS, vectors=given, out=tmp_path / "pool")
    ink.Pool.from_text(TEXTS, out=tmp_path / "plain")

    def export(name: str) -> subprocess.CompletedProcess[str]:
        command = [inkling_program, "export", tmp_path / name, "--to", "vectors", "--out", tmp_path / "E.npy"]
        return subprocess.run(command, capture_output=True, text=True)

    refused = export("plain")
    assert refused.returncode == 2 and "has no vectors" in refused.stderr and not (tmp_path / "E.npy").exists()
    assert export("pool").returncode == 0
    exported = np.load(tmp_path / "E.npy")
    assert exported.dtype == np.float32 and np.array_equal(exported, pool.vectors)


def test_score_says_that_it_uses_words_alone(tmp_path: Path, inkling_program: str) -> None:
    ink.Pool.from_text(TEXTS, vectors=some_vectors(40, 6), out=tmp_path / "pool")
    (tmp_path / "events.jsonl").write_text('{"document": 0, "reward": 1, "features": [0]}\n{"document": 1, "reward": 0}\n', encoding="utf-8")

    def said(policy: str) -> str:
        command = [inkling_program, "score", tmp_path / "pool", "--events", tmp_path / "events.jsonl", "--policy", policy]
        return subprocess.run(command, capture_output=True, text=True, check=True).stderr

    assert "words alone count here" in said("inkling") and "words alone" not in said("ff-oful")


def test_later_records_come_with_vectors_or_without(tmp_path: Path) -> None:
    vectors = some_vectors(40, 6)
    pool = ink.Pool.from_text(TEXTS[:30], vectors=vectors[:30], out=tmp_path / "pool")
    later = tmp_path / "later.txt"
    later.write_text("".join(text.replace("\n", " ") + "\n" for text in TEXTS[28:]), encoding="utf-8")
    grown = pool.add(later, format="lines", vectors=vectors[28:], out=tmp_path / "grown")
    assert grown.vectors is not None and pool.vectors is not None
    assert len(grown) == 40 and grown.vectors[:30].tolist() == pool.vectors.tolist()
    centre = vectors[:30].astype(np.float64).mean(axis=0).astype(np.float32).astype(np.float64)
    assert steps_apart(grown.vectors[30:], kept(vectors[30:], centre)) <= 1.001
    bare = pool.add(later, format="lines", out=tmp_path / "bare")
    assert bare.vectors is not None and not bare.vectors[30:].any()
    like = ink.Pool.from_text(TEXTS[30:], like=pool, vectors=vectors[30:])
    assert like.vectors is not None and like.vectors.tolist() == grown.vectors[30:].tolist()
    with pytest.raises(ink.FormatError, match="expected a pool that has vectors"):
        ink.Pool.from_text(TEXTS[:30]).add(later, format="lines", vectors=vectors[28:])


WRONG = {
    "expected 40 rows, one for each document in the order of the pool; found 39": some_vectors(39, 4),
    "expected two dimensions, a row for each document; found 1": np.ones(40, np.float32),
    "expected finite numbers, found another one in row 7": np.where(np.arange(40)[:, None] == 7, np.nan, some_vectors(40, 4)),
    "expected finite numbers, found another one in row 39": np.where(np.arange(40)[:, None] == 39, np.inf, some_vectors(40, 4)).astype(np.float16),
    "expected float16, float32, float64 or int8": np.ones((40, 4), np.int32),
    "expected from 1 to 8,192 numbers": np.ones((40, 8193), np.int8),
    "expected from 1 to 8,192 numbers for each document, found 0": np.ones((40, 0), np.float32),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_vectors_are_refused_and_nothing_is_built(message: str, tmp_path: Path) -> None:
    np.save(tmp_path / "E.npy", WRONG[message])
    for vectors in (WRONG[message], tmp_path / "E.npy"):
        with pytest.raises(ink.FormatError, match=message):
            ink.Pool.from_text(TEXTS, vectors=vectors, out=tmp_path / "pool")
        assert not (tmp_path / "pool").exists()


def test_a_dry_run_checks_vectors_and_counts_them(inkling_program: str, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), encoding="utf-8")

    def dry(rows: int) -> subprocess.CompletedProcess[str]:
        np.save(tmp_path / "E.npy", some_vectors(rows, 9))
        return subprocess.run([inkling_program, "build", corpus, "--vectors", tmp_path / "E.npy", "--dry-run", "--json"], capture_output=True, text=True)

    plain = json.loads(subprocess.run([inkling_program, "build", corpus, "--dry-run", "--json"], capture_output=True, text=True).stdout)
    counted = json.loads(dry(40).stdout)
    assert counted["pool_bytes"] - plain["pool_bytes"] == 3 * 128 + 40 * (9 + 4) + 9 * 4
    assert dry(39).returncode == 3 and "expected 40 rows" in dry(39).stderr


def test_a_file_of_columns_one_that_is_cut_and_one_that_is_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "E.npy"
    np.save(path, np.asfortranarray(some_vectors(40, 4)))
    with pytest.raises(ink.FormatError, match=r"Fortran's order\): save np.ascontiguousarray"):
        ink.Pool.from_text(TEXTS, vectors=path)
    assert ink.Pool.from_text(TEXTS, vectors=np.asfortranarray(some_vectors(40, 4))).vectors is not None
    np.save(path, some_vectors(40, 4))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ink.FormatError, match="bytes, as its header says; found"):
        ink.Pool.from_text(TEXTS, vectors=path)
    path.write_bytes(b"no array")
    with pytest.raises(ink.FormatError, match=r"E\.npy"):
        ink.Pool.from_text(TEXTS, vectors=path)
    with pytest.raises(OSError, match="missing"):
        ink.Pool.from_text(TEXTS, vectors=tmp_path / "missing.npy")


def test_damage_to_vectors_is_named(tmp_path: Path) -> None:
    for name, at, new in (("vectors", 130, b"\x80"), ("vector_scales", 128, b"\0\0\xc0\x7f"), ("vector_centre", 128, b"\0\0\x80\x7f")):
        ink.Pool.from_text(TEXTS, vectors=some_vectors(40, 6), out=tmp_path / name)
        path = tmp_path / name / "documents" / f"{name}.npy"
        data = bytearray(path.read_bytes())
        data[at : at + len(new)] = new
        path.write_bytes(bytes(data))
        with pytest.raises(ink.CorruptFileError, match=f"documents/{name}.npy: damaged"):
            ink.Pool.open(tmp_path / name, check=True)
        with pytest.raises(ink.CorruptFileError, match="finite numbers" if name == "vector_centre" else "length 1, or zeros, found others in row 0"):
            ink.Pool.open(tmp_path / name, trust=True)


@pytest.fixture(scope="module")
def set_in_parts(inkling_program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus that has vectors: as one pool, one, and as a set of three shards, set.json."""
    tmp_path = tmp_path_factory.mktemp("parts")
    vectors = some_vectors(40, 9)
    vectors[5] = 0
    np.save(tmp_path / "E.npy", vectors)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), encoding="utf-8")

    def run(*words: str | Path) -> str:
        done = subprocess.run([inkling_program, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    recipe = ["--ngrams", "1", "--keep-text"]
    plan, counts, shards = tmp_path / "plan.json", tmp_path / "all", [tmp_path / f"shard{n}" for n in range(3)]
    run("parts", "plan", corpus, "--parts", "3", "--vectors", tmp_path / "E.npy", "--out", plan, *recipe)
    for n in range(3):
        run("parts", "count", plan, "--part", str(n), "--keep-rows", "--out", tmp_path / f"counts{n}")
    run("parts", "merge", *(tmp_path / f"counts{n}" for n in range(3)), "--out", counts)
    for n, shard in enumerate(shards):
        rows = ["--rows", tmp_path / f"counts{n}"] if n != 1 else []
        run("parts", "build", plan, "--part", str(n), "--counts", counts, "--out", shard, *rows)
    run("parts", "join", *shards, "--out", tmp_path / "set.json")
    run("build", corpus, "--vectors", tmp_path / "E.npy", "--out", tmp_path / "one", *recipe)
    return tmp_path


def test_a_corpus_in_parts_has_the_vectors_and_the_choices_of_one_pool(inkling_program: str, set_in_parts: Path, tmp_path: Path) -> None:
    job = set_in_parts
    one = ink.Pool.open(job / "one")
    found = [pool.vectors for pool in ink.Pool.open_set(job / "set.json")]
    assert one.vectors is not None and np.vstack([rows for rows in found if rows is not None]).tolist() == one.vectors.tolist()
    command = [inkling_program, "info", job / "set.json", "--json"]
    information = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(information)["dimensions"] == 9
    pipes = [Pipe(inkling_program, str(job / name), "--searches", str(tmp_path / f"{name}.search"), "--seed", "4") for name in ("one", "set.json")]
    for turn in range(12):
        answers = [pipe.ask({"rate": float(turn % 3 == 0)} if turn else {"next": True}) for pipe in pipes]
        assert answers[0] == answers[1]
    why = [pipe.ask({"why": True}) for pipe in pipes]
    assert why[0] == why[1] and "vector" in json.loads(why[0])
    for pipe in pipes:
        pipe.end()
    with open(job / "E.npy", "ab") as file:
        file.write(b"changed")
    build = [inkling_program, "parts", "build", job / "plan.json", "--part", "1", "--counts", job / "all", "--out", tmp_path / "x"]
    done = subprocess.run(build, capture_output=True, text=True)
    assert done.returncode == 3 and "E.npy" in done.stderr


def test_a_live_search_says_that_it_uses_words_alone(set_in_parts: Path) -> None:
    distributed = pytest.importorskip("distributed")

    def said(**settings: float) -> list[str]:
        with distributed.Client(processes=False, dashboard_address=None) as client, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cluster.LiveSearch(set_in_parts / "set.json", client, random_state=1, **settings).close()
        return [str(warning.message) for warning in caught if "words alone count here" in str(warning.message)]

    assert len(said()) == 1 and not said(vectors=0.0)
