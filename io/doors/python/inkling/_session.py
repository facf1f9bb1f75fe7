"""A person's search: documents are chosen, rated and explained, and all of it can be taken back and kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _core
from ._answers import Choice, Estimate, Event, Explanation
from ._errors import FormatError, NothingLeftError
from ._pool import Pool
from ._said import Marks, Ratings, rated_words, words_of_document
from ._settings import DEFAULT_POLICY, takes_settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOG = np.dtype(
    [
        ("kind", "U8"),
        ("round", "i8"),
        ("document", "i4"),
        ("reward", "f8"),
        ("marks", "i4"),
        ("explored", "?"),
        ("radius", "f8"),
        ("mean", "f8"),
        ("width", "f8"),
        ("pscore", "f8"),
    ]
)
RANKED = np.dtype([("document", "i4"), ("mean", "f8"), ("width", "f8"), ("ucb", "f8")])


class Session:
    """One person's search of a pool, the same one that the terminal, a pipe and the server hold.

    One thread at a time uses it. The same pool, policy, settings and `random_state` show the same documents at every door,
    and what is shown is a function of these and of the answers that hold.

    Parameters
    ----------
    pool
        What is searched.
    policy
        Any of `inkling.POLICIES`; `inkling`, the default, needs nothing told. A setting at which the policy does not look is
        refused; `help(inkling.Session.__init__)` says what each means, and which policies look at it.
    file
        Where the search is kept, each answer before it is answered for: a log of searches, as `inkling search` and `inkling
        serve` write it. It is made where there is none. Without it, nothing is kept.
    name
        Of the search in its file, where it must be a new one; `Session.open` goes on with one.
    rated_by
        A field of the records (`Pool.fields`) whose values are ratings: 0 or 1, yes or no, included or excluded, nothing; or
        notes of ASReview and Rayyan. The search begins with them.
    random_state
        A seed, a generator of NumPy or None for any. With a `file` and None it is 1, as at the other doors.

    Examples
    --------
    >>> import inkling as ink
    >>> texts = ["dig the soil", "the sea is cold", "soil and compost", "a cold wind"]
    >>> session = ink.Session(ink.Pool.from_text(texts), random_state=1)
    >>> first = session.choose()
    >>> session.observe(first.document, 1.0).observe((first.document + 1) % 4, 1.0, [3])
    <Session of inkling: 1 round, 2 observed, 2 left>
    >>> [event.kind for event in session.undo()]
    ['observed']
    >>> session.rate_words({"soil": 1, "sea": -1})
    <Session of inkling: 1 round, 1 observed, 3 left>
    """

    @takes_settings
    def __init__(
        self,
        pool: Pool,
        policy: str = DEFAULT_POLICY,
        *,
        file: str | os.PathLike[str] | None = None,
        name: str = "search",
        rated_by: str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        **settings: Any,
    ) -> None:
        """A new search; what was said is learned by `policy` with these settings."""
        if not isinstance(pool, Pool):
            raise FormatError("pool", f"expected an inkling.Pool, got {type(pool).__name__}")
        if not isinstance(policy, str):
            raise FormatError(f"policy {policy!r}", "expected the name of a policy")
        self.pool = pool
        if settings.get("given") is not None:
            settings["given"] = [self._feature(word) for word in settings["given"]]
        options = _core.PolicyOptions(policy, settings)
        facts = _core.SearchFacts()
        facts.name, facts.policy, facts.options = str(name), policy, options.text(policy)
        facts.pool = os.path.abspath(pool.path) if pool.path is not None else ""
        facts.seed = 1 if random_state is None and file is not None else _checks.seed_of(random_state)
        path = None if file is None else _checks.path_of("file", file)
        if path is not None:
            facts.fingerprint = pool.fingerprint()
        self._n_jobs = n_jobs
        rated = ([], []) if rated_by is None else _core.ratings_of_field(pool._core, str(rated_by))
        self._core = _core.Session(pool._core, facts, [], path, _checks.threads_of(n_jobs))
        if rated[0]:
            self.observe_many(*rated)

    @classmethod
    def _of(
        cls, pool: Pool, facts: _core.SearchFacts, past: list[Any], path: str | None, n_jobs: int | None
    ) -> Session:
        session = object.__new__(cls)
        session.pool, session._n_jobs = pool, n_jobs
        session._core = _core.Session(pool._core, facts, past, path, _checks.threads_of(n_jobs))
        return session

    @classmethod
    def open(
        cls,
        file: str | os.PathLike[str],
        name: str | None = None,
        *,
        pool: Pool | None = None,
        n_jobs: int | None = None,
    ) -> Session:
        """Goes on with a search that a file keeps, begun at any door, and keeps what is said there.

        Without a name, the file must keep one search. Without `pool`, that of the search is opened: where it was, or beside
        the file. Nobody else may write to the file meanwhile; `close` lets go of it.
        """
        path, facts, pool = _kept_search(file, name, pool)
        return cls._of(pool, facts, [], path, n_jobs)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        pool: Pool | None = None,
        *,
        name: str | None = None,
        n_jobs: int | None = None,
    ) -> Session:
        """The same, but the file is only read: what is said from now on is not kept there."""
        place, facts, pool = _kept_search(path, name, pool)
        return cls._of(pool, facts, _core.past_in(place, facts), None, n_jobs)

    def save(self, path: str | os.PathLike[str], *, name: str | None = None) -> None:
        """Keeps all of the search in a log of searches, which is made where there is none.

        Where the log has an earlier state of it under this name, the rest is appended. `load` and `open`, and the other
        doors, go on from there.
        """
        if not self._core.facts.fingerprint:
            self._core.facts.fingerprint = self.pool.fingerprint()
        self._core.save(_checks.path_of("path", path), self.name if name is None else str(name))

    def save_events(self, path: str | os.PathLike[str]) -> None:
        """Writes what holds of what was said as JSON lines, which `inkling score --events` and `inkling.score` read."""
        if not self._core.facts.fingerprint:
            self._core.facts.fingerprint = self.pool.fingerprint()
        _core.write_file(_checks.path_of("path", path), self._core.events_text)

    def export(self, path: str | os.PathLike[str], *, which: str = "all") -> None:
        """Writes the records with what was said of each: a file whose name ends in .csv, .jsonl, .ris or .xlsx.

        `which` is all answers in order, the good documents, or the unread ones by rank. `inkling.score`, `inkling search --import`
        and `Pool.from_files` read it. The pool must be on disk.
        """
        place = _checks.path_of("path", path)
        _core.write_file(place, self._core.work(place, str(which)))

    def close(self) -> None:
        """Lets go of the file, so that others may write to it. Nothing more can be said after this."""
        self._core.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def policy(self) -> str:
        """The name of the policy."""
        return self._core.facts.policy

    @property
    def name(self) -> str:
        """Of the search, in the file that keeps it."""
        return self._core.facts.name

    @property
    def random_state(self) -> int:
        """With it, a search of the same pool, policy and settings shows the same documents."""
        return self._core.facts.seed

    def ask(self, request: Any) -> Any:
        """Answers a request as the other doors do: a dict by a dict, and a text of JSON by a text.

        Requests are those of a pipe of `inkling search`, such as {"rate": 1, "words": ["soil"]}. Each answer puts the next
        document on offer. The pool must be on disk.
        """
        if isinstance(request, str):
            return self._core.ask(request)
        return json.loads(self._core.ask(json.dumps(request)))

    def choose(self, n: int | None = None, *, among: Any = None) -> Any:
        """The next document, or with `n` a list of the next ones, at most so many.

        A document that was chosen is not chosen again until it is observed or skipped, so answers may come later and
        in any order. `among` limits the choice: a mask of booleans or a list of documents. NothingLeftError says that
        there is none.
        """
        mask = None if among is None else self._mask(among)
        count = 1 if n is None else _checks.whole("n", n, 1, 2**31 - 1)
        choices = [Choice(choice, self) for choice in self._core.choose(count, mask)]
        if not choices:
            raise NothingLeftError(
                "choose", "expected a document that is not observed, chosen or left out; there is none"
            )
        return choices[0] if n is None else choices

    def _mask(self, among: Any) -> NDArray[np.bool_]:
        given = np.asarray(among)
        if given.dtype == np.bool_:
            if given.ndim != 1:
                raise FormatError("among", "expected a mask or a list of documents")
            return np.ascontiguousarray(given)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
            raise FormatError("among", "expected a mask or a list of documents")
        mask = np.zeros(self.pool.shape[0], dtype=np.bool_)
        if given.size and not (0 <= given.min() and given.max() < len(mask)):
            raise FormatError("among", f"expected documents from 0 to {len(mask) - 1}")
        mask[given.astype(np.int64)] = True
        return mask

    def observe(
        self,
        document: int,
        reward: float,
        marks: Marks = (),
        *,
        confidences: Iterable[float] | None = None,
        words: Ratings = (),
    ) -> Session:
        """Learns how good a document was, and which words made it so: a list, or a dict to confidences in (0, 1].

        `words` have a rating of their own, as those of `rate_words`; a word is in one of the two. To a policy other than
        `inkling` one above 0 is a mark, and any other says nothing. Of several ratings of a document the last one counts, with
        its words; with replacement all of them do.
        """
        number = _checks.document(document, self.pool._core.documents)
        said = words_of_document(marks, confidences, words, self._feature)
        self._core.observe(number, _checks.real("reward", reward), *said)
        return self

    def rate_words(self, words: Ratings) -> Session:
        """Learns how good words are, apart from any document: before the first one or whenever something comes to mind.

        A list, where each is good, or a dict to ratings from -1 to 1 and not 0: 1 for a word that is wanted, -1 for one that is
        not; a pair is a rating with its confidence in (0, 1]. To a policy other than `inkling` a word rated above 0 is a mark,
        and any other says nothing. Of several ratings of a word the last one counts. No round passes.

        >>> import inkling as ink
        >>> session = ink.Session(ink.Pool.from_text(["the cold sea", "soil and compost"]), random_state=1)
        >>> int(session.rate_words(["soil"]).rank(1)["document"][0])
        1
        """
        rated = rated_words(words, self._feature)
        if not rated:
            raise FormatError("words", "expected at least one word")
        self._core.rate_words(rated)
        return self

    def _feature(self, mark: str | int) -> int:
        if isinstance(mark, str):
            return self.pool.feature(mark)
        return _checks.whole("feature", mark, 0, self.pool.shape[1] - 1)

    def observe_many(
        self,
        documents: Iterable[int],
        rewards: Iterable[float],
        marks: Iterable[Iterable[str | int]] | None = None,
    ) -> Session:
        """The same of many documents, up to rounding, in the fast order: all of them are learned, or none."""
        count = self.pool.shape[0]
        rows = np.array([_checks.document(document, count) for document in documents], dtype=np.int32)
        values = np.array([_checks.real("reward", reward) for reward in rewards], dtype=np.float64)
        if len(rows) != len(values):
            raise FormatError("rewards", f"expected {len(rows)}, one for each document, got {len(values)}")
        features: list[int] = []
        offsets = [0]
        for words in [()] * len(rows) if marks is None else marks:
            features += [self._feature(word) for word in words]
            offsets.append(len(features))
        if len(offsets) != len(rows) + 1:
            raise FormatError(
                "marks", f"expected {len(rows)} lists, one for each document, got {len(offsets) - 1}"
            )
        self._core.observe_many(
            rows, values, np.array(offsets, dtype=np.int64), np.array(features, dtype=np.int32)
        )
        return self

    def forget(self, word: str | int) -> Session:
        """As if the word had never been marked or rated. FormatError where it was not."""
        self._core.forget(self._feature(word))
        return self

    def skip(self, document: int) -> Session:
        """Not now: the document is on offer again after 20 other choices."""
        self._core.skip(_checks.document(document, self.pool._core.documents))
        return self

    def sample(self, n: int) -> Session:
        """The next `n` documents are drawn at random, so that `estimate_remaining` can say what is left."""
        self._core.sample(_checks.whole("n", n, 1, 1_000_000_000))
        return self

    def undo(self, n: int = 1) -> list[Event]:
        """Takes back the last `n` answers with all choices after them, and returns what was taken back.

        The session is then what it was before, to the last bit.
        """
        before = self._core.events()
        self._core.undo(_checks.whole("n", n, 1, 2**62))
        return _difference(before, self._core.events())

    def redo(self, n: int = 1) -> list[Event]:
        """Brings back the `n` answers undone last, unless something was said since, and returns what came back."""
        before = self._core.events()
        self._core.redo(_checks.whole("n", n, 1, 2**62))
        return _difference(self._core.events(), before)

    def expectations(self, documents: Iterable[int] | None = None, *, return_std: bool = False) -> Any:
        """The expected reward of all documents or of some; with `return_std` also their widths."""
        means, widths = self._core.expectations()
        if documents is not None:
            rows = np.array(
                [_checks.document(document, len(means)) for document in documents], dtype=np.int64
            )
            means, widths = means[rows], widths[rows]
        return (means, widths) if return_std else means

    def rank(self, k: int = 10, *, by: str = "ucb") -> NDArray[np.void]:
        """The best documents that are not observed, best first, by `ucb`, `mean` or `width`."""
        if by not in ("ucb", "mean", "width"):
            raise FormatError(f"by {by!r}", "expected ucb, mean or width")
        most = _checks.whole("k", k, 0, 2**62)
        means, widths = self._core.expectations()
        left = np.asarray(self._core.documents_left(), dtype=np.int64)
        ranked = np.empty(len(left), dtype=RANKED)
        ranked["document"], ranked["mean"], ranked["width"] = left, means[left], widths[left]
        ranked["ucb"] = ranked["mean"] + (self.radius or 0.0) * ranked["width"]
        order = np.lexsort((ranked["document"], -ranked[by]))
        return ranked[order[:most]]

    def explain(self, document: int) -> Explanation:
        """Word by word, why the document has its score."""
        return Explanation(self, _checks.document(document, self.pool.shape[0]))

    def words(self, k: int | None = None, *, by: str = "weight") -> NDArray[np.void]:
        """What was learned of words: word, feature, weight, uncertainty, how often it was marked and shown.

        `by` puts the largest first: weight and uncertainty in size, marked or shown.
        """
        if by not in ("weight", "uncertainty", "marked", "shown"):
            raise FormatError(f"by {by!r}", "expected weight, uncertainty, marked or shown")
        features, weights = self._core.weights()
        marked = np.zeros(self.pool.shape[1], dtype=np.int64)
        shown = np.zeros(self.pool.shape[1], dtype=np.int64)
        X = self.pool.X
        for event in self._core.events():
            if event.kind in ("observed", "marked", "words"):
                np.add.at(marked, [*event.marks, *(one[0] for one in event.ratings)], 1)
            if event.kind == "observed":
                shown[X.indices[X.indptr[event.document] : X.indptr[event.document + 1]]] += 1
        kind = [
            ("word", "O"),
            ("feature", "i4"),
            ("weight", "f8"),
            ("uncertainty", "f8"),
            ("marked", "i8"),
            ("shown", "i8"),
        ]
        words = np.zeros(len(features), dtype=kind)
        words["feature"], words["weight"] = features, weights
        words["marked"], words["shown"] = marked[features], shown[features]
        if by == "uncertainty":  # of every word, which takes longer
            words["uncertainty"] = self._core.deviations(features)
        order = np.lexsort((words["feature"], -np.abs(words[by])))
        words = words[order if k is None else order[: _checks.whole("k", k, 0, 2**62)]]
        words["uncertainty"] = self._core.deviations(np.ascontiguousarray(words["feature"]))
        words["word"] = [self.pool.word(feature) for feature in words["feature"].tolist()]
        return words

    def _weights(self) -> dict[int, float]:
        features, weights = self._core.weights()
        return dict(zip(features.tolist(), weights.tolist(), strict=True))

    def progress(self) -> dict[str, Any]:
        """How far the search is: what was seen, what the model guesses is left, what is certain with the price of a lower
        bound, and what rules for stopping are worth; as the request `progress` of `ask` answers."""
        answer: dict[str, Any] = json.loads(self._core.progress())
        return answer

    def estimate_remaining(self, threshold: float = 0.5, confidence: float = 0.95) -> Estimate:
        """How many documents with a reward of at least `threshold` may be left, from the plays at random.

        `at_most` holds with this confidence whenever one looks, for rewards that are the same whenever one asks. A draw
        that waits for its answer counts as a good one.
        """
        if not 0.0 < _checks.real("confidence", confidence) < 1.0:
            raise FormatError(f"confidence {confidence!r}", "expected a number between 0 and 1")
        return Estimate(*self._core.good_left(_checks.real("threshold", threshold), confidence))

    def log(self) -> NDArray[np.void]:
        """Every event that holds: what was chosen and how, with its probability (`pscore`), and what came of it."""
        rounds = 0
        lines = []
        for event in self._core.events():
            choice = event.choice
            if event.kind == "chosen" and choice is not None:
                rounds = max(rounds, choice.round)
            lines.append(
                (
                    event.kind,
                    rounds if choice is None else choice.round,
                    event.document,
                    event.reward if event.kind == "observed" else np.nan,
                    len(event.marks) + len(event.ratings),
                    choice is not None and choice.explored,
                    *(_number(choice, name) for name in ("radius", "mean", "width", "pscore")),
                )
            )
        return np.array(lines, dtype=LOG)

    def events(self) -> list[Event]:
        """What holds of the log, in order."""
        return [_event_of(event) for event in self._core.events()]

    @property
    def rounds(self) -> int:
        """How many documents were chosen."""
        return sum(event.kind == "chosen" for event in self._core.events())

    @property
    def remaining(self) -> int:
        """How many documents can still be chosen."""
        return self._core.remaining

    @property
    def radius(self) -> float | None:
        """What multiplies the width now."""
        return self._core.radius

    @property
    def outstanding(self) -> list[int]:
        """Documents that were chosen, and neither observed nor skipped yet."""
        return [choice.document for choice in self._core.standing()]

    @property
    def features_in_use(self) -> NDArray[np.int32]:
        """The features that the policy learns on."""
        return self._core.weights()[0]

    def __repr__(self) -> str:
        observed = sum(event.kind == "observed" for event in self._core.events())
        rounds = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        return f"<Session of {self.policy}: {rounds}, {observed} observed, {self.remaining} left>"

    def __reduce__(self) -> Any:
        facts = self._core.facts
        told = (facts.name, facts.policy, facts.options, facts.seed)
        return (_session_told, (self.pool, told, self._core.past(), self._n_jobs))


def _session_told(pool: Pool, told: tuple[str, str, str, int], past: list[Any], n_jobs: int | None) -> Session:
    """A copy of a session, which no file keeps."""
    facts = _core.SearchFacts()
    facts.name, facts.policy, facts.options, facts.seed = told
    facts.pool = os.path.abspath(pool.path) if pool.path is not None else ""
    return Session._of(pool, facts, past, None, n_jobs)


def _kept_search(
    file: str | os.PathLike[str], name: str | None, pool: Pool | None
) -> tuple[str, _core.SearchFacts, Pool]:
    path = _checks.path_of("file", file)
    searches = _core.searches_in(path)
    found = [one for one in searches if name is None or one.name == name]
    if not found or (name is None and len(found) > 1):
        names = ", ".join(one.name for one in searches) or "none"
        raise FormatError(path, f"expected the name of a search that it keeps ({names}), got {name!r}")
    facts = found[0]
    if pool is not None:
        if not pool._is_pool_of(facts.fingerprint):
            raise FormatError(path, "expected the pool of the search; this is another one")
        return path, facts, pool
    places = [path.removesuffix(".search")]
    if facts.pool:
        beside = os.path.dirname(os.path.abspath(path))
        places = [facts.pool, os.path.join(beside, os.path.basename(facts.pool)), *places]
    for place in places:
        if os.path.exists(os.path.join(place, "manifest.json")):
            candidate = Pool.open(place)
            if candidate._is_pool_of(facts.fingerprint):
                return path, facts, candidate
    raise FormatError(path, "expected `pool`: the pool of the search is neither where it was nor beside the file")


def _event_of(event: _core.HeldEvent) -> Event:
    reward = event.reward if event.kind == "observed" else np.nan
    words = {feature: rate for feature, rate, _ in event.ratings}
    marks = [event.feature] if event.kind == "forgot" else event.marks
    return Event(event.kind, event.document, reward, marks, words)


def _difference(more: list[_core.HeldEvent], fewer: list[_core.HeldEvent]) -> list[Event]:
    left = {event.sequence for event in fewer}
    return [_event_of(event) for event in more if event.sequence not in left]


def _number(choice: _core.Choice | None, name: str) -> float:
    value: float | None = None if choice is None else getattr(choice, name)
    return np.nan if value is None else value
