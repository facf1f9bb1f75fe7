"""A search is the same in Python and on a pipe: its documents, undo and redo, and its file."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import inkling as ink
from inkling import _core
from inkling._settings import of_policy

from conftest import Pipe, made_up_texts, searcher_of


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> ink.Pool:
    place = tmp_path_factory.mktemp("one_search") / "pool"
    return ink.Pool.from_text(made_up_texts(40, 3)[0], out=place)


class Twins:
    """The same search twice: `session` in Python and `pipe` in the program. At times each continues the file of the other."""

    def __init__(self, program: str, pool: ink.Pool, policy: str, seed: int, folder: Path) -> None:
        self.program, self.pool, self.random = program, pool, random.Random(seed)
        self.files = [folder / "python.search", folder / "pipe.search"]
        self.session = ink.Session(pool, policy, file=self.files[0], random_state=seed)
        self.how = ["--policy", policy, "--seed", str(seed)]
        self.pipe = self.program_on(self.files[1])

    def program_on(self, file: Path) -> Pipe:
        assert self.pool.path is not None
        return Pipe(self.program, self.pool.path, "--searches", str(file), *self.how, kills=self.random.random() < 0.5)

    def ask(self, **request: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.pipe.ask(request))
        return answer

    def words(self, apart: bool) -> list[dict[str, Any]]:
        words: list[dict[str, Any]] = []
        for feature in self.random.sample(range(self.pool.shape[1]), self.random.randrange(1 if apart else 0, 4)):
            words.append({"word": feature, "confidence": self.random.choice([1.0, 0.5])})
            if apart or self.random.random() < 0.5:
                words[-1]["rate"] = self.random.choice([1.0, -1.0, 0.25])
        return words

    def rate(self, document: int) -> None:
        words = self.words(apart=False)
        reward = self.random.choice([0.0, 1.0, 0.3])
        self.session.rate(document, reward, words)
        self.ask(rate=reward, document=document, words=words)

    def both(self, of_session: Any, **request: Any) -> None:
        """Checks that both accept the request or both refuse it."""
        try:
            of_session()
        except ink.FormatError:
            assert "error" in self.ask(**request)
        else:
            assert "error" not in self.ask(**request)

    def disturb(self) -> None:
        some = self.random.randrange(self.pool.shape[0])
        feature = self.random.randrange(self.pool.shape[1])
        count = self.random.randrange(1, 4)
        kind = self.random.randrange(12)
        if kind == 0:
            words = self.words(apart=True)
            self.both(lambda: self.session.query(words), query=words)
        elif kind == 1:
            self.both(lambda: self.session.unmark(feature), unmark=feature)
        elif kind == 2:
            self.both(lambda: self.session.undo(count), undo=count)
        elif kind == 3:
            self.both(lambda: self.session.redo(count), redo=count)
        elif kind == 4:
            self.both(lambda: self.session.skip(some), skip=True, document=some)
        elif kind == 5:
            self.both(lambda: self.session.sample(count), sample=count)
        elif kind == 6:
            self.rate(some)
        elif kind == 7:
            self.reopen()

    def reopen(self) -> None:
        """Ends or kills both. Each continues its own file or that of the other."""
        self.session.close()
        self.pipe.end()
        if self.random.random() < 0.5:
            self.files.reverse()
        self.session = ink.Session.open(self.files[0])
        self.pipe = self.program_on(self.files[1])

    def show(self) -> None:
        """Rates the next document. If Python has one on offer again, rates that, because another would be chosen beside it."""
        if self.session.on_offer:
            return self.rate(self.session.on_offer[0])
        shown = self.ask(next=True)["document"]
        try:
            choice = self.session.choose().document
        except ink.NothingLeftError:
            choice = None
        assert choice == shown
        if choice is None:
            return
        if self.random.random() < 0.2:
            self.session.skip(choice)
            self.ask(skip=True, document=choice)
        else:
            self.rate(choice)


@pytest.mark.parametrize("policy", _core.search_policies())
def test_a_search_shows_the_same_documents_in_python_and_on_a_pipe(
    policy: str, shelf: ink.Pool, inkling_program: str, tmp_path: Path
) -> None:
    for number in range(13):
        folder = tmp_path / str(number)
        folder.mkdir()
        twins = Twins(inkling_program, shelf, policy, number, folder)
        try:
            for _ in range(30):
                twins.disturb()
                twins.show()
        finally:
            twins.session.close()
            twins.pipe.end()


def answer_at_random(session: ink.Session, chance: random.Random) -> None:
    documents, features = session.pool.shape
    some, feature = chance.randrange(documents), chance.randrange(features)
    kind = chance.randrange(10)
    try:
        if kind < 3:
            for choice in session.choose(chance.randrange(1, 4)):
                if chance.random() < 0.7:
                    session.rate(choice.document, chance.choice([0.0, 1.0]), [chance.randrange(features)])
        elif kind == 3:
            other = {"word": (feature + 1) % features, "rate": -1.0, "confidence": 0.5}
            session.rate(some, 1.0, [{"word": feature, "confidence": 0.5}, other])
        elif kind == 4:
            session.unmark(feature)
        elif kind == 5:
            session.undo(chance.randrange(1, 4))
        elif kind == 6:
            session.redo()
        elif kind == 7:
            session.query({feature: chance.choice([1, -1])})
        elif kind == 8:
            session.rate_many([some, (some + 1) % documents], [1.0, 0.0], [[feature], []])
        else:
            session.skip(some)
    except (ink.FormatError, ink.NothingLeftError):
        pass  # nothing to take back or no such word


@pytest.mark.parametrize("policy", ink.POLICIES)
def test_a_session_that_is_saved_or_pickled_equals_one_that_never_was(policy: str, shelf: ink.Pool, tmp_path: Path) -> None:
    for number in range(25):
        settings = searcher_of(policy) | of_policy({"ridge": 0.5}, policy) | ({"with_replacement": True} if number % 5 == 0 else {})
        whole = ink.Session(shelf, policy, random_state=number, **settings)
        other = ink.Session(shelf, policy, random_state=number, **settings)
        path = tmp_path / f"{number}.search"
        ways, says, twin = random.Random(number), random.Random(number), random.Random(number)
        for _ in range(30):
            answer_at_random(whole, says)
            answer_at_random(other, twin)
            way = ways.randrange(6)
            if way == 0:
                other = pickle.loads(pickle.dumps(other))
            elif way == 1:
                other.save(path)
                other = ink.Session.load(path, shelf)
            assert other.on_offer == whole.on_offer
        assert other.events().__repr__() == whole.events().__repr__()
        assert other.log().tolist().__repr__() == whole.log().tolist().__repr__()
        assert other.expectations().tolist() == whole.expectations().tolist()
        assert other.good_left() == whole.good_left()


def test_a_rated_word_whose_document_lost_a_mark_is_kept(shelf: ink.Pool, tmp_path: Path) -> None:
    """Went wrong: the saved file lost the rating of word 0 when word 2 was unmarked."""
    session = ink.Session(shelf, random_state=1).rate(0, 1.0, [2, {"word": 0, "rate": -1.0}]).unmark(2)
    session.save(tmp_path / "log.search")
    for again in (pickle.loads(pickle.dumps(session)), ink.Session.load(tmp_path / "log.search", shelf)):
        assert again.expectations().tolist() == session.expectations().tolist()
    never = ink.Session(shelf, random_state=1).rate(0, 1.0, {0: -1.0})
    assert never.expectations().tolist() == session.expectations().tolist()
    assert never.choose().document == session.choose().document


@pytest.mark.parametrize("policy", ink.POLICIES)
def test_unmarking_a_word_equals_never_marking_it(policy: str, shelf: ink.Pool) -> None:
    chance = random.Random(7)
    for number in range(20):
        marked = ink.Session(shelf, policy, random_state=number, **searcher_of(policy))
        never = ink.Session(shelf, policy, random_state=number, **searcher_of(policy))
        word = chance.randrange(shelf.shape[1])
        for document in chance.sample(range(shelf.shape[0]), 6):
            others = [one for one in chance.sample(range(shelf.shape[1]), 3) if one != word]
            reward = chance.choice([0.0, 1.0])
            marked.rate(document, reward, [*others, word])
            never.rate(document, reward, others)
        marked.unmark(word)
        assert marked.expectations().tolist() == never.expectations().tolist()
        assert [marked.choose().document for _ in range(5)] == [never.choose().document for _ in range(5)]
