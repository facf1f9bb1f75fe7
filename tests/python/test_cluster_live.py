"""Live searches by actors of Dask make the choices of one machine even if workers are killed. Skipped without Dask."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cluster_jobs import RECIPE, WORDS, skip_if_older, some_workers, two_workers, write_corpus

import inkling as ink
from conftest import searcher_of
from inkling import cluster
from inkling._settings import of_policy


@pytest.fixture(scope="module")
def job(inkling_program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus as a set of three shards, made/set.json, and as one pool."""
    pytest.importorskip("distributed")
    skip_if_older(inkling_program)
    folder = tmp_path_factory.mktemp("live")
    corpus = write_corpus(folder / "corpus.jsonl", 1500)
    records = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    for number in range(6, len(records), 7):  # texts that are there twice, mostly in two shards
        records[number]["text"] = records[number // 2]["text"]
    corpus.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        cluster.build(corpus, folder / "made", executor, parts=3, program=inkling_program, **RECIPE)
    recipe = ["--keep-text", "--min-df", "2", "--out", str(folder / "pool")]
    subprocess.run([inkling_program, "build", str(corpus), *recipe], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def pool(job: Path) -> ink.Pool:
    return ink.Pool.open(job / "pool")


@pytest.fixture(scope="module")
def client(job: Path) -> Iterator[Any]:
    with two_workers() as made:
        yield made


class Reader:
    """Likes documents with certain words, marks them, rates words apart, and at times rates other documents."""

    def __init__(self, pool: ink.Pool, seed: int) -> None:
        self.pool = pool
        self.chance = random.Random(seed)
        self.liked = set(self.chance.sample(WORDS, 150))
        self.known = set(pool.get_feature_names_out().tolist())
        self.rated: set[int] = set()

    def answer(self, one: ink.Session, live: cluster.LiveSearch, document: int, text: str) -> None:
        words = [word for word in dict.fromkeys(text.split()) if word in self.liked and word in self.known]
        reward = 1.0 if words else 0.0
        marks: list[Any] = words[: self.chance.randrange(3)]
        if marks and self.chance.random() < 0.3:
            marks = [{"word": word, "confidence": 0.75} for word in marks]
        if self.chance.random() < 0.1:
            other = self.chance.choice(sorted(self.known - set(words)))
            marks.append({"word": other, "rate": self.chance.choice([1.0, -1.0])})
        for search in (one, live):
            search.rate(document, reward, marks)
        self.rated.add(document)
        if self.chance.random() < 0.05:
            word = self.chance.choice(sorted(self.known))
            one.query([word])
            live.query([word])
        if self.chance.random() < 0.05 and words:
            refused = []
            for search in (one, live):
                try:
                    search.unmark(words[0])
                except ink.FormatError:  # the word was not marked
                    refused.append(search)
            assert len(refused) in (0, 2)
        if self.chance.random() < 0.05:
            other = self.chance.randrange(self.pool.shape[0])
            if other not in self.rated:
                self.rated.add(other)
                one.rate(other, 0.5)
                live.rate(other, 0.5)


def play(one: ink.Session, live: cluster.LiveSearch, reader: Reader, rounds: int) -> int:
    """Plays rounds and checks that both choose the same. Returns the number of random plays."""
    explored = 0
    for number in range(rounds):
        expected, choice = one.choose(), live.next()
        assert (number, choice.document, choice.explored) == (number, expected.document, expected.explored)
        assert expected.radius in (None, choice.radius)  # there is none if nothing is learned yet
        assert choice.text == expected.text
        explored += choice.explored
        reader.answer(one, live, choice.document, expected.text)
    return explored


def test_choices_of_actors_are_those_of_one_machine(job: Path, pool: ink.Pool, client: Any) -> None:
    plays = []
    for number, policy in enumerate(ink.POLICIES):
        settings = {**searcher_of(policy), **of_policy({"noise": 0.3}, policy)}
        one = ink.Session(pool, policy, random_state=number, **settings)
        with cluster.LiveSearch(job / "made" / "set.json", client, policy, random_state=number, **settings) as live:
            start = time.monotonic()
            plays.append(play(one, live, Reader(pool, number), 320 if policy == ink.DEFAULT_POLICY else 25))
            if "INKLING_FIGURES" in os.environ:
                print(f"{policy}: {1000 * (time.monotonic() - start) / live.rounds:.1f} ms a round")
            assert live.remaining == one.remaining
            if one.radius is None:
                continue  # it ranks by a random draw or not at all
            ranked = one.ranking(5)
            assert [document for document, _ in live.ranking(5)] == ranked["document"].tolist()
            # The session adds mean and width in another order, which rounds differently.
            np.testing.assert_allclose([score for _, score in live.ranking(5)], ranked["score"], rtol=1e-12)
    assert max(plays) > 5


def test_a_search_begun_by_words_alone_offers_what_holds_most_of_them_in_all_parts(job: Path, pool: ink.Pool, client: Any) -> None:
    holders = pool.document_frequency
    words = [int(word) for word in np.argsort(-np.asarray(holders))[[3, 9, 20, 40]]]
    one = ink.Session(pool, random_state=5)
    with cluster.LiveSearch(job / "made" / "set.json", client, random_state=5) as live:
        for search in (one, live):
            search.query(words)
        for number in range(16):
            first = live.ranking(1)[0][0]
            expected, choice = one.choose(), live.next()
            assert (number, choice.document, choice.explored) == (number, expected.document, expected.explored)
            assert choice.explored or choice.document == first
            for search in (one, live):
                search.rate(choice.document, 0.0)


def test_a_text_of_two_shards_is_offered_once_and_a_copy_stands_for_it(job: Path, pool: ink.Pool, client: Any) -> None:
    copies = np.load(job / "pool" / "documents" / "copies.npy")
    originals = np.load(job / "pool" / "documents" / "originals.npy")
    far = int(np.argmax(copies - originals))
    one = ink.Session(pool, random_state=8)
    with cluster.LiveSearch(job / "made" / "set.json", client, random_state=8) as live:
        assert live.remaining == one.remaining == 1500 - len(copies)
        for search in (one, live):
            search.rate(int(copies[far]), 1.0, [0])
            search.rate(int(originals[far]), 0.0)
        assert live.remaining == one.remaining == 1499 - len(copies)
        assert [event.document for event in live.events] == [originals[far]]
        shown = []
        for _ in range(40):
            shown.append(live.next().document)
            assert shown[-1] == one.next().document
            for search in (one, live):
                search.rate(shown[-1], len(shown) % 2)
        assert not set(shown) & set(copies.tolist())
    saved = job / "saved.jsonl"
    one.save_events(saved)
    of_pool, of_set = (ink.score(job / place, saved, top=2000) for place in ("pool", "made/set.json"))
    assert (of_pool.table == of_set.table).all()


def test_a_search_continues_from_the_events_of_another(job: Path, pool: ink.Pool, client: Any) -> None:
    one, reader = ink.Session(pool, random_state=3), Reader(pool, 3)
    the_set = job / "made" / "set.json"
    with cluster.LiveSearch(the_set, client, random_state=3) as live:
        play(one, live, reader, 25)
        live.next()  # not answered, so the next search chooses it again
        past = live.events
    with cluster.LiveSearch(the_set, client, random_state=3, past=past) as live:
        assert live.rounds == 25
        play(one, live, reader, 25)


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_worker_that_is_killed_costs_no_event(job: Path, pool: ink.Pool, at_once: int) -> None:
    one, reader = ink.Session(pool, random_state=4), Reader(pool, 4)
    chance = random.Random()
    with two_workers() as client, cluster.LiveSearch(job / "made" / "set.json", client, random_state=4) as live:
        longest = 0.0
        for _ in range(3):
            play(one, live, reader, chance.randrange(1, 20))
            if chance.random() < 0.5:
                live.next()
            for worker in chance.sample(workers_of(client), at_once):
                os.kill(worker, signal.SIGKILL)
            start = time.monotonic()
            play(one, live, reader, 2)
            longest = max(longest, time.monotonic() - start)
        if "INKLING_FIGURES" in os.environ:
            print(f"{3 * at_once} workers killed, {at_once} at once: at most {longest:.1f} s until the search continued")
        assert longest < live.timeout / 2  # Dask alone would wait for a dead worker until the timeout


def workers_of(client: Any) -> list[int]:
    """The process ids of both workers, as soon as both are there."""
    client.wait_for_workers(2)
    return list(client.run(os.getpid).values())


def test_a_document_that_could_not_be_shown_is_the_next_one_still(
    job: Path, pool: ink.Pool, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any) -> Any:
        raise cluster.WorkerLostError("shard 0: lost")

    session = ink.Session(pool, random_state=5)
    with cluster.LiveSearch(job / "made" / "set.json", client, random_state=5) as search:
        for n in range(8):
            with monkeypatch.context() as patched:
                patched.setattr(search, "_ask", lost)
                with pytest.raises(cluster.WorkerLostError):
                    search.next()
            document = search.next().document
            assert document == session.choose().document
            search.rate(document, n % 2)
            session.rate(document, n % 2)
        assert search.rounds == 8


def test_a_search_without_workers_names_the_shard_and_continues_when_one_comes(job: Path, pool: ink.Pool) -> None:
    one, reader = ink.Session(pool, random_state=5), Reader(pool, 5)
    with some_workers(1) as (local, client):
        with cluster.LiveSearch(job / "made" / "set.json", client, random_state=5, timeout=2.0) as live:
            play(one, live, reader, 5)
            local.scale(0)
            while client.nthreads():
                time.sleep(0.05)
            start = time.monotonic()
            with pytest.raises(cluster.WorkerLostError, match=r"shard \d \(.*shards/\d\): .* within 2 seconds"):
                live.next()
            assert time.monotonic() - start < 30
            local.scale(1)
            client.wait_for_workers(1)
            live.timeout = 60.0
            play(one, live, reader, 5)


def test_invalid_requests_are_refused_and_change_nothing(job: Path, pool: ink.Pool, client: Any) -> None:
    the_set = job / "made" / "set.json"
    one, reader = ink.Session(pool, random_state=6), Reader(pool, 6)
    with pytest.raises(TypeError, match="expected a client of Dask"):
        cluster.LiveSearch(the_set, 3)
    with pytest.raises(TypeError, match="unexpected setting 'nois'"):
        cluster.LiveSearch(the_set, client, nois=1)
    with pytest.raises(ink.FormatError, match="policy 'fast'"):
        cluster.LiveSearch(the_set, client, "fast")
    with pytest.raises(ink.FormatError, match="noise"):
        cluster.LiveSearch(the_set, client, "ff-oful", noise=-1.0)
    with cluster.LiveSearch(the_set, client, random_state=6) as live:
        play(one, live, reader, 3)
        for wrong in (
            lambda: live.rate(1500, 1.0),
            lambda: live.rate(3, float("nan")),
            lambda: live.rate(3, 1.0, "soil"),
            lambda: live.rate(3, 1.0, ["no such word"]),
            lambda: live.rate(3, 1.0, [10**6]),
            lambda: live.rate(3, 1.0, [{"word": 1, "confidence": 2.0}]),
            lambda: live.rate(3, 1.0, [{"word": 1, "rate": 2.0}]),
            lambda: live.rate(3, 1.0, [{"word": 1}]),
            lambda: live.query([]),
            lambda: live.ranking(0),
        ):
            with pytest.raises(ink.FormatError):
                wrong()
        play(one, live, reader, 3)
