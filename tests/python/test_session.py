"""A person's search: its choices, its model, undo and redo, and its file."""

from __future__ import annotations

import base64
import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import inkling as ink

from conftest import random_rows, resident, searcher_of


def play(session: ink.Session, rounds: int, seed: int = 0) -> list[int]:
    """Plays rounds with rewards and marks that depend on the document alone."""
    shown = []
    for _ in range(rounds):
        shown.append(session.choose().document)
        answer(session, shown[-1], seed)
    return shown


def answer(session: ink.Session, document: int, seed: int = 0) -> None:
    X = session.pool.X
    held = X.indices[X.indptr[document] : X.indptr[document + 1]]
    session.rate(document, float(document % 3), [int(word) for word in held if (int(word) + seed) % 5 == 0])


@pytest.mark.parametrize("policy", ink.POLICIES)
def test_the_same_seed_gives_the_same_choices_at_any_number_of_threads(policy: str, pool: ink.Pool) -> None:
    shown = [play(ink.Session(pool, policy, random_state=7, n_jobs=jobs, **searcher_of(policy)), 30) for jobs in (None, 1, 2)]
    assert shown[0] == shown[1] == shown[2]
    assert len(set(shown[0])) == 30


@pytest.mark.parametrize("policy", ink.POLICIES)
def test_what_is_taken_back_leaves_no_trace(policy: str, pool: ink.Pool) -> None:
    once = ink.Session(pool, policy, random_state=3, **searcher_of(policy))
    play(once, 12)
    left = once.choose()
    expected = [*play(once, 10)]
    twice = ink.Session(pool, policy, random_state=3, **searcher_of(policy))
    play(twice, 12)
    assert twice.choose().document == left.document
    taken = 9 if policy != "random" else 4
    play(twice, taken, seed=1)
    twice.skip(twice.choose().document).query(["water"])
    assert len([event for event in twice.undo(taken + 2) if event.kind != "shown"]) == taken + 2
    assert twice.on_offer == [left.document, expected[0]]
    answer(twice, expected[0])
    assert play(twice, 9) == expected[1:]


def test_a_search_is_saved_again_and_again_and_beside_others(pool: ink.Pool, tmp_path: Path) -> None:
    path = tmp_path / "all.search"
    sessions = [ink.Session(pool, random_state=seed) for seed in (1, 2)]
    for _ in range(3):
        for number, session in enumerate(sessions):
            play(session, 3)
            session.undo()
            session.save(path, name=f"number {number}")
    for number, session in enumerate(sessions):
        again = ink.Session.load(path, pool, name=f"number {number}")
        assert again.events().__repr__() == session.events().__repr__()
        assert play(again, 5) == play(session, 5)
    with pytest.raises(ink.FormatError, match="another search of the name"):
        sessions[0].save(path, name="number 1")
    with pytest.raises(ink.FormatError, match="number 0, number 1"):
        ink.Session.load(path, pool)
    with pytest.raises(ink.FormatError, match="expected `pool`"):
        ink.Session.load(path, name="number 1")


def test_every_answer_is_kept_at_once(pool: ink.Pool, tmp_path: Path) -> None:
    pool.save(tmp_path / "pool")
    path = tmp_path / "pool.search"
    twin = ink.Session(pool, random_state=4)
    with ink.Session(ink.Pool.open(tmp_path / "pool"), file=path, name="gold", random_state=4) as session:
        for one in (session, twin):
            play(one, 5)
            one.query({"soil": 1})
            one.choose(3)
            one.undo(2)
        with pytest.raises(ink.FormatError, match="another"):
            ink.Session.open(path, "gold")  # the session above writes to it
    with pytest.raises(ink.FormatError, match="closed"):
        session.choose()
    with pytest.raises(ink.FormatError, match="Session.open"):
        ink.Session(pool, file=path, name="gold")
    with ink.Session.open(path, "gold") as again:
        assert again.on_offer == twin.on_offer
        assert play(again, 5) == play(twin, 5)
    assert ink.Session.load(path).events().__repr__() == twin.events().__repr__()


