"""Off-policy evaluation: what another policy would have found in a search, from its log alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _checks, _core
from ._errors import FormatError
from ._session import Session
from ._settings import PolicySettings, options_of, takes_settings

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from numpy.typing import NDArray

ROUNDS = np.dtype(
    [(name, "i8") for name in ("shown", "document", "among", "best")]
    + [(name, "f8") for name in ("exploration", "logged", "target", "reward", "predicted", "expectation", "square")]
)


class Value(NamedTuple):
    """An estimate with the ends of its interval.

    Parameters
    ----------
    value : float or None
        None where it is not defined.
    low, high : float or None
        None where the log says too little for an interval.

    Examples
    --------
    >>> import inkling as ink
    >>> ink.evaluate({"logged": [0.5] * 4, "target": [0.5] * 4, "reward": [0, 1, 1, 0]}).snips
    Value(value=0.5, low=None, high=None)
    """

    value: float | None
    low: float | None
    high: float | None


class Evaluation(NamedTuple):
    """What `evaluate` returns.

    Parameters
    ----------
    doubly_robust, snips, ips : Value
        The three estimates.
    logged : float
        The mean reward of the log itself.
    effective_rounds : float
        As many rounds of the policy's own would say as much; below 10 there is no interval.
    mean_weight, largest_weight : float
        Of target / logged; the mean is about 1 if the probabilities are right.
    left_out : dict
        Rounds of a session that cannot be used, by the reason.
    rounds : structured array
        Those used.

    Examples
    --------
    >>> import inkling as ink
    >>> ink.evaluate({"logged": [0.5] * 4, "target": [0.5] * 4, "reward": [0, 1, 1, 0]}).effective_rounds
    4.0
    """

    doubly_robust: Value
    snips: Value
    ips: Value
    logged: float
    effective_rounds: float
    mean_weight: float
    largest_weight: float
    left_out: dict[str, int]
    rounds: NDArray[np.void]


@takes_settings
def evaluate(
    log: Any, policy: str | None = None, *, confidence: float = 0.9, **settings: Unpack[PolicySettings]
) -> Evaluation:
    """Estimate the reward for each round that another policy would have had, given the answers before it.

    Parameters
    ----------
    log : Session, or a mapping or structured array
        A session of a policy that logs probabilities below 1; or rounds of any log, with the columns `logged` and `target` (the
        probabilities with which the log and the other policy choose the document of the round), `reward`, and perhaps `predicted`
        and `expectation` (the other policy's prediction for the document, and its mean over the policy's choice) and `square`
        (what is expected of (target / logged)², where that is known).
    policy : str, optional
        The other policy, of a session.
    confidence : float, default 0.9
        How often an interval holds the value that it is about.
    **settings
        Of the other policy.

    Returns
    -------
    Evaluation
        Three estimates with intervals.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost", "a cold wind"])
    >>> session = ink.Session(pool, "random", random_state=1, with_replacement=True)
    >>> for _ in range(200):
    ...     document = session.next().document
    ...     session = session.rate(document, float(document in (0, 2)), ["soil"] if document in (0, 2) else [])
    >>> value = ink.evaluate(session, "ff-oful").doubly_robust
    >>> value.low < 0.9 < value.high
    True
    """
    if not 0.0 < _checks.real("confidence", confidence) < 1.0:
        raise FormatError(f"confidence {confidence!r}", "expected a number between 0 and 1")
    if isinstance(log, Session):
        if not isinstance(policy, str):
            raise FormatError(f"policy {policy!r}", "expected the name of a policy")
        options = options_of(policy, settings, log._feature)
        text, counts, reals = _core.evaluate_session(log._core, policy, options, confidence)
        columns: dict[str, NDArray[Any]] = dict(zip(ROUNDS.names or (), (*counts, *reals)))
    elif policy is not None or settings:
        raise FormatError("policy", "expected with a Session: the columns of rounds have its probabilities")
    else:
        columns = _columns(log)
        made, asked, reward, predicted, expectation, square = columns.values()
        text = _core.evaluate_rounds(made, asked, reward, predicted, expectation, square, confidence)
    rounds = np.zeros(len(columns["logged"]), dtype=ROUNDS)
    for name, column in columns.items():
        rounds[name] = column
    found = json.loads(text)
    doubly_robust, snips, ips = (Value(**found[name]) for name in ("doubly_robust", "snips", "ips"))
    logged, effective, mean, largest = (float(found[name]) for name in ("logged", "effective_rounds", "mean_weight", "largest_weight"))
    return Evaluation(doubly_robust, snips, ips, logged, effective, mean, largest, found.get("left_out", {}), rounds)


def _columns(log: Any) -> dict[str, NDArray[Any]]:
    """The columns that are evaluated; the last three are 0 where there are none."""
    names = set(log) if isinstance(log, Mapping) else set(getattr(getattr(log, "dtype", None), "names", None) or ())
    missing = {"logged", "target", "reward"} - names
    if missing:
        raise FormatError("log", f"expected a Session, or columns logged, target and reward; {sorted(missing)[0]} is missing")
    columns = {name: np.ascontiguousarray(log[name], dtype=np.float64) for name in ("logged", "target", "reward")}
    for name in ("predicted", "expectation", "square"):
        given = log[name] if name in names else np.zeros(len(columns["logged"]))
        columns[name] = np.ascontiguousarray(given, dtype=np.float64)
    return columns
