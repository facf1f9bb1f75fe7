"""Many people's sessions score one pool in one pass."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _core
from ._answers import PARTS
from ._errors import FormatError
from ._pool import Pool
from ._session import Session
from ._set import is_set, shards_of_set
from ._settings import DEFAULT_POLICY, SETTINGS, takes_settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCORES = np.dtype([("session", "i4"), ("document", "i8"), ("mean", "f8"), ("width", "f8"), ("score", "f8")])
WORDS = np.dtype([("session", "i4"), ("document", "i8"), *PARTS])
Path = str | os.PathLike[str]


class ScoreTable:
    """The best documents of each session or log, best first.

    `inkling.score` makes them.

    Parameters
    ----------
    table : structured array
        A line for each: session, document, mean, width, score. Of several pools, documents are counted through.
    sessions : int
        How many sessions and logs there were.
    words : structured array or None
        With `explain`, a line for each word in use that such a document holds.
    skipped : int
        How many bad events of logs were left out.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> session = ink.Session(pool, random_state=1).rate(0, 1, ["soil"])
    >>> ink.score(pool, [session, session], top=1).of(1)["document"].tolist()
    [2]
    """

    def __init__(
        self, table: NDArray[np.void], sessions: int, words: NDArray[np.void] | None, skipped: int
    ) -> None:
        self.table = table
        self.sessions = sessions
        self.words = words
        self.skipped = skipped

    def of(self, session: int) -> NDArray[np.void]:
        """Return the lines of one session.

        Parameters
        ----------
        session : int
            Its number among the sessions.

        Returns
        -------
        structured array
            Its lines of `table`.
        """
        lines: NDArray[np.void] = self.table[self.table["session"] == session]
        return lines

    def to_frame(self) -> Any:
        """Return the table as one of pandas.

        Returns
        -------
        DataFrame
            The lines of `table`.
        """
        import pandas as pd

        return pd.DataFrame({str(name): self.table[name] for name in SCORES.names or ()})

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"<ScoreTable of {self.sessions} sessions, {len(self.table)} lines>"


@takes_settings
def score(
    pool: Pool | Path | Iterable[Pool | Path],
    sessions: Session | Path | Iterable[Session | Path],
    *,
    top: int = 10,
    seen: bool = False,
    explain: bool = False,
    policy: str = DEFAULT_POLICY,
    io: str = "map",
    memory: int | str | None = None,
    any_pool: bool = False,
    skip_bad: bool = False,
    n_jobs: int | None = None,
    **settings: Any,
) -> ScoreTable:
    """Find the best documents of a pool for each session, in one pass over the pool.

    The best are those of the largest mean + radius * width. With paths of logs this is the command `inkling score`.

    Parameters
    ----------
    pool : Pool, path or iterable of them
        One, or several with the same features; paths of pools and sets.
    sessions : Session, path or iterable of them
        Sessions, or paths of logs: lines of JSON as `Session.save_events` writes them.
    top : int, default 10
        How many documents for each.
    seen : bool, default False
        Whether to include documents that a session or a log has rated. Those of a session are left out of its own pool only.
    explain : bool, default False
        Whether to return the words that made each score.
    policy : str, default "inkling"
        The policy that learns from logs.
    io : str, default "map"
        With "read", pools are read through buffers instead of mapped.
    memory : int or str, optional
        The limit of buffers and models: "256M" for io="read", else "4G".
    any_pool : bool, default False
        Whether to accept logs that name another pool.
    skip_bad : bool, default False
        Whether to leave out and count bad events of logs.
    n_jobs : int, optional
        How many threads.
    **settings
        Of that policy, as those of a Session.

    Returns
    -------
    ScoreTable
        The documents, best first.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> session = ink.Session(pool, random_state=1).rate(0, 1, ["soil"])
    >>> int(ink.score(pool, session, top=1).table["document"][0])
    2
    """
    given = [pool] if isinstance(pool, (Pool, str, os.PathLike)) else list(pool)
    pools = _with_shards(given)
    people = [sessions] if isinstance(sessions, (Session, str, os.PathLike)) else list(sessions)
    if not pools:
        raise FormatError("pool", "expected at least one")
    if io not in ("map", "read"):
        raise FormatError(f"io {io!r}", "expected map or read")
    most = _checks.whole("top", top, 1, 100_000_000)
    held = [number for number, one in enumerate(people) if isinstance(one, Session)]
    logs = [number for number, one in enumerate(people) if not isinstance(one, Session)]
    tables: list[NDArray[np.void]] = []
    words: list[NDArray[np.void]] = []
    skipped = 0
    for name in settings:
        if name in SETTINGS and not (logs and SETTINGS[name].of_model):
            raise FormatError(name, "expected a setting of the model, with logs; a session has its own")
    if held:
        if io == "read":
            raise FormatError("io 'read'", "expected logs; sessions are scored with pools that are mapped")
        opened = [one if isinstance(one, Pool) else Pool.open(one) for one in pools]
        table = _score_sessions(opened, [people[number] for number in held], most, seen, n_jobs)
        if explain:
            words.append(_renumbered(_words_of_sessions(opened, [people[n] for n in held], table), held))
        tables.append(_renumbered(table, held))
    if logs:
        how = _core.LogScoring()
        how.policy = policy
        how.options = _core.PolicyOptions(policy, settings)
        how.top, how.explain, how.seen = most, bool(explain), bool(seen)
        how.reads, how.any_pool, how.skip_bad = io == "read", bool(any_pool), bool(skip_bad)
        how.memory = _checks.bytes_of(memory if memory is not None else "256M" if io == "read" else "4G")
        how.threads = _checks.threads_of(n_jobs)
        paths = [_checks.path_of(f"sessions[{number}]", people[number]) for number in logs]
        *columns, parts, skipped, _ = _core.score_logs([_place_of(one) for one in given], paths, how)
        table = _table_of(columns)
        if explain:
            words.append(_renumbered(_words_of_logs(_opened(pools[0]), table, parts), logs))
        tables.append(_renumbered(table, logs))
    explained = _by_session(words, WORDS) if explain else None
    return ScoreTable(_by_session(tables, SCORES), len(people), explained, skipped)


def _with_shards(pools: Iterable[Pool | Path]) -> list[Pool | Path]:
    """The pools, with each set replaced by its shards."""
    found: list[Pool | Path] = []
    for one in pools:
        path = "" if isinstance(one, Pool) else _checks.path_of("pool", one)
        found.extend(shards_of_set(path) if is_set(path) else [one])
    return found


def _opened(pool: Pool | Path) -> Pool:
    return pool if isinstance(pool, Pool) else Pool.open(pool, trust=True)


def _place_of(pool: Pool | Path) -> str:
    if not isinstance(pool, Pool):
        return _checks.path_of("pool", pool)
    place = pool._place()
    if place is None:
        raise FormatError("pool", "expected a pool on disk to score logs; Pool.save writes it")
    return place


def _table_of(columns: Iterable[Any]) -> NDArray[np.void]:
    given = list(columns)
    table = np.empty(len(given[0]), dtype=SCORES)
    for name, column in zip(SCORES.names or (), given, strict=True):
        table[name] = column
    return table


def _renumbered(table: NDArray[np.void], numbers: list[int]) -> NDArray[np.void]:
    """The table with the numbers that the caller gave the sessions."""
    table["session"] = np.array(numbers, dtype=np.int32)[table["session"]]
    return table


def _by_session(tables: list[NDArray[np.void]], kind: Any) -> NDArray[np.void]:
    table = np.concatenate([np.empty(0, dtype=kind), *tables])
    ordered: NDArray[np.void] = table[np.argsort(table["session"], kind="stable")]
    return ordered


def _score_sessions(
    pools: list[Pool], sessions: list[Any], top: int, seen: bool, n_jobs: int | None
) -> NDArray[np.void]:
    cores: list[_core.Session] = []
    radii: list[float] = []
    for number, session in enumerate(sessions):
        for pool in pools:
            if session.pool.shape[1] != pool.shape[1]:
                expectation = f"expected {pool.shape[1]} features, got {session.pool.shape[1]}"
                raise FormatError(f"sessions[{number}]", expectation)
        radius = session.radius
        if radius is None:
            expectation = f"expected a policy that ranks by mean and width, got {session.policy}"
            raise FormatError(f"sessions[{number}]", expectation)
        cores.append(session._core)
        radii.append(radius)
    parts = []
    first = 0
    for pool in pools:
        left_out = [
            sorted({event.document for event in session.events() if event.kind == "rated"})
            if session.pool is pool and not seen
            else []
            for session in sessions
        ]
        part = _table_of(_core.score(pool._core, cores, radii, left_out, top, _checks.threads_of(n_jobs)))
        part["document"] += first
        first += pool.shape[0]
        parts.append(part)
    if len(parts) == 1:
        return parts[0]
    table = np.concatenate(parts)
    table = table[np.lexsort((table["document"], -table["score"], table["session"]))]
    starts = np.searchsorted(table["session"], np.arange(len(sessions)))
    best: NDArray[np.void] = table[np.arange(len(table)) - starts[table["session"]] < top]
    return best


def _words_of_sessions(pools: list[Pool], sessions: list[Any], table: NDArray[np.void]) -> NDArray[np.void]:
    firsts = np.cumsum([0, *(pool.shape[0] for pool in pools)])
    lines = []
    for owner, document in zip(table["session"].tolist(), table["document"].tolist(), strict=True):
        place = int(np.searchsorted(firsts, document, side="right")) - 1
        pool = pools[place]
        for part in _core.explain_row(sessions[owner]._core, pool._core, document - int(firsts[place])):
            lines.append((owner, document, pool.word(part[0]), *part))
    return np.array(lines, dtype=WORDS)


def _words_of_logs(pool: Pool, table: NDArray[np.void], parts: list[list[Any]]) -> NDArray[np.void]:
    lines = []
    owners, documents = table["session"].tolist(), table["document"].tolist()
    for owner, document, of_line in zip(owners, documents, parts, strict=True):
        lines += [(owner, document, pool.word(part[0]), *part) for part in of_line]
    return np.array(lines, dtype=WORDS)
