"""How often the intervals of `inkling.evaluate` hold the value that they are about: python3 evaluation_coverage.py [SEARCHES [FIRST [PROCESSES]]].

Each search is of its own world: 12 documents of 3 of 10 words, of which 3 matter; rewards x.theta* with noise 0.3; a word that matters is
marked with probability 0.3. A document may be shown again, so that the log holds enough choices of others. The value is known there: the
reward that is expected of the other policy's choice in each round, given the search until then, and the mean of that over the rounds."""
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import inkling as ink
import numpy as np
import scipy.sparse as sp

ROUNDS, DOCUMENTS, WORDS, OF_DOCUMENT, RELEVANT, NOISE, MARKED = 400, 12, 10, 3, 3, 0.3, 0.3
LOGGING: dict[str, dict[str, Any]] = {"random": {}, "ff-oful": {}, "ff-oful-epoch": {"epoch_constant": 4.0}}
TARGETS: dict[str, dict[str, Any]] = {"inkling": {}, "oful": {"ridge": 1.0}, "explore-then-commit": {"first_rounds": 50}}
ESTIMATORS = ("doubly_robust", "snips", "ips")


def world(trial: int) -> tuple[ink.Pool, np.ndarray, np.ndarray, np.random.Generator]:
    random = np.random.default_rng(trial)
    rows = np.zeros((DOCUMENTS, WORDS), dtype=np.float32)
    for row in rows:
        row[random.choice(WORDS, OF_DOCUMENT, replace=False)] = OF_DOCUMENT**-0.5
    theta = np.zeros(WORDS)
    theta[:RELEVANT] = random.uniform(0.3, 1.0, RELEVANT)
    return ink.Pool.from_csr(sp.csr_array(rows)), rows @ theta, rows[:, :RELEVANT] > 0, random


def searched(policy: str, trial: int, rounds: int = ROUNDS) -> tuple[ink.Session, np.ndarray]:
    """A search with simulated answers, and the expected reward of each document."""
    pool, expected, holds, random = world(trial)
    session = ink.Session(pool, policy, random_state=trial, with_replacement=True, n_jobs=1, **LOGGING[policy])
    for _ in range(rounds):
        document = session.next().document
        marks = np.flatnonzero(holds[document] & (random.random(RELEVANT) < MARKED)).tolist()
        session.rate(document, expected[document] + NOISE * random.standard_normal(), marks)
    return session, expected


def true_value(rounds: Any, expected: np.ndarray) -> float:
    greedy = np.where(rounds["best"] < 0, 0.0, expected[rounds["best"]])
    return float(np.mean(rounds["exploration"] * expected.mean() + (1.0 - rounds["exploration"]) * greedy))


def outcomes(policy: str, trial: int, rounds: int = ROUNDS) -> list[list[float]]:
    """By target and estimator: (estimate - value), and 1 or 0 for a value within the interval, -1 without one."""
    session, expected = searched(policy, trial, rounds)
    found = []
    for target, settings in TARGETS.items():
        evaluated = ink.evaluate(session, target, confidence=0.9, **settings)
        value = true_value(evaluated.rounds, expected)
        for one in (getattr(evaluated, name) for name in ESTIMATORS):
            found.append([np.nan if one.value is None else one.value - value, -1 if one.low is None else one.low <= value <= one.high])
    return found


def main(searches: int = 1000, first: int = 1000, processes: int = 2) -> None:
    print("| log | other policy | no interval | " + " | ".join(f"{name}: within, error" for name in ESTIMATORS) + " |")
    print("|---" * 6 + "|")
    with ProcessPoolExecutor(processes) as workers:
        for policy in LOGGING:
            found = np.array(list(workers.map(partial(outcomes, policy), range(first, first + searches), chunksize=10)))
            for n, target in enumerate(TARGETS):
                cells = [f"{np.mean(found[:, 3 * n, 1] < 0):.1%}"]
                for errors, within in found[:, 3 * n:3 * n + 3].transpose(1, 2, 0):
                    cells.append(f"{np.mean(within[within >= 0]):.1%}, {np.sqrt(np.nanmean(errors**2)):.3f}" if (within >= 0).any() else "-")
                print(f"| {policy} | {target} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