def test_what_was_acknowledged_outlives_a_kill(pool: ink.Pool, tmp_path: Path) -> None:
    code = """
import inkling as ink, sys
session = ink.Session.open(sys.argv[1], pool=ink.Pool.open(sys.argv[2]))
while session.remaining:
    document = session.next().document
    session.rate(document, float(document % 3), ["water"] if document % 5 == 0 else [])
    print(document, flush=True)
"""
    pool.save(tmp_path / "pool")
    path, chance = tmp_path / "pool.search", np.random.default_rng(8)
    ink.Session(ink.Pool.open(tmp_path / "pool"), file=path).close()
    acknowledged: list[int] = []
    for _ in range(int(os.environ.get("INKLING_KILLS", "4"))):
        child = subprocess.Popen([sys.executable, "-c", code, path, tmp_path / "pool"], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(float(chance.exponential(0.01)))
        child.kill()
        acknowledged += [int(line) for line in [first, *child.stdout.read().splitlines()] if line]
        child.wait()
        rated = [event.document for event in ink.Session.load(path).events() if event.kind == "rated"]
        assert set(acknowledged) <= set(rated) and len(rated) == len(set(rated))
        if len(rated) > len(pool) - 20:
            path.unlink()
            acknowledged = []
            ink.Session(ink.Pool.open(tmp_path / "pool"), file=path).close()
    twin = ink.Session(pool, random_state=1)
    again = ink.Session.open(path)
    for document in [event.document for event in again.events() if event.kind == "rated"]:
        assert twin.next().document == document  # whatever was on offer when it was killed
        twin.rate(document, float(document % 3), ["water"] if document % 5 == 0 else [])
    assert twin.next().document == again.next().document


def test_a_forked_child_leaves_the_file_to_its_parent(tmp_path: Path) -> None:
    code = f"""
import os, inkling as ink
ink.Pool.from_text(["dig the soil", "the cold sea", "wind"]).save({str(tmp_path / "pool")!r})
session = ink.Session(ink.Pool.open({str(tmp_path / "pool")!r}), file={str(tmp_path / "kept")!r})
session.rate(session.next().document, 1.0)
session.next()
child = os.fork()
if child == 0:
    del session  # which neither waits nor writes
    os._exit(5)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
session.rate(session.next().document, 0.0)
session.close()
print(len(ink.Session.load({str(tmp_path / "kept")!r}).events()))
"""
    child = in_a_process(code)
    assert child.stdout.strip() == "4", child.stderr


def test_the_policy_is_inkling_where_none_is_named(pool: ink.Pool) -> None:
    assert ink.Session(pool).policy == ink.DEFAULT_POLICY == "inkling"


@pytest.mark.parametrize("policy", ink.POLICIES)
def test_words_are_rated_before_any_document_and_between(policy: str, pool: ink.Pool, tmp_path: Path) -> None:
    session = ink.Session(pool, policy, random_state=5, **searcher_of(policy)).query({"water": 1, "salt": -1})
    play(session, 5)
    session.query(["soil"]).rate(
        session.choose().document, 0.5, ["boat", {"word": "sail", "rate": -1}, {"word": "tide", "rate": 0.5}]
    )
    play(session, 5)
    session.save(tmp_path / "log.search")
    again = ink.Session.load(tmp_path / "log.search", pool)
    assert [event.kind for event in again.events()] == [event.kind for event in session.events()]
    assert again.events()[0].words == [(pool.feature("water"), 1.0, 1.0), (pool.feature("salt"), -1.0, 1.0)]
    assert again.expectations().tolist() == session.expectations().tolist()
    assert play(session, 10) == play(again, 10)
    twin = ink.Session(pool, policy, random_state=5, **searcher_of(policy))
    twin.query({"water": 1, "salt": -1}).query(["butter"]).undo()
    play(twin, 5)
    assert [event.document for event in twin.events()] == [event.document for event in session.events()[: 1 + 10]]


def test_a_word_that_is_wanted_comes_first_and_one_that_is_not_comes_last(pool: ink.Pool) -> None:
    session = ink.Session(pool, random_state=1).query({"compost": 1, "oven": -1})
    holds = {word: pool.X[:, [pool.feature(word)]].toarray()[:, 0] > 0 for word in ("compost", "oven")}
    ranked = session.ranking(len(pool))["document"]
    assert holds["compost"][ranked[0]] and holds["oven"][ranked[-1]]
    assert session.unmark("compost").unmark("oven").words(1)["weight"][0] == pytest.approx(0.0, abs=1e-12)


def test_the_log_is_one_of_events(pool: ink.Pool, tmp_path: Path) -> None:
    session = ink.Session(pool, random_state=1)
    play(session, 4)
    session.save_events(tmp_path / "log.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert set(lines[0]) == {"pool"} and len(lines) == 5
    assert all(set(line) <= {"document", "reward", "features"} for line in lines[1:])


def test_a_choice_says_how_it_was_made(pool: ink.Pool) -> None:
    session = ink.Session(pool, "ff-oful", random_state=2)
    first = session.choose()
    assert first.explored and first.propensity == pytest.approx(1 / len(pool)) and first.mean is None
    session.rate(first.document, 1.0, [0])
    while True:
        choice = session.choose()
        session.rate(choice.document, 0.0)
        if not choice.explored:
            break
    assert choice.propensity is not None and choice.propensity > 0.1
    assert choice.mean is not None and choice.width is not None and choice.radius is not None


def test_several_documents_at_once_are_different_and_answered_in_any_order(pool: ink.Pool) -> None:
    session = ink.Session(pool, random_state=2)
    choices = session.choose(5)
    assert len({choice.document for choice in choices}) == 5
    assert session.choose().document not in [choice.document for choice in choices]
    for choice in reversed(choices):
        session.rate(choice.document, 1.0, [0])
    log = session.log()
    assert log[log["kind"] == "rated"]["round"].tolist() == [5, 4, 3, 2, 1]
    assert len(session.choose(1000)) == len(pool) - 6
    with pytest.raises(ink.NothingLeftError):
        session.choose()


def test_the_document_on_offer_stays_the_same_until_it_is_rated_or_skipped(pool: ink.Pool) -> None:
    session, twin = ink.Session(pool, random_state=2), ink.Session(pool, random_state=2)
    for end in (session.rate, lambda document, _: session.skip(document)):
        shown = session.next().document
        assert session.next().document == shown == twin.choose().document and session.on_offer == [shown]
        end(shown, 1.0)
        twin.rate(shown, 1.0) if end == session.rate else twin.skip(shown)
    first, second = session.choose(2)
    assert session.next().document == first.document != second.document
    assert session.rate(first.document, 1.0).next().document == second.document
    assert session.rate(second.document, 0.0).next().document not in (first.document, second.document)


def test_a_choice_can_be_limited(pool: ink.Pool) -> None:
    session = ink.Session(pool, random_state=4).rate(0, 1.0, ["water"])
    mask = np.zeros(len(pool), dtype=bool)
    mask[[3, 8]] = True
    assert {session.choose(among=mask).document, session.choose(among=[3, 8]).document} == {3, 8}
    with pytest.raises(ink.NothingLeftError):
        session.choose(among=mask)


def test_a_skipped_document_returns_after_twenty_others() -> None:
    pool = ink.Pool.from_csr(random_rows(25, 6, 2))
    session = ink.Session(pool, "random", random_state=1)
    skipped = session.choose().document
    session.skip(skipped)
    shown = [session.choose().document for _ in range(24)]
    assert skipped not in shown[:20]
    assert session.choose().document == skipped or skipped in shown


@pytest.mark.parametrize("policy", ink.POLICIES)
def test_a_ranking_is_that_of_the_request_and_its_columns_are_those_of_all(policy: str, tmp_path: Path) -> None:
    ink.Pool.from_text([f"soil {'water ' * (n % 3)} salt{n % 7} wind{n % 5}" for n in range(60)]).save(tmp_path / "pool")
    session = ink.Session(ink.Pool.open(tmp_path / "pool"), policy, random_state=2, **searcher_of(policy))
    for turn in range(7):
        if turn == 1:
            session.query({"salt3": 1, "wind2": 1, "water": -1})
        found = session.ranking(9)
        asked = session.ask({"ranking": 9})["documents"]
        assert [(line["document"], line["score"]) for line in asked] == [(int(line["document"]), line["score"]) for line in found]
        means, widths = session.expectations(return_std=True)
        assert np.allclose(session.expectations(), means, rtol=0, atol=1e-12)
        rows = found["document"]
        assert np.allclose(found["mean"], means[rows], rtol=0, atol=1e-12) and np.allclose(found["width"], widths[rows], atol=1e-9)
        assert np.allclose(session.expectations(rows), means[rows], rtol=0, atol=1e-12)
        by_mean = session.ranking(1000, by="mean")
        lines = list(zip((-by_mean["mean"]).tolist(), by_mean["document"].tolist(), strict=True))
        assert lines == sorted(lines) and len(lines) in (0, session.remaining)
        if turn > 0:
            answer(session, session.choose().document)


@pytest.mark.parametrize("policy", ["inkling", "ff-oful"])
def test_expectations_ranks_and_explanations_agree(policy: str, pool: ink.Pool) -> None:
    session = ink.Session(pool, policy, random_state=4)
    play(session, 15)
    means, widths = session.expectations(return_std=True)
    best = session.ranking(3)
    assert best["document"].tolist() == session.ranking(5)["document"].tolist()[:3]
    assert best["score"][0] == pytest.approx(max(session.ranking(1000)["score"]))
    for line in best:
        why = session.why(int(line["document"]))
        assert (
            why.mean
            == pytest.approx(line["mean"], abs=1e-12)
            == pytest.approx(why.words["contribution"].sum() + why.base, abs=1e-12)
        )
        assert why.width == pytest.approx(widths[line["document"]], abs=1e-9)
        if policy == "ff-oful":  # for others the base rate has a share, too
            assert why.base == 0.0
            assert why.words["width_share"].sum() == pytest.approx(1.0) or why.width == 0.0
    words = session.words()
    assert words["feature"].tolist() != [] and np.all(np.diff(np.abs(words["weight"])) <= 0)
    dense = pool.X.toarray()[:, session.features_in_use]
    weights = dict(zip(words["feature"].tolist(), words["weight"].tolist(), strict=True))
    expected = dense @ [weights[f] for f in session.features_in_use.tolist()] + session.why(0).base
    assert np.allclose(expected, means, atol=1e-9)


def test_what_was_learned_is_ridge_regression(pool: ink.Pool) -> None:
    session = ink.Session(pool, "ff-oful", random_state=4, ridge=0.3)
    play(session, 20)
    rated = [event for event in session.events() if event.kind == "rated"]
    X = pool.X.toarray()[[event.document for event in rated]][:, session.features_in_use]
    y = np.array([event.reward for event in rated])
    gram = X.T @ X + 0.3 * np.eye(X.shape[1])
    dense = pool.X.toarray()[:, session.features_in_use]
    means, widths = session.expectations(return_std=True)
    assert np.allclose(means, dense @ np.linalg.solve(gram, X.T @ y), atol=1e-6)
    assert np.allclose(widths**2, np.einsum("ij,ij->i", dense @ np.linalg.inv(gram), dense), atol=1e-6)


def test_many_answers_at_once_are_as_one_after_the_other(pool: ink.Pool) -> None:
    one = ink.Session(pool, random_state=1)
    for document in range(10):
        one.rate(document, document / 3, ["water", "salt"][document % 2 :])
    many = ink.Session(pool, random_state=1)
    many.rate_many(range(10), [d / 3 for d in range(10)], [["water", "salt"][d % 2 :] for d in range(10)])
    assert np.allclose(one.expectations(), many.expectations(), atol=1e-9)
    with pytest.raises(ink.FormatError):
        many.rate_many([11, 0], [1.0, float("1e200")])
    assert np.allclose(one.expectations(), many.expectations(), atol=1e-9)
    many.undo(3)
    assert len(many.log()) == 7


def test_how_many_good_ones_are_left_is_bounded(pool: ink.Pool) -> None:
    session = ink.Session(pool, "random", random_state=1)
    for _ in range(50):
        session.rate(session.choose().document, 0.0)
    estimate = session.good_left()
    assert 0 <= estimate.at_most <= 10 and estimate.draws == 50
    progress = session.progress()
    assert (progress["rated"], progress["without_good"], progress["lately"], progress["good_lately"]) == (50, 50, 50, 0)
    assert progress["guess"] is None  # it needs good documents
    assert progress["good_left"]["at_most"] == estimate.at_most
    assert all(price["at_most"] < estimate.at_most and price["draws"] > 0 for price in progress["prices"])
    assert {rule["without_good"] for rule in progress["rules"]} >= {50}


def test_a_word_that_is_named_twice_counts_once(pool: ink.Pool) -> None:
    means = []
    for marks in (["soil", "Soil", "soil"], ["soil"]):
        feature = pool.feature("soil")
        named = [feature for _ in marks]
        others = [pool.feature(word) for word in ("water", "salt", "boat", "oven")]
        for many in (False, True):
            session = ink.Session(pool, random_state=1)
            if many:
                session.rate_many([0], [1.0], [named + others])
            else:
                session.rate(0, 1.0, named + others)
            means.append(session.expectations())
    for other in means[1:]:
        np.testing.assert_allclose(means[0], other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("features", [30, 400])
def test_words_in_use_are_listed_whatever_form_the_model_has(features: int) -> None:
    pool = ink.Pool.from_csr(random_rows(50, features, 5))
    session = ink.Session(pool, random_state=1).rate(0, 1.0, [3]).rate(1, 0.0)
    assert session.features_in_use.tolist() == session.words()["feature"][np.argsort(session.words()["feature"])].tolist()
    assert session.features_in_use.tolist() == list(range(features))
    session = ink.Session(pool, "ff-oful", random_state=1).rate(0, 1.0, [3, 4]).rate(1, 0.0, [5])
    assert session.features_in_use.tolist() == [3, 4, 5]
    session.unmark(4)
    assert session.features_in_use.tolist() == [3, 5] == sorted(session.words()["feature"].tolist())
    with pytest.raises(ink.FormatError):
        session.unmark(4)


def test_a_random_state_is_an_int_a_generator_or_nothing(pool: ink.Pool) -> None:
    one = ink.Session(pool, random_state=np.random.default_rng(3))
    two = ink.Session(pool, random_state=np.random.default_rng(3))
    assert one.random_state == two.random_state and play(one, 5) == play(two, 5)
    assert ink.Session(pool).random_state != ink.Session(pool).random_state


def test_ten_to_the_five_rounds_leak_nothing() -> None:
    pool = ink.Pool.from_csr(random_rows(200, 40, 5))

    def search(rounds: int) -> None:
        session = ink.Session(pool, random_state=1, with_replacement=True)
        for n in range(rounds):
            session.rate(session.choose().document, 1.0, [n % 40])

    search(2000)
    for _ in range(2):
        search(25_000)
    gc.collect()
    before = resident()
    for _ in range(2):
        search(25_000)
    gc.collect()
    assert resident() - before < 8_000_000  # a log of 50,000 rounds that was not freed would be 20 MB


def test_two_threads_at_once_are_refused_or_take_turns(pool: ink.Pool) -> None:
    session = ink.Session(pool, with_replacement=True, random_state=1)
    errors: list[Exception] = []

    def work() -> None:
        for _ in range(2000):
            try:
                session.rate(session.choose().document, 1.0, [0])
            except RuntimeError as error:
                errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("another thread" in str(error) for error in errors)
    assert session.choose().document >= 0


def in_a_process(code: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)


def test_a_child_after_a_fork_gets_a_clear_error_in_place_of_a_hang() -> None:
    code = """
import os, inkling as ink
pool = ink.Pool.from_text(["dig the soil", "the cold sea"])
child = os.fork()
if child == 0:
    try:
        ink.Session(pool).choose()
    except RuntimeError as error:
        os._exit(7 if "spawn" in str(error) else 8)
    os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert in_a_process(code).stdout.strip() == "7"


def test_a_child_may_begin_with_inkling_itself() -> None:
    code = """
import os, inkling as ink
child = os.fork()
if child == 0:
    ink.Session(ink.Pool.from_text(["dig the soil"])).choose()
    os._exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert in_a_process(code).stdout.strip() == "3"


# Long work, with the code that prepares it; "go" is printed just before the work.
LONG = {
    "build": """
def texts():
    while True:
        yield "dig the soil and water the roots of the tree " * 20
def work():
    ink.Pool.from_text(texts(), memory="4G")
""",
    "read": """
rows = ["dig the soil and water the roots of the tree number%d" % n for n in range(100_000)]
def work():
    pools = []  # one that goes takes its folder along, and Python forgets a signal that comes meanwhile
    while True:
        pools.append(ink.Pool.from_text(rows))
""",
    "score": """
pool = big(400_000)
sessions = [ink.Session(pool, random_state=n) for n in range(8)]
for session in sessions:
    session.rate_many(range(300), [n % 2 for n in range(300)])
def work():
    while True:
        ink.score(pool, sessions)
""",
    "expectations": """
session = ink.Session(big(400_000), random_state=1)
session.rate_many(range(500), [n % 2 for n in range(500)])
def work():
    while True:
        session.expectations()
""",
    "simulate": """
pool = big(20_000)
def work():
    ink.simulate(pool, "oful", rounds=1_000_000, trials=1, with_replacement=True)
""",
    "learn": """
session = ink.Session(big(20_000), "oful", random_state=1)
def work():
    while True:
        session.rate_many(range(2000), [n % 2 for n in range(2000)]).undo(2000)
""",
}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_long_work_at_once(name: str) -> None:
    code = f"""
import signal, numpy as np, scipy.sparse as sp, inkling as ink
signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs the tests may ignore it
def big(documents):
    chance = np.random.default_rng(1)
    words = np.sort(chance.integers(0, 50, (documents, 20)) * 20 + np.arange(20), axis=1).astype(np.int32)
    values = np.full(documents * 20, 0.2, dtype=np.float32)
    ends = np.arange(0, documents * 20 + 1, 20, dtype=np.int32)
    return ink.Pool.from_csr(sp.csr_array((values, words.ravel(), ends), shape=(documents, 1000)))
{LONG[name]}
try:
    print("go", flush=True)
    work()
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "go\n"
        time.sleep(0.5)
        last_hope = threading.Timer(60.0, child.kill)
        last_hope.start()
        child.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert child.stdout.readline() == "stopped\n"
        waited = time.monotonic() - start
        last_hope.cancel()
    if "INKLING_FIGURES" in os.environ:
        print(f"Ctrl-C in {name}: {1000 * waited:.0f} ms")
    assert waited < 0.2 * float(os.environ.get("INKLING_PATIENCE", "10"))


def test_pandas_reads_every_field_and_rating_of_an_export(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    rows = {
        "id": ["a", "b", "c"],
        "text": ["gold mines and ounces", "=1+1 of silver, \"sterling\"", "copper\nwires"],
        "year": [1999, 2001, 2003],
        "doi": ["10.1/a", "", "10.1/c"],
        "colour": ["_x0041_", "<b>&amp;", "é😀"],
    }
    session = ink.Session(ink.Pool.from_frame(rows, out=tmp_path / "pool"))
    session.rate(0, 1, ["gold"])
    session.rate(1, 0.25)
    session.rate(2, 0)
    for ending in ("csv", "jsonl", "xlsx"):
        path = tmp_path / f"work.{ending}"
        session.export(path)
        if ending == "xlsx":
            pytest.importorskip("openpyxl")
            frame = pandas.read_excel(path, keep_default_na=False)
        elif ending == "csv":
            frame = pandas.read_csv(path, keep_default_na=False)
        else:
            frame = pandas.read_json(path, lines=True)
        mark = "'" if ending == "csv" else ""  # the mark that keeps programs for tables from running a formula
        assert list(frame["id"]) == rows["id"]
        assert list(frame["text"]) == [rows["text"][0], mark + rows["text"][1], rows["text"][2]]
        assert list(frame["year"]) == rows["year"] and list(frame["doi"].fillna("")) == rows["doi"]
        # openpyxl does not decode escapes such as _x005F_
        assert list(frame["colour"]) == ["_x005F_x0041_" if ending == "xlsx" else "_x0041_", *rows["colour"][1:]]
        assert list(frame["rating"]) == [1, 0.25, 0] and list(frame["included"]) == [1, 0, 0]
        assert frame["words_for"][0] in ("gold", ["gold"])


def test_a_search_begins_with_ratings_of_the_records_and_is_exported(tmp_path: Path) -> None:
    rows = {
        "id": ["a", "b", "c"],
        "text": ["gold mines and ounces", "silver and sterling", "copper wires"],
        "year": [1999, 2001, 2003],
        "included": ["yes", "", "excluded"],
    }
    pool = ink.Pool.from_frame(rows, out=tmp_path / "pool")
    session = ink.Session(pool, file=tmp_path / "pool.search", rated_by="included")
    session.rate(1, 0.75, ["silver"])
    asked = session.ask({"export": "csv", "which": "good"})
    session.export(tmp_path / "work.csv", which="good")
    assert (tmp_path / "work.csv").read_bytes().decode() == asked["text"]
    assert asked["text"].split("\r\n")[0].startswith("id,year,text,rating,included,words_for")
    session.export(tmp_path / "work.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "work.jsonl").read_text().splitlines()]
    assert [(line["id"], line["rating"], line["chosen"]) for line in lines] == [
        ("a", 1, "imported"),
        ("c", 0, "imported"),
        ("b", 0.75, "named"),
    ]
    assert lines[2]["words_for"] == ["silver"]
    session.export(tmp_path / "work.xlsx")
    assert base64.b64decode(session.ask({"export": "xlsx"})["text"]) == (tmp_path / "work.xlsx").read_bytes()
    with pytest.raises(ink.FormatError, match=r"\.csv, \.jsonl, \.ris or \.xlsx"):
        session.export(tmp_path / "work.txt")
    with pytest.raises(ink.FormatError, match="expected a field of the records"):
        ink.Session(pool, rated_by="year_of")


@pytest.mark.parametrize("size", [0, 100, 4096, 20_000])
def test_a_cut_index_of_an_open_log_does_not_end_the_process_and_loses_no_answer(tmp_path: Path, size: int) -> None:
    """Went wrong: Python ended by SIGBUS."""
    ink.Pool.from_csr(random_rows(40, 20, 3)).save(tmp_path / "pool")
    pool = ink.Pool.open(tmp_path / "pool")
    session = ink.Session(pool, file=tmp_path / "log", name="x", random_state=1)
    for document in range(5):
        session.rate(document, 1.0)
    os.truncate(tmp_path / "log-shm", size)
    for document in (5, 6):
        with pytest.raises(ink.CorruptFileError, match="log-shm.*became shorter"):
            session.rate(document, 0.0)
    with contextlib.suppress(ink.CorruptFileError):  # a reader gets the same error or all events
        assert len(ink.Session.load(tmp_path / "log", pool).events()) == 5
    session.close()
    with ink.Session.open(tmp_path / "log", pool=pool) as again:
        assert [event.document for event in again.events()] == list(range(5))
        again.rate(20, 1.0)
    ink.Pool.from_csr(random_rows(4, 4, 1)).X  # other work goes on


def test_copies_are_taken_apart_and_joined_again(tmp_path: Path) -> None:
    file = tmp_path / "kept.search"
    pool = ink.Pool.from_text(["dig the soil", "the cold sea", "dig the  soil", "soil and sea"], out=tmp_path / "pool")
    with ink.Session(pool, file=file) as session:
        assert session.copies() == {2: 0}
        assert session.ask({"copies": True})["documents"] == [{"document": 2, "same_as": 0}]
        session.rate(2, 1.0)
        assert session.separate(2).copies() == {}
        assert session.progress()["documents"] == 4
        session.rate(2, 0.0)
        with pytest.raises(ink.FormatError, match="because it is a copy"):
            session.separate(2)
        session.save_events(tmp_path / "events")
        assert (tmp_path / "events").read_text().splitlines()[1:] == [
            '{"document":0,"reward":1}', '{"document":2,"separated":true}', '{"document":2,"reward":0}']
    with ink.Session.open(file, pool=pool) as again:
        assert again.copies() == {}
        assert again.ask({"why": True, "document": 0})["rated"]["reward"] == 1
        again.undo(2)
        assert again.copies() == {2: 0}
        assert again.ask({"why": True, "document": 2})["rated"]["reward"] == 1


def test_files_of_several_formats_are_one_pool(tmp_path: Path) -> None:
    (tmp_path / "a.ris").write_text("TY  - JOUR\nTI  - Dig the soil deep\nDO  - 10.1/a\nER  - \n")
    (tmp_path / "b.csv").write_text("title,abstract,doi\nDig the soil deep,soil and sand,10.1/a\nA stone,sun,10.1/c\n")
    pool = ink.Pool.from_files([tmp_path / "a.ris", tmp_path / "b.csv"], out=tmp_path / "pool")
    assert [(one["format"], one["documents"], one["copies_across"]) for one in pool.sources()] == [("ris", 1, 0), ("csv", 2, 1)]
    assert ink.Pool.from_text(["one", "two"]).sources()[0]["documents"] == 2


def test_a_notebook_shows_how_far_a_search_is_and_its_curve(pool: ink.Pool) -> None:
    session = ink.Session(pool, random_state=1)
    assert "0 of" in session._repr_html_() and "<svg" not in session._repr_html_()
    for document in range(6):
        session.rate(document, document % 2, ["water"])
    shown = session._repr_html_()
    assert f"6 of {len(pool)} documents rated, 3 of them good" in shown and "3 good documents among 6 rated" in shown and "water" in shown


@pytest.mark.parametrize("policy", ["inkling", "ff-oful", "soft-marks", "random"])
def test_texts_that_are_not_in_the_pool_have_scores(policy: str, pool: ink.Pool) -> None:
    session = ink.Session(pool, policy, random_state=4)
    assert session.score_texts(["water"]).tolist() == session.expectations([])[:0].tolist() + [0.0]
    play(session, 12)
    texts = [pool.text(document) for document in range(20)]
    assert np.allclose(session.score_texts(texts), session.expectations(range(20)), atol=1e-6)
    assert np.allclose(pool.X @ session.weights + session.base_rate, session.expectations(), atol=1e-9)


def test_many_documents_are_ranked_by_a_scan_and_few_by_themselves(pool: ink.Pool) -> None:
    session = ink.Session(pool, random_state=4)
    play(session, 12)
    few, many = range(3), range(len(pool) - 1)
    assert 16 * len(few) < len(pool) < 16 * len(many)
    for rows in (few, many):
        for found, of_all in zip(session.expectations(rows, return_std=True), session.expectations(return_std=True), strict=True):
            assert np.allclose(found, of_all[list(rows)], atol=1e-9)

