"""Live searches over a set: every worker of Dask holds shards, and the choices are those of one machine."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import time
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _checks, _core
from .._errors import FormatError, NothingLeftError
from .._pool import Pool
from .._set import shards_of_set
from .._settings import DEFAULT_POLICY, PolicySettings, takes_settings
from .._words import WordFeedback, Words, words_apart, words_of
from ._errors import WorkerLostError

if TYPE_CHECKING:
    from typing_extensions import Unpack

OPENING = 10  # times the timeout: a shard is checked when it is opened
REPLAYED_AT_ONCE = 500  # events, to a new replica
BETWEEN_TRIES = 0.2  # seconds
FIRST_TRY = 2.0  # seconds for a worker to take a shard; each further try may last twice as long
BETWEEN_LOOKS = 1.0  # seconds between checks, while an answer is late, that its worker still exists

Row = tuple[list[int], list[float]]
Place = tuple[int, int, int]  # of a shard: its first document, documents and non-zeros of the set


class LiveChoice(NamedTuple):
    """A document on offer, with what is shown of it.

    Parameters
    ----------
    document : int
        Its row among those of the set.
    explored : bool
        Whether it was drawn at random.
    score : float or None
        Mean + radius * width; None if it was drawn at random.
    radius : float or None
        The factor of the width.
    id : str or None
        Its name.
    label : str or None
        Its topic.
    text : str or None
        The document as it was read, if the shard keeps texts.

    Examples
    --------
    >>> from inkling.cluster import LiveChoice
    >>> LiveChoice(7, True, None, None, "d7", None, "dig the soil").text
    'dig the soil'
    """

    document: int
    explored: bool
    score: float | None
    radius: float | None
    id: str | None
    label: str | None
    text: str | None


class LiveEvent(NamedTuple):
    """What all replicas learned from one answer: enough to make a replica again.

    Parameters
    ----------
    document : int, default -1
        The document; -1 for words apart from any.
    reward : float, default 0.0
        How good it is.
    words : tuple of WordFeedback
        Its marks and ratings of words.
    row : object, optional
        The words of the document.
    chosen : bool, default False
        Whether the document was on offer.

    Examples
    --------
    >>> from inkling.cluster import LiveEvent
    >>> LiveEvent(7, 1.0).document
    7
    """

    document: int = -1
    reward: float = 0.0
    words: tuple[WordFeedback, ...] = ()
    row: Row | None = None
    chosen: bool = False


class _How(NamedTuple):
    """The settings that are the same in all replicas."""

    policy: str
    settings: dict[str, Any]
    seed: int
    threads: int
    trust: bool
    average: Row | None  # document of the set
    set_file: str  # it lists the copies, which are not offered


def _without(event: LiveEvent, features: set[int]) -> LiveEvent:
    """The same without these words."""
    return event._replace(words=tuple(word for word in event.words if word.feature not in features))


class Replica:
    """In a worker, as an actor of Dask: a replica of the searcher's policy, and one shard.

    `at` counts the events it has learned; a request must name that number. Dask may recreate a lost actor by itself, without its
    events, and the answers of such an actor must not be used.
    """

    def __init__(self) -> None:
        self.at = -1

    def ask(self, at: int, name: str, *arguments: Any) -> tuple[str, Any]:
        """("ok", answer), ("error", exception), or ("other", its number) if the request names another number."""
        if at != self.at:
            return "other", self.at
        try:
            return "ok", getattr(self, name)(*arguments)
        except Exception as error:
            return "error", error

    def open(self, shard: str, place: Place, how: _How) -> int:
        self.pool = Pool.open(shard, trust=how.trust)
        self.place, self.how = place, how
        self.begin()
        return self.pool.shape[1]

    def begin(self) -> None:
        """A new replica, without any event."""
        how = self.how
        options = _core.PolicyOptions(how.policy, how.settings)
        others = (how.seed, how.threads, how.average, how.set_file)
        self.core = _core.ShardReplica(self.pool._core, self.place, how.policy, options, *others)
        self.at = 0

    def propose(self) -> tuple[int, float, bool, float | None]:
        return self.core.propose()

    def learn(self, event: LiveEvent) -> None:
        self.core.learn(event.document, event.reward, list(event.words), event.row)
        self.at += 1

    def replay(self, events: list[LiveEvent]) -> None:
        for event in events:
            self.learn(event)

    def show(self, document: int) -> tuple[Row, str | None, str | None, str | None]:
        number = document - self.place[0]
        labels, ids = self.pool.labels, self.pool.ids
        name = ids[number] if ids else None
        label = labels[number] if labels is not None else None
        text = self.pool.text(number) if self.pool._has_texts() else None
        return self.core.row(document), name, label, text

    def feature(self, word: str) -> int:
        return self.pool.feature(word)

    def word(self, feature: int) -> str:
        return self.pool.word(feature)

    def ranking(self, count: int) -> list[tuple[float, int]]:
        return self.core.ranking(count)


class _Lost(Exception):
    """The worker of a replica does not answer."""


class _Shard:
    """One shard as the driver sees it: its actor, which may be lost and made again."""

    def __init__(self, search: LiveSearch, number: int, path: str, place: Place) -> None:
        self.search, self.number, self.path, self.place = search, number, path, place
        self._future: Any = None
        self._actor: Any = None

    def start(self, name: str, *arguments: Any) -> Any:
        """Sends a request without waiting. Returns the argument of `answer`; None if there is no actor."""
        if self._actor is None:
            return None
        try:
            return self._actor.ask(len(self.search._log), name, *arguments)
        except Exception:  # Dask says already that the worker is lost
            return None

    def answer(self, asked: Any, timeout: float) -> Any:
        """Raises _Lost, and what the replica raised."""
        if asked is None:
            raise _Lost("its worker was lost")
        how, answer = self._wait(asked, timeout)
        if how == "error":
            raise answer
        if how == "other":
            raise _Lost("its worker was lost and began anew")
        return answer

    def _wait(self, asked: Any, timeout: float) -> tuple[str, Any]:
        """The answer of a replica. Dask tries for half a minute to reach a dead worker, so this checks by itself."""
        deadline = time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            try:
                answer: tuple[str, Any] = asked.result(timeout=max(min(left, BETWEEN_LOOKS), 0.0))
                return answer
            except asyncio.TimeoutError as error:
                if left <= BETWEEN_LOOKS or asked.done():  # done: Dask itself timed out
                    raise _Lost(f"no answer within {timeout:g} seconds") from error
                if not self._has_worker():
                    raise _Lost("its worker was lost") from error
            except Exception as error:  # of Dask: what a replica raises is in its answer
                raise _Lost(f"{type(error).__name__}: {error}") from error

    def _has_worker(self) -> bool:
        try:
            return self._actor._address in self.search.client.nthreads()
        except Exception:  # the scheduler does not answer either
            return False

    def open(self) -> int:
        """Opens the shard on any worker, and replays all events there. Raises WorkerLostError after the timeout."""
        search = self.search
        deadline = time.monotonic() + search.timeout
        longest_try = FIRST_TRY  # a worker that dies while it takes a shard may leave nobody who answers
        while True:
            try:
                left = deadline - time.monotonic()
                features = self._open_once(max(min(left, longest_try), BETWEEN_TRIES))
            except _Lost as error:
                if time.monotonic() >= deadline:
                    raise WorkerLostError(
                        f"shard {self.number} ({self.path}): {error}. No worker opened it again within "
                        f"{search.timeout:g} seconds; {search.rounds} rounds were played and are kept: "
                        "repeat the call when there is one"
                    ) from error
                longest_try *= 2
                time.sleep(BETWEEN_TRIES)
            else:
                return features

    def _open_once(self, timeout: float) -> int:
        search = self.search
        self.release()
        try:
            workers = sorted(search.client.nthreads())
            near = [workers[self.number % len(workers)]] if workers else None
            self._future = search.client.submit(
                Replica, actor=True, pure=False, workers=near, allow_other_workers=near is not None
            )
            self._actor = self._future.result(timeout=timeout)
        except Exception as error:
            self.release()
            raise _Lost(f"{type(error).__name__}: {error}") from error
        try:
            opening = self._actor.ask(-1, "open", self.path, self.place, search._how)
            features: int = self.answer(opening, OPENING * search.timeout)
            self.replay()
        except Exception:
            self.release()
            raise
        return features

    def replay(self) -> None:
        """Replays all events that hold on a new replica. Raises _Lost, and what the replica raised."""
        if self._actor is None:
            raise _Lost("its worker was lost")
        log, at = self.search._log, 0
        while at < len(log):
            events = log[at : at + REPLAYED_AT_ONCE]
            self.answer(self._actor.ask(at, "replay", events), OPENING * self.search.timeout)
            at += len(events)

    def release(self) -> None:
        future, self._future, self._actor = self._future, None, None
        if future is not None:
            future.release()


class LiveSearch:
    """One person's search over a set whose shards lie in the workers of Dask, as actors.

    One thread at a time may use it. Each worker keeps a replica of the search and the scores of its own documents; a round asks
    every shard for its best document and sends the answer to all of them. The choices are those of `inkling.Session` over the one
    pool, with the same policy, settings and `random_state`. If a worker dies, another one opens its shard and replays all answers.

    Parameters
    ----------
    set_file : str or path
        The file `set.json`.
    client : Client
        Of Dask.
    policy : str, default "inkling"
        As in `inkling.Session`.
    random_state : int, Generator or None, optional
        As in `inkling.Session`.
    past : iterable of LiveEvent
        The `events` of an earlier search with the same settings, which this one continues.
    timeout : float, default 60
        After so many seconds without a worker for a shard, WorkerLostError names it, and the same call may be made again.
    n_jobs : int, default 1
        How many threads each replica takes.
    trust : bool, default False
        As in `inkling.Pool.open`.
    **settings
        Of the policy, as in `inkling.Session`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from distributed import Client
    >>> from inkling import cluster
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "notes.txt").write_text("dig the soil\\nthe sea is cold\\nsoil and rain\\n")
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     _ = cluster.build(folder / "notes.txt", folder / "made", client, parts=2)
    ...     with cluster.LiveSearch(folder / "made/set.json", client, random_state=1) as search:
    ...         search.query(["soil"]).rate(0, 1.0).next().document
    2
    """

    @takes_settings
    def __init__(
        self,
        set_file: str | os.PathLike[str],
        client: Any,
        policy: str = DEFAULT_POLICY,
        *,
        random_state: Any = None,
        past: Iterable[LiveEvent] = (),
        timeout: float = 60.0,
        n_jobs: int = 1,
        trust: bool = False,
        **settings: Unpack[PolicySettings],
    ) -> None:
        if not hasattr(client, "submit") or not hasattr(client, "nthreads"):
            raise TypeError(f"client: expected a client of Dask, found {client!r}")
        chosen: dict[str, Any] = {**settings}
        options = _core.PolicyOptions(policy, chosen)  # refused here, before any worker is asked
        self.path = os.path.abspath(os.fspath(set_file))
        self.client = client
        self.timeout = _checks.real("timeout", timeout)
        paths = shards_of_set(self.path)
        with open(self.path, encoding="utf-8") as file:
            record: Any = json.load(file)
        self.documents: int = record["rows"]
        if self.documents > _checks.MOST_DOCUMENTS:
            most = f"at most {_checks.MOST_DOCUMENTS} documents, which is as many as one search can number"
            found = f"found {self.documents}; rank the whole set with inkling score"
            raise FormatError(self.path, f"expected {most}, {found}")
        average, remarks = _core.look_at_set(self.path, policy, options)
        for remark in remarks:
            warnings.warn(f"{self.path}: {remark}", stacklevel=3)
        seed, threads = _checks.seed_of(random_state), _checks.threads_of(n_jobs)
        self._how = _How(policy, chosen, seed, threads, trust, average, self.path)
        self._set = _core.Set(self.path)
        self._log: list[LiveEvent] = []
        for event in past:  # that was said before the texts were compared may name a copy
            one = event._replace(document=self._set.original_of(event.document))
            self._log = [*self._others_than(one.document), one]
        self._gone = {event.document for event in self._log if event.document >= 0}
        self._words: dict[str, int] = {}
        self._proposed: tuple[int, float, bool, float | None] | None = None  # the best of a round, not shown yet
        self._on_offer: tuple[LiveChoice, Row] | None = None
        self._shards = [
            _Shard(self, number, path, (shard["first_row"], self.documents, record["nonzeros"]))
            for number, (path, shard) in enumerate(zip(paths, record["shards"], strict=True))
        ]
        self._ends = [shard["first_row"] + shard["rows"] for shard in record["shards"]]
        self._features = 0
        try:
            for shard in self._shards:
                self._features = shard.open()
        except BaseException:
            self.close()
            raise

    @property
    def random_state(self) -> int:
        """A search of the same policy, settings and `random_state` makes the same choices."""
        return self._how.seed

    @property
    def events(self) -> list[LiveEvent]:
        """The answers that hold, for `past`."""
        return list(self._log)

    @property
    def rounds(self) -> int:
        """How many documents were shown."""
        waits = self._on_offer is not None or self._proposed is not None
        return sum(event.chosen for event in self._log) + waits

    @property
    def remaining(self) -> int:
        """How many documents are not rated."""
        if self._how.settings.get("with_replacement", False):
            return self.documents - self._set.copies
        return self.documents - self._set.copies - len(self._gone)

    def next(self) -> LiveChoice:
        """Give the document on offer: the same one until it is rated.

        Returns
        -------
        LiveChoice
            The document.

        Raises
        ------
        NothingLeftError
            Where there is none.
        """
        if self._on_offer is not None:
            return self._on_offer[0]
        if self.remaining == 0:
            raise NothingLeftError("next", "expected a document that is not rated; there is none")
        if self._proposed is None:  # else its shard was lost before it was shown
            proposals = self._ask_all("propose")
            # A lower document comes first among equal scores, as in the ranks of one machine.
            self._proposed = min((p for p in proposals if p[0] >= 0), key=lambda p: (-p[1], p[0]))
        document, score, explored, radius = self._proposed
        row, name, label, text = self._ask(self._shard_of(document), "show", document)
        choice = LiveChoice(document, explored, None if explored else score, radius, name, label, text)
        self._on_offer = (choice, row)
        self._proposed = None
        return choice

    def rate(self, document: int, rate: float, words: Words = ()) -> LiveSearch:
        """Rate a document, and mark or rate words in it, as `inkling.Session.rate` does.

        Parameters
        ----------
        document : int
            Its row. If it has the text of an earlier document, that one is rated.
        rate : float
            How good it is.
        words : list or dict, optional
            The words that made it so.

        Returns
        -------
        LiveSearch
            The search itself.
        """
        number = self._set.original_of(_checks.document(document, self.documents))
        feedback = tuple(words_of(words, self._feature))
        value = _checks.real("rate", rate)
        chosen = self._on_offer
        is_chosen = chosen is not None and chosen[0].document == number
        row = chosen[1] if chosen is not None and is_chosen else self._ask(self._shard_of(number), "show", number)[0]
        self._learn(LiveEvent(number, value, feedback, row, is_chosen))
        self._gone.add(number)
        if is_chosen:
            self._on_offer = None
        if self._proposed is not None and self._proposed[0] == number:
            self._proposed = None
        return self

    def query(self, words: Words) -> LiveSearch:
        """Rate words apart from any document, as `inkling.Session.query` does.

        Parameters
        ----------
        words : list or dict
            As in `rate`; a word alone is rated 1.

        Returns
        -------
        LiveSearch
            The search itself.
        """
        return self._learn(LiveEvent(words=tuple(words_apart(words, self._feature))))

    def unmark(self, word: str | int) -> LiveSearch:
        """Take a word out of all answers, as if it had never been marked or rated.

        Parameters
        ----------
        word : str or int
            The word, or its feature.

        Returns
        -------
        LiveSearch
            The search itself.

        Raises
        ------
        FormatError
            If it was neither marked nor rated.
        """
        feature = self._feature(word)
        log = [_without(event, {feature}) for event in self._log]
        if log == self._log:
            raise FormatError(f"feature {feature}", "expected one that is marked, to un-mark it")
        return self._learn_anew([event for event in log if event.document >= 0 or event.words])

    def ranking(self, k: int = 10) -> list[tuple[int, float]]:
        """Rank the documents that are not rated, best first.

        Parameters
        ----------
        k : int, default 10
            How many.

        Returns
        -------
        list of pairs
            Each document with its score.
        """
        count = _checks.whole("k", k, 1, _checks.MOST_DOCUMENTS)
        ranked = itertools.chain.from_iterable(self._ask_all("ranking", count))
        best = sorted(ranked, key=lambda one: (-one[0], one[1]))[:count]
        return [(document, score) for score, document in best]

    def close(self) -> None:
        """Release the shards in the workers."""
        for shard in self._shards:
            shard.release()

    def __enter__(self) -> LiveSearch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<LiveSearch of {self._how.policy}: {self.rounds} rounds, {self.remaining} left>"

    def _learn(self, event: LiveEvent) -> LiveSearch:
        """Learns an event. Only the last rating counts of a document, and of a word apart from documents, at its place."""
        if event.document >= 0:
            log = self._others_than(event.document)
        else:
            rated = {word.feature for word in event.words}
            log = [one if one.document >= 0 else _without(one, rated) for one in self._log]
            log = [one for one in log if one.document >= 0 or one.words]
        if log != self._log:
            return self._learn_anew([*log, event])
        self._ask_all("learn", event)
        self._log.append(event)
        return self

    def _others_than(self, document: int) -> list[LiveEvent]:
        """The log without a document that is rated again, unless it may be played twice."""
        if document < 0 or self._how.settings.get("with_replacement", False):
            return self._log
        return [one for one in self._log if one.document != document]

    def _learn_anew(self, log: list[LiveEvent]) -> LiveSearch:
        """Makes all replicas begin anew with this log or, if one refuses it, with the log before."""
        before = self._log
        try:
            self._begin_with(log)
        except (FormatError, ArithmeticError):
            self._begin_with(before)
            raise
        return self

    def _begin_with(self, log: list[LiveEvent]) -> None:
        self._ask_all("begin")
        self._log = log
        for shard in self._shards:
            try:
                shard.replay()
            except _Lost:
                shard.open()

    def _shard_of(self, document: int) -> _Shard:
        return next(shard for shard, end in zip(self._shards, self._ends, strict=True) if document < end)

    def _ask(self, shard: _Shard, name: str, *arguments: Any) -> Any:
        return self._with_another(shard, shard.start(name, *arguments), name, *arguments)

    def _ask_all(self, name: str, *arguments: Any) -> list[Any]:
        """Asks all shards at once. If one refuses, all do, because they are alike."""
        asked = [shard.start(name, *arguments) for shard in self._shards]
        answers, refusal = [], None
        for shard, question in zip(self._shards, asked, strict=True):
            try:
                answers.append(self._with_another(shard, question, name, *arguments))
            except (FormatError, ArithmeticError) as error:
                refusal = refusal or error
        if refusal is not None:
            raise refusal
        return answers

    def _with_another(self, shard: _Shard, asked: Any, name: str, *arguments: Any) -> Any:
        """The answer of a shard, from its replacement if its worker is lost."""
        deadline = time.monotonic() + 2 * self.timeout
        while True:
            try:
                return shard.answer(asked, self.timeout)
            except _Lost as error:
                if time.monotonic() >= deadline:
                    raise WorkerLostError(f"shard {shard.number} ({shard.path}): {error}") from error
            shard.open()
            asked = shard.start(name, *arguments)

    def _feature(self, word: str | int) -> int:
        if not isinstance(word, str):
            return _checks.whole("feature", word, 0, self._features - 1)
        if word not in self._words:
            self._words[word] = self._ask(self._shards[0], "feature", word)
        return self._words[word]
