"""A person's search: documents are chosen, rated and explained, and all of it can be taken back and kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _core
from ._answers import Choice, Estimate, Event, Explanation
from ._errors import FormatError, NothingLeftError
from ._pool import Pool
from ._session_log import event_of, lines_of, tell
from ._settings import takes_settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

Marks = Iterable["str | int"] | Mapping["str | int", float] | str
Ratings = Iterable["str | int"] | Mapping["str | int", "float | tuple[float, float]"]
POLICIES: tuple[str, ...] = tuple(_core.policy_names())
DEFAULT_POLICY: str = _core.default_policy
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
    """One person's search of a pool. It is used by one thread at a time.

    `policy` is any of `inkling.POLICIES`; `inkling`, the default, needs nothing told. A setting at which the policy does not
    look is refused; `help(inkling.Session.__init__)` says what each means, and which policies look at it.

    >>> import inkling as ink
    >>> texts = ["dig the soil", "the sea is cold", "soil and compost", "a cold wind"]
    >>> session = ink.Session(ink.Pool.from_text(texts), random_state=1)
    >>> first = session.choose()
    >>> session.observe(first.document, 1.0).observe(2, 1.0, ["soil"])
    <Session of inkling: 1 round, 2 observed, 2 left>
    >>> session.undo()
    [Event(kind='observed', document=2, reward=1.0, marks=[6], words={})]
    >>> session.rate_words({"soil": 1, "sea": -1}).choose().document
    0
    """

    @takes_settings
    def __init__(
        self,
        pool: Pool,
        policy: str = DEFAULT_POLICY,
        *,
        random_state: Any = None,
        n_jobs: int | None = None,
        trial: int = 0,
        **settings: Any,
    ) -> None:
        """A new search; what was said is learned by `policy` with these settings."""
        if not isinstance(pool, Pool):
            raise FormatError("pool", f"expected an inkling.Pool, got {type(pool).__name__}")
        if not isinstance(policy, str):
            raise FormatError(f"policy {policy!r}", "expected the name of a policy")
        self.pool = pool
        self.policy = policy
        if settings.get("given") is not None:
            settings["given"] = [self._feature(word) for word in settings["given"]]
        self._options = _core.PolicyOptions(policy, settings)
        self._settings = {name: self._options[name] for name in settings if settings[name] is not None}
        self.random_state = _checks.seed_of(random_state)
        self._n_jobs = n_jobs
        self._trial = _checks.whole("trial", trial, 0, 2**62)
        self._core = _core.Session(
            pool._core, policy, self._options, self.random_state, self._trial, _checks.threads_of(n_jobs)
        )

    def choose(self, n: int | None = None, *, among: Any = None) -> Any:
        """The next document, or with `n` a list of the next ones, at most so many.

        A document that was chosen is not chosen again until it is observed or skipped, so answers may come later and
        in any order. `among` limits the choice: a mask of booleans or a list of documents. NothingLeftError says that
        there is none.
        """
        mask = None if among is None else self._mask(among)
        if n is None:
            choice = self._core.choose(mask)
            if choice is None:
                raise NothingLeftError(
                    "choose", "expected a document that is not observed, chosen or left out; there is none"
                )
            return Choice(choice, self)
        choices: list[Choice] = []
        for _ in range(_checks.whole("n", n, 1, 2**31 - 1)):
            choice = self._core.choose(mask)
            if choice is None:
                break
            choices.append(Choice(choice, self))
        if not choices:
            raise NothingLeftError(
                "choose", "expected a document that is not observed, chosen or left out; there is none"
            )
        return choices

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
        `inkling` one above 0 is a mark, and any other says nothing.
        """
        number = _checks.document(document, self.pool._core.documents)
        if isinstance(marks, np.ndarray):
            marks = marks.tolist()
        ratings = self._ratings(words) if words else []
        if not marks:
            self._core.observe(number, _checks.real("reward", reward), [], [], ratings)
            return self
        if isinstance(marks, str):
            raise FormatError("marks", f"expected a list of words, got the text {marks!r}")
        if isinstance(marks, Mapping):
            confidences = (
                [_checks.real("confidence", value) for value in marks.values()]
                if confidences is None
                else confidences
            )
            marks = list(marks)
        features = [self._feature(mark) for mark in marks]
        given = [] if confidences is None else [_checks.real("confidence", value) for value in confidences]
        repeated = set(features).intersection(feature for feature, _, _ in ratings)
        if repeated:
            raise FormatError(
                f"the word {self.pool.word(min(repeated))!r}", "expected a mark or a rating, got both"
            )
        self._core.observe(number, _checks.real("reward", reward), features, given, ratings)
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
        ratings = self._ratings(words)
        if not ratings:
            raise FormatError("words", "expected at least one word")
        self._core.rate_words(ratings)
        return self

    def _ratings(self, words: Ratings) -> list[tuple[int, float, float]]:
        if isinstance(words, str):
            raise FormatError(
                "words", f"expected a list of words or a dict to ratings, got the text {words!r}"
            )
        pairs = words.items() if isinstance(words, Mapping) else [(word, 1.0) for word in words]
        ratings = [
            (self._feature(word), *_checks.rating(f"the rating of {word!r}", said)) for word, said in pairs
        ]
        if len({feature for feature, _, _ in ratings}) < len(ratings):
            raise FormatError("words", "expected each word once")
        return ratings

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
        """As if the word had never been marked."""
        self._core.forget(self._feature(word))
        return self

    def skip(self, document: int) -> Session:
        """Not now: the document is on offer again after 20 other choices."""
        self._core.skip(_checks.document(document, self.pool._core.documents))
        return self

    def undo(self, n: int = 1) -> list[Event]:
        """Takes back the last `n` answers with all choices after them, and returns what was taken back.

        The session is then what it was before, to the last bit. (Where `observe_many` taught it: up to rounding.)
        """
        before = self._core.events()
        self._core.undo(_checks.whole("n", n, 1, 2**62))
        return [event_of(event) for event in before[self._core.event_count :]]

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
            if event.kind in ("observed", "words"):
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

    def estimate_remaining(self, threshold: float = 0.5, confidence: float = 0.95) -> Estimate:
        """How many documents with a reward of at least `threshold` may be left, from the plays at random.

        `at_most` holds with this confidence whenever one looks, for rewards that are the same whenever one asks.
        """
        if not 0.0 < _checks.real("confidence", confidence) < 1.0:
            raise FormatError(f"confidence {confidence!r}", "expected a number between 0 and 1")
        level = _checks.real("threshold", threshold)
        good: dict[int, bool] = {}
        events = self._core.events()
        for event in events:
            if event.kind == "observed":
                good[event.document] = event.reward >= level
        draws: list[tuple[int, int, int, bool | None]] = []
        seen: set[int] = set()
        good_before = 0
        for event in events:
            answers = event.kind in ("observed", "skipped")
            if answers and event.choice.round > 0 and event.choice.explored:
                unrated = max(self.pool.shape[0] - len(seen), event.choice.among)
                draws.append((event.choice.among, unrated, good_before, good.get(event.document)))
            if event.kind == "observed" and event.document not in seen:
                seen.add(event.document)
                good_before += good[event.document]
        found = _core.good_left(draws, self.pool.shape[0] - len(good), sum(good.values()), confidence)
        return Estimate(*found)

    def log(self) -> NDArray[np.void]:
        """Every event: what was chosen and how, with its probability (`pscore`), and what came of it."""
        rounds = 0
        lines = []
        for event in self._core.events():
            rounds += event.kind == "chosen"
            choice = event.choice
            known = choice.round > 0
            lines.append(
                (
                    event.kind,
                    choice.round if known else rounds,
                    -1 if event.kind in ("forgot", "words") else event.document,
                    event.reward if event.kind == "observed" else np.nan,
                    len(event.marks) + len(event.ratings),
                    known and choice.explored,
                    event.radius,
                    _number(choice.mean),
                    _number(choice.width),
                    event.pscore,
                )
            )
        return np.array(lines, dtype=LOG)

    def events(self) -> list[Event]:
        """The log as it can be told again."""
        return [event_of(event) for event in self._core.events()]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Options and log as JSON lines, which `inkling score --events` reads, too. Whole or not at all; what is no regular
        file, such as a pipe or a device, is written to as it stands."""
        text = "".join(json.dumps(line, allow_nan=False) + "\n" for line in self._lines())
        _core.write_file(_checks.path_of("path", path), text)

    def _lines(self) -> list[dict[str, Any]]:
        head = {
            "inkling_session": 1,
            "policy": self.policy,
            "random_state": self.random_state,
            "trial": self._trial,
            "settings": self._settings,
            "path": self.pool.path,
            "streams": self._core.streams,
        }
        return lines_of(self._core.events(), self.pool.fingerprint(), head)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], pool: Pool | None = None, *, n_jobs: int | None = None
    ) -> Session:
        """A session that was saved; it goes on as if it had never stopped, bit for bit.

        Without `pool`, that of the path in the file is opened.
        """
        place = _checks.path_of("path", path)
        with open(place, encoding="utf-8") as file:
            try:
                lines = [json.loads(line) for line in file]
            except ValueError as error:
                raise FormatError(place, f"expected lines of JSON: {error}") from None
        return cls._told(lines, pool, place, n_jobs)

    @classmethod
    def _told(cls, lines: list[Any], pool: Pool | None, place: str, n_jobs: int | None) -> Session:
        try:
            head = json.loads(lines[0]["note"])
            if head["inkling_session"] != 1:
                raise FormatError(place, "expected a session of version 1")
            if pool is None:
                if head["path"] is None:
                    raise FormatError(place, "expected `pool`: the session's pool was not on disk")
                pool = Pool.open(head["path"])
            if pool.fingerprint() != lines[0]["pool"]:
                raise FormatError(
                    place, "expected the pool with which the session was held; this is another one"
                )
            session = cls(
                pool,
                head["policy"],
                random_state=head["random_state"],
                trial=head["trial"],
                n_jobs=n_jobs,
                **head["settings"],
            )
            tell(session._core, head, lines[1:])
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise FormatError(
                place, f"expected a session that Session.save wrote ({type(error).__name__}: {error})"
            ) from None
        return session

    @property
    def rounds(self) -> int:
        """How many documents were chosen."""
        return self._core.rounds

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
        return [choice.document for choice in self._core.outstanding()]

    @property
    def features_in_use(self) -> NDArray[np.int32]:
        """The features that the policy learns on."""
        return np.sort(self._core.weights()[0])

    def __repr__(self) -> str:
        observed = sum(event.kind == "observed" for event in self._core.events())
        rounds = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        return f"<Session of {self.policy}: {rounds}, {observed} observed, {self.remaining} left>"

    def __reduce__(self) -> Any:
        return (_session_told, (self._lines(), self.pool, self._n_jobs))


def _session_told(lines: list[Any], pool: Pool, n_jobs: int | None) -> Session:
    return Session._told(lines, pool, "the pickled session", n_jobs)


def _number(value: float | None) -> float:
    return np.nan if value is None else value
