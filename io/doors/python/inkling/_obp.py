"""Logs for Open Bandit Pipeline."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._session import Session


def to_obp(session: Session, context: Any = None) -> dict[str, Any]:
    """Make a log for Open Bandit Pipeline, which need not be installed.

    Parameters
    ----------
    session : Session
        Of its rounds, those with a rating and a known probability.
    context : array, optional
        A line for each round of the session; by default ones.

    Returns
    -------
    dict
        The `bandit_feedback` of that program.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea"])
    >>> session = ink.Session(pool, random_state=1)
    >>> session = session.rate(session.next().document, 1.0)
    >>> ink.to_obp(session)["pscore"].tolist()
    [0.5]
    """
    log = session.log()
    lines = log[(log["kind"] == "rated") & ~np.isnan(log["propensity"])]
    rounds = np.asarray(lines["round"], dtype=np.int64)
    contexts = np.ones((len(lines), 1)) if context is None else np.asarray(context)[rounds - 1]
    return {
        "n_rounds": len(lines),
        "n_actions": session.pool.shape[0],
        "context": contexts,
        "action": np.asarray(lines["document"], dtype=np.int64),
        "reward": np.asarray(lines["reward"], dtype=np.float64),
        "position": np.zeros(len(lines), dtype=np.int64),
        "pscore": np.asarray(lines["propensity"], dtype=np.float64),
    }
