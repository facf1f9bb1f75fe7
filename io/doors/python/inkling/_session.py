"""A person's search: documents are chosen, rated and explained, and all of it can be taken back and kept."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from . import _checks, _core
from ._answers import Choice, Event
from ._errors import FormatError, NothingLeftError
from ._pool import Pool
from ._settings import DEFAULT_POLICY, PolicySettings, options_of, takes_settings
from ._state import SearchState, event_of
from ._words import Words, words_apart, words_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Session(SearchState):
    """One person's search of a pool: the same in the terminal, on a pipe, on the server and here.

    The methods have the names of its requests, which `io/search/service/REQUESTS.md` describes. One thread at a time may use it.
    Which documents are shown depends on the pool, the policy, its settings, `random_state` and the answers that hold, and on
    nothing else.

    Parameters
    ----------
    pool : Pool
        What is searched.
    policy : str, default "inkling"
        Any of `inkling.POLICIES`; the default needs no settings.
    file : str or path, optional
        The log of searches that keeps it, as `inkling search` and `inkling serve` write it: each answer is on disk when its call
        returns. It is made if there is none. Without it, nothing is kept.
    name : str, default "search"
        Its name in the file, which must be a new one there; `Session.open` continues a search.
    rated_by : str, optional
        A field of the records (`Pool.fields`) whose values are ratings: 0 or 1, yes or no, included or excluded, nothing; or
        notes of ASReview and Rayyan. The search begins with them.
    random_state : int, Generator or None, optional
        A seed, a generator of NumPy or None for any. With a `file` and None it is 1, as in the programs.
    n_jobs : int, optional
        How many threads; by default all that the process may use.
    **settings
        Of the policy. One that it does not use is refused; `help(inkling.Session.__init__)` says what each means, and which
        policies use it.

    Examples
    --------
    >>> import inkling as ink
    >>> texts = ["dig the soil", "the sea is cold", "soil and compost", "a cold wind"]
    >>> session = ink.Session(ink.Pool.from_text(texts), random_state=1)
    >>> first = session.next()
    >>> session.rate(first.document, 1.0).rate((first.document + 1) % 4, 1.0, [3])
    <Session of inkling: 1 round, 2 rated, 2 left>
    >>> [event.kind for event in session.undo()]
    ['rated']
    >>> session.query({"soil": 1, "sea": -1})
    <Session of inkling: 1 round, 1 rated, 3 left>
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
        **settings: Unpack[PolicySettings],
    ) -> None:
        """A new search, in which `policy` learns with these settings."""
        if not isinstance(pool, Pool):
            raise FormatError("pool", f"expected an inkling.Pool, got {type(pool).__name__}")
        if not isinstance(policy, str):
            raise FormatError(f"policy {policy!r}", "expected the name of a policy")
        self.pool, self._n_jobs = pool, n_jobs
        options = options_of(policy, settings, self._feature).text(policy)
        seed = 1 if random_state is None and file is not None else _checks.seed_of(random_state)
        facts = _facts_of(pool, str(name), policy, options, seed)
        path = None if file is None else _checks.path_of("file", file)
        if path is not None:
            facts.fingerprint = pool.fingerprint()
        documents: list[int] = []
        rewards: list[float] = []
        if rated_by is not None:
            documents, rewards, disputes = _core.ratings_of_field(pool._core, str(rated_by))
            if disputes:
                warnings.warn(disputes, stacklevel=3)
        self._core = _core.Session(pool._core, facts, [], path, _checks.threads_of(n_jobs))
        if documents:
            self.rate_many(documents, rewards)

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
        """Continue a search that a file keeps, whichever interface began it; new answers are kept there, too.

        Nobody else may write to the file until `close`.

        Parameters
        ----------
        file : str or path
            The log of searches.
        name : str, optional
            Which search; by default the only one of the file.
        pool : Pool, optional
            What is searched; by default it is opened where it was, or beside the file.
        n_jobs : int, optional
            How many threads.

        Returns
        -------
        Session
            The search, as it was left.

        Raises
        ------
        FormatError
            If the file does not keep that search, or the pool is another one.
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
        """Read a search that a file keeps; later answers are not kept there.

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
        """Write the whole search to a log of searches, which is made if there is none.

        If the log has an earlier state of it under this name, the rest is appended. `load`, `open` and the programs can
        continue it.

        Parameters
        ----------
        path : str or path
            The log.
        name : str, optional
            Of the search there; by default its own.
        """
        if not self._core.facts.fingerprint:
            self._core.facts.fingerprint = self.pool.fingerprint()
        self._core.save(_checks.path_of("path", path), self.name if name is None else str(name))

    def save_events(self, path: str | os.PathLike[str]) -> None:
        """Write the answers that hold as JSON lines.

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
        """Export the records with their ratings, words, tags and notes.

        `inkling.score`, `inkling search --import` and `Pool.from_files` read it. The pool must be on disk.

        Parameters
        ----------
        path : str or path
            A file whose name ends in .csv, .jsonl, .ris or .xlsx.
        which : str, default "all"
            All answers in order (all), the good documents (good), the unread ones by rank (unread), or all answers and then
            these (everything).
        """
        place = _checks.path_of("path", path)
        _core.write_file(place, self._core.export(place, str(which)))

    def report(self, path: str | os.PathLike[str], *, language: Literal["en", "de", "es"] = "en") -> None:
        """Write the report of the review, with its numbers as PRISMA 2020 counts them.

        The pool must be on disk.

        Parameters
        ----------
        path : str or path
            A file whose name ends in .html, .json or .csv.
        language : {"en", "de", "es"}, default "en"
            Of the page (.html), in English, German or Spanish. JSON and CSV are the same in each.
        """
        place = _checks.path_of("path", path)
        _core.write_file(place, self._core.report(place, str(language)).encode())

    def close(self) -> None:
        """Close the file, so that others may write to it. The session takes no more answers."""
        self._core.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @overload
    def ask(self, request: str) -> str: ...
    @overload
    def ask(self, request: dict[str, Any]) -> dict[str, Any]: ...
    def ask(self, request: str | dict[str, Any]) -> str | dict[str, Any]:
        """Answer a request as `inkling search --json` does.

        For example {"rate": 1, "words": ["soil"]}. Each answer puts the next document on offer. The pool must be on disk.

        Parameters
        ----------
        request : dict or str
            The request, or the same as JSON.

        Returns
        -------
        dict or str
            The answer: a dict if the request is one, else JSON.
        """
        if isinstance(request, str):
            return self._core.ask(request)
        answer: dict[str, Any] = json.loads(self._core.ask(json.dumps(request)))
        return answer

    @overload
    def choose(self, n: None = None, *, among: Any = None) -> Choice: ...
    @overload
    def choose(self, n: int, *, among: Any = None) -> list[Choice]: ...
    def choose(self, n: int | None = None, *, among: Any = None) -> Choice | list[Choice]:
        """Put another document on offer, or several at once.

        Each stays on offer until it is rated or skipped, and is not chosen again meanwhile, so answers may come later and in
        any order. `next` gives one document at a time.

        Parameters
        ----------
        n : int, optional
            How many, at most; the result is a list then.
        among : array of bool or list of int, optional
            The documents to choose from; by default all.

        Returns
        -------
        Choice or list of Choice
            The next document, or with `n` a list.

        Raises
        ------
        NothingLeftError
            Where there is none.
        """
        mask = None if among is None else _checks.mask("among", among, self.pool.shape[0])
        count = 1 if n is None else _checks.whole("n", n, 1, 2**31 - 1)
        choices = [Choice(choice, self) for choice in self._core.choose(count, mask)]
        if not choices:
            expectation = "expected a document that is not rated, on offer or left out; there is none"
            raise NothingLeftError("choose", expectation)
        return choices[0] if n is None else choices

    def next(self) -> Choice:
        """Give the document on offer: the same one until it is rated or skipped, as the request `next` does.

        Returns
        -------
        Choice
            The document; where several are on offer, the one that was chosen first.

        Raises
        ------
        NothingLeftError
            Where there is none.
        """
        on_offer = self._core.on_offer()
        return Choice(on_offer[0], self) if on_offer else self.choose()

    def rate(self, document: int, rate: float, words: Words = ()) -> Session:
        """Rate a document, and mark or rate words in it.

        Of several ratings of a document the last one counts, with its words; with replacement all of them do.

        Parameters
        ----------
        document : int
            Its row.
        rate : float
            How good it is, on a scale of your own; from 0.5 on it counts as good.
        words : list or dict, optional
            The words that made it so. In a list, a word or its feature is a mark; a dict such as {"word": "soil", "confidence":
            0.5} is a mark, and with "rate" a rating of the word itself, from -1 to 1 and not 0. A dict of words to ratings is the
            same. A policy other than `inkling` takes a rating above 0 as a mark, and ignores one below 0.

        Returns
        -------
        Session
            The session itself.
        """
        number = _checks.document(document, self.pool._core.documents)
        self._core.rate(number, _checks.real("rate", rate), words_of(words, self._feature))
        return self

    def query(self, words: Words) -> Session:
        """Rate words apart from any document: what is looked for, and what is not wanted.

        Before the first document or at any later time: no round passes. Of several ratings of a word the last one counts. A
        policy other than `inkling` takes a rating above 0 as a mark, and ignores one below 0.

        Parameters
        ----------
        words : list or dict
            As in `rate`; a word alone is rated 1.

        Returns
        -------
        Session
            The session itself.

        Examples
        --------
        >>> import inkling as ink
        >>> session = ink.Session(ink.Pool.from_text(["the cold sea", "soil and compost"]), random_state=1)
        >>> int(session.query(["soil"]).ranking(1)["document"][0])
        1
        """
        self._core.query(words_apart(words, self._feature))
        return self

    def _feature(self, mark: str | int) -> int:
        if isinstance(mark, str):
            return self.pool.feature(mark)
        return _checks.whole("feature", mark, 0, self.pool.shape[1] - 1)

    def rate_many(
        self,
        documents: Iterable[int],
        rates: Iterable[float],
        words: Iterable[Iterable[str | int]] | None = None,
    ) -> Session:
        """Rate many documents, all of them or none: faster than one by one, and the same up to rounding.

        Parameters
        ----------
        documents : iterable of int
            Their rows.
        rates : iterable of float
            How good each is.
        words : iterable of lists, optional
            The words to mark in each.

        Returns
        -------
        Session
            The session itself.
        """
        count = self.pool.shape[0]
        rows = _checks.documents(documents, count)
        values = np.array([_checks.real("rate", rate) for rate in rates], dtype=np.float64)
        if len(rows) != len(values):
            raise FormatError("rates", f"expected {len(rows)}, one for each document, got {len(values)}")
        features: list[int] = []
        offsets = [0]
        for marks in [()] * len(rows) if words is None else words:
            features += [self._feature(word) for word in marks]
            offsets.append(len(features))
        if len(offsets) != len(rows) + 1:
            expectation = f"expected {len(rows)} lists, one for each document, got {len(offsets) - 1}"
            raise FormatError("words", expectation)
        ends, marked = np.array(offsets, dtype=np.int64), np.array(features, dtype=np.int32)
        self._core.rate_many(rows, values, ends, marked)
        return self

    def unmark(self, word: str | int) -> Session:
        """Take a word out of all answers, as if it had never been marked or rated.

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
            If it was neither marked nor rated.
        """
        self._core.unmark(self._feature(word))
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

    def separate(self, document: int) -> Session:
        """Take a copy apart from its original: it is offered and rated by itself. `undo` joins them again.

        Parameters
        ----------
        document : int
            The row of the copy.

        Returns
        -------
        Session
            The session itself.

        Raises
        ------
        FormatError
            If it is no copy.
        """
        self._core.separate(_checks.document(document, self.pool._core.documents))
        return self

    def sample(self, n: int) -> Session:
        """Draw the next documents at random, so that `good_left` can bound what is left.

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
        """Take back the last answers, and all choices after them.

        The state is then bit for bit the one before them.

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
        """Bring back the answers undone last, unless another one was given since.

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

    def _repr_html_(self) -> str:
        from ._html import session_html

        return session_html(self)

    def __repr__(self) -> str:
        rated = sum(event.kind == "rated" for event in self._core.events())
        rounds = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        return f"<Session of {self.policy}: {rounds}, {rated} rated, {self.remaining} left>"

    def __reduce__(self) -> Any:
        facts = self._core.facts
        given = (facts.name, facts.policy, facts.options, facts.seed)
        return (_unpickled, (self.pool, given, self._core.past(), self._n_jobs))


def _unpickled(pool: Pool, given: tuple[str, str, str, int], past: list[Any], n_jobs: int | None) -> Session:
    """A copy of a session, which no file keeps."""
    return Session._of(pool, _facts_of(pool, *given), past, None, n_jobs)


def _facts_of(pool: Pool, name: str, policy: str, options: str, seed: int) -> _core.SearchFacts:
    """What a file keeps of a search beside its events."""
    facts = _core.SearchFacts()
    facts.name, facts.policy, facts.options, facts.seed = name, policy, options, seed
    facts.pool = os.path.abspath(pool.path) if pool.path is not None else ""
    return facts


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


def _difference(more: list[_core.HeldEvent], fewer: list[_core.HeldEvent]) -> list[Event]:
    left = {event.sequence for event in fewer}
    return [event_of(event) for event in more if event.sequence not in left]
