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
    pool : Pool
        What is searched.
    policy : str, default "inkling"
        Any of `inkling.POLICIES`; the default needs no settings.
    file : str or path, optional
        Where the search is kept, each answer before it is answered for: a log of searches, as `inkling search` and `inkling
        serve` write it. It is made where there is none. Without it, nothing is kept.
    name : str, default "search"
        Of the search in its file, where it must be a new one; `Session.open` goes on with one.
    rated_by : str, optional
        A field of the records (`Pool.fields`) whose values are ratings: 0 or 1, yes or no, included or excluded, nothing; or
        notes of ASReview and Rayyan. The search begins with them.
    random_state : int, Generator or None, optional
        A seed, a generator of NumPy or None for any. With a `file` and None it is 1, as at the other doors.
    n_jobs : int, optional
        How many threads; all that the process may use where nothing is said.
    **settings
        Of the policy. One at which it does not look is refused; `help(inkling.Session.__init__)` says what each means, and
        which policies look at it.

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
        """Go on with a search that a file keeps, begun at any door, and keep what is said there.

        Nobody else may write to the file meanwhile; `close` lets go of it.

        Parameters
        ----------
        file : str or path
            The log of searches.
        name : str, optional
            Which search; where nothing is said the file must keep one.
        pool : Pool, optional
            What is searched; where nothing is said the pool is opened where it was, or beside the file.
        n_jobs : int, optional
            How many threads.

        Returns
        -------
        Session
            The search, as it was left.

        Raises
        ------
        FormatError
            Where the file does not keep that search, or the pool is another one.
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
        """Read a search that a file keeps: what is said from now on is not kept there.

        Parameters
        ----------
        path : str or path
            The log of searches.
        pool : Pool, optional
            As in `open`.
        name : str, optional
            As in `open`.
        n_jobs : int, optional
            How many threads.

        Returns
        -------
        Session
            The search, as it was left.
        """
        place, facts, pool = _kept_search(path, name, pool)
        return cls._of(pool, facts, _core.past_in(place, facts), None, n_jobs)

    def save(self, path: str | os.PathLike[str], *, name: str | None = None) -> None:
        """Keep all of the search in a log of searches, which is made where there is none.

        Where the log has an earlier state of it under this name, the rest is appended. `load` and `open`, and the other
        doors, go on from there.

        Parameters
        ----------
        path : str or path
            The log.
        name : str, optional
            Of the search there; its own where nothing is said.
        """
        if not self._core.facts.fingerprint:
            self._core.facts.fingerprint = self.pool.fingerprint()
        self._core.save(_checks.path_of("path", path), self.name if name is None else str(name))

    def save_events(self, path: str | os.PathLike[str]) -> None:
        """Write what holds of what was said as JSON lines.

        `inkling score --events` and `inkling.score` read them.

        Parameters
        ----------
        path : str or path
            The file.
        """
        if not self._core.facts.fingerprint:
            self._core.facts.fingerprint = self.pool.fingerprint()
        _core.write_file(_checks.path_of("path", path), self._core.events_text)

    def export(self, path: str | os.PathLike[str], *, which: str = "all") -> None:
        """Write the records with what was said of each.

        `inkling.score`, `inkling search --import` and `Pool.from_files` read it. The pool must be on disk.

        Parameters
        ----------
        path : str or path
            A file whose name ends in .csv, .jsonl, .ris or .xlsx.
        which : str, default "all"
            All answers in order (all), the good documents (good), or the unread ones by rank (unread).
        """
        place = _checks.path_of("path", path)
        _core.write_file(place, self._core.work(place, str(which)))

    def close(self) -> None:
        """Let go of the file, so that others may write to it. Nothing more can be said after this."""
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
        """Answer a request as the other doors do.

        Requests are those of a pipe of `inkling search`, such as {"rate": 1, "words": ["soil"]}. Each answer puts the next
        document on offer. The pool must be on disk.

        Parameters
        ----------
        request : dict or str
            The request, or the same as JSON.

        Returns
        -------
        dict or str
            The answer, as the request was given.
        """
        if isinstance(request, str):
            return self._core.ask(request)
        return json.loads(self._core.ask(json.dumps(request)))

    def choose(self, n: int | None = None, *, among: Any = None) -> Any:
        """Choose the next document, or the next ones.

        A document that was chosen is not chosen again until it is observed or skipped, so answers may come later and
        in any order.

        Parameters
        ----------
        n : int, optional
            For a list of at most so many.
        among : array of bool or list of int, optional
            The documents to choose from; all where nothing is said.

        Returns
        -------
        Choice or list of Choice
            The next document, or with `n` a list.

        Raises
        ------
        NothingLeftError
            Where there is none.
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
        """Learn how good a document was, and which words made it so.

        Of several ratings of a document the last one counts, with its words; with replacement all of them do.

        Parameters
        ----------
        document : int
            Its row.
        reward : float
            How good it was, on a scale of your own.
        marks : list of str or int, or dict, optional
            Words that made it so, or a dict of them to confidences in (0, 1].
        confidences : iterable of float, optional
            One for each mark, in place of a dict.
        words : list or dict, optional
            Words with a rating of their own, as those of `rate_words`; a word is in one of the two. To a policy other than
            `inkling` one above 0 is a mark, and any other says nothing.

        Returns
        -------
        Session
            The session itself.
        """
        number = _checks.document(document, self.pool._core.documents)
        said = words_of_document(marks, confidences, words, self._feature)
        self._core.observe(number, _checks.real("reward", reward), *said)
        return self

    def rate_words(self, words: Ratings) -> Session:
        """Learn how good words are, apart from any document.

        Before the first one, or whenever something comes to mind: no round passes. To a policy other than `inkling` a word rated
        above 0 is a mark, and any other says nothing. Of several ratings of a word the last one counts.

        Parameters
        ----------
        words : list or dict
            A list, where each is good, or a dict to ratings from -1 to 1 and not 0: 1 for a word that is wanted, -1 for one that
            is not; a pair is a rating with its confidence in (0, 1].

        Returns
        -------
        Session
            The session itself.

        Examples
        --------
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
        """Learn of many documents in the fast order, the same up to rounding: all of them, or none.

        Parameters
        ----------
        documents : iterable of int
            Their rows.
        rewards : iterable of float
            How good each was.
        marks : iterable of lists, optional
            The words that made each so.

        Returns
        -------
        Session
            The session itself.
        """
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
        """Take a word out, as if it had never been marked or rated.

        Parameters
        ----------
        word : str or int
            The word, or its feature.

        Returns
        -------
        Session
            The session itself.

        Raises
        ------
        FormatError
            Where it was neither marked nor rated.
        """
        self._core.forget(self._feature(word))
        return self

    def skip(self, document: int) -> Session:
        """Put a document off: it is on offer again after 20 other choices.

        Parameters
        ----------
        document : int
            Its row.

        Returns
        -------
        Session
            The session itself.
        """
        self._core.skip(_checks.document(document, self.pool._core.documents))
        return self

    def sample(self, n: int) -> Session:
        """Draw the next documents at random, so that `estimate_remaining` can say what is left.

        Parameters
        ----------
        n : int
            How many.

        Returns
        -------
        Session
            The session itself.
        """
        self._core.sample(_checks.whole("n", n, 1, 1_000_000_000))
        return self

    def undo(self, n: int = 1) -> list[Event]:
        """Take back the last answers with all choices after them.

        The session is then what it was before, to the last bit.

        Parameters
        ----------
        n : int, default 1
            How many answers.

        Returns
        -------
        list of Event
            What was taken back.
        """
        before = self._core.events()
        self._core.undo(_checks.whole("n", n, 1, 2**62))
        return _difference(before, self._core.events())

    def redo(self, n: int = 1) -> list[Event]:
        """Bring back the answers undone last, unless something was said since.

        Parameters
        ----------
        n : int, default 1
            How many answers.

        Returns
        -------
        list of Event
            What came back.
        """
        before = self._core.events()
        self._core.redo(_checks.whole("n", n, 1, 2**62))
        return _difference(self._core.events(), before)

    def expectations(self, documents: Iterable[int] | None = None, *, return_std: bool = False) -> Any:
        """Give the expected reward of documents.

        Parameters
        ----------
        documents : iterable of int, optional
            Their rows; all where nothing is said.
        return_std : bool, default False
            Whether to give their widths, too.

        Returns
        -------
        array or pair of arrays
            The means, or the means and the widths.
        """
        means, widths = self._core.expectations()
        if documents is not None:
            rows = np.array(
                [_checks.document(document, len(means)) for document in documents], dtype=np.int64
            )
            means, widths = means[rows], widths[rows]
        return (means, widths) if return_std else means

    def rank(self, k: int = 10, *, by: str = "ucb") -> NDArray[np.void]:
        """Rank the documents that are not observed, best first.

        Parameters
        ----------
        k : int, default 10
            How many.
        by : str, default "ucb"
            One of ucb, mean and width.

        Returns
        -------
        structured array
            A line for each: document, mean, width, ucb.
        """
        if by not in ("ucb", "mean", "width"):
            raise FormatError(f"by {by!r}", "expected ucb, mean or width")
        most = _checks.whole("k", k, 0, 2**62)
        means, widths = self._core.expectations()
        left = np.asarray(self._core.documents_left(), dtype=np.int64)
        ranked = np.empty(len(left), dtype=RANKED)
        ranked["document"], ranked["mean"], ranked["width"] = left, means[left], widths[left]
        ranked["ucb"] = ranked["mean"]
        if self.radius:  # a width that is no number says nothing where no policy looks at it
            ranked["ucb"] += self.radius * ranked["width"]
        order = np.lexsort((ranked["document"], -ranked[by]))
        return ranked[order[:most]]

    def explain(self, document: int) -> Explanation:
        """Say word by word why the document has its score.

        Parameters
        ----------
        document : int
            Its row.

        Returns
        -------
        Explanation
            Its words with their contributions.
        """
        return Explanation(self, _checks.document(document, self.pool.shape[0]))

    def words(self, k: int | None = None, *, by: str = "weight") -> NDArray[np.void]:
        """Give what was learned of words.

        Parameters
        ----------
        k : int, optional
            How many; all where nothing is said.
        by : str, default "weight"
            What is largest first: weight or uncertainty, in size, marked or shown.

        Returns
        -------
        structured array
            A line for each: word, feature, weight, uncertainty, how often it was marked and shown.
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
        """Say how far the search is, as the request `progress` of `ask` answers.

        Returns
        -------
        dict
            What was seen, what the model guesses is left, what is certain with the price of a lower bound, and what rules for
            stopping are worth.
        """
        answer: dict[str, Any] = json.loads(self._core.progress())
        return answer

    def estimate_remaining(self, threshold: float = 0.5, confidence: float = 0.95) -> Estimate:
        """Bound how many good documents may be left, from the plays at random.

        The bound holds with its confidence whenever one looks, for rewards that are the same whenever one asks. A draw
        that waits for its answer counts as a good one.

        Parameters
        ----------
        threshold : float, default 0.5
            The least reward of a good document.
        confidence : float, default 0.95
            How sure the bound is, between 0 and 1.

        Returns
        -------
        Estimate
            How many are left, about and at most.
        """
        if not 0.0 < _checks.real("confidence", confidence) < 1.0:
            raise FormatError(f"confidence {confidence!r}", "expected a number between 0 and 1")
        return Estimate(*self._core.good_left(_checks.real("threshold", threshold), confidence))

    def log(self) -> NDArray[np.void]:
        """Give every event that holds, with what came of it.

        Returns
        -------
        structured array
            A line for each: what was chosen and how, with its probability (`pscore`), and its reward.
        """
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
        """Give what holds of the log, in order.

        Returns
        -------
        list of Event
            The events.
        """
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
    raise FormatError(path, "expected `pool`: the pool of the search is neither in its old place nor beside the file")


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
