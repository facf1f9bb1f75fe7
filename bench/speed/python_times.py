#!/usr/bin/env python3
"""python_times.py [PROGRAM]: what a session of Python takes beside the same work in SciPy, and a kept round beside one on a pipe.

Medians of turns, at 2,071 and 1,020,000 random documents of 80 and 52 words. SciPy has the weights already, in float32: its
ranking is X @ w, argpartition and a sort of ten, its expectations are X[rows] @ w. The package is that which Python finds.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse as sp

import inkling as ink


def median_ms(turns, work):
    """Medians of each, in turns, so that all of them meet the same noise."""
    times = {name: [] for name in work}
    for _ in range(turns):
        for name, call in work.items():
            begin = time.perf_counter()
            call()
            times[name].append(1e3 * (time.perf_counter() - begin))
    return {name: statistics.median(found) for name, found in times.items()}


def learned(pool, X, policy):
    session, chance = ink.Session(pool, policy, random_state=1), np.random.default_rng(0)
    for turn in range(30):
        document = session.next().document
        words = X.indices[X.indptr[document] : X.indptr[document + 1]][:2].tolist()
        session.rate(document, float(chance.random() < 0.4), words if turn % 3 == 0 else [])
    return session


def compare(documents, features, words):
    chance = np.random.default_rng(1)
    columns = np.minimum((features * chance.random(documents * words) ** 3).astype(np.int32), features - 1)
    X = sp.csr_matrix((chance.random(len(columns), dtype=np.float32) + 0.1, columns, np.arange(0, len(columns) + 1, words)), shape=(documents, features))
    X.sum_duplicates()
    pool = ink.Pool.from_csr(X)
    rows = chance.choice(documents, 500, replace=False)
    for policy in ("inkling", "ff-oful"):
        session = learned(pool, X, policy)
        w = session.weights.astype(np.float32)

        def ten_best():
            scores = X @ w
            best = np.argpartition(-scores, 10)[:10]
            return best[np.argsort(-scores[best])]

        found = median_ms(15, {"SciPy's ranking": ten_best, "ranking": lambda: session.ranking(10),
                               "SciPy's expectations": lambda: X[rows] @ w, "expectations": lambda: session.expectations(rows)})
        for name in ("ranking", "expectations"):
            of_scipy = found[f"SciPy's {name}"]
            print(f"{documents:>9,} documents, {policy:8} {name:13} {found[name]:7.3f} ms, SciPy {of_scipy:7.3f} ms: {found[name] / of_scipy:.2f}", flush=True)


def kept_rounds(program, rounds=60):
    chance = np.random.default_rng(0)
    texts = [" ".join(f"w{int(2000 * x**3)}" for x in chance.random(60)) for _ in range(2071)]
    with tempfile.TemporaryDirectory(dir=os.curdir) as folder:
        ink.Pool.from_text(texts, out=os.path.join(folder, "pool"))
        with ink.Session(ink.Pool.open(os.path.join(folder, "pool")), file=os.path.join(folder, "python")) as session:
            command = [program, "search", os.path.join(folder, "pool"), "--json", "--searches", os.path.join(folder, "pipe"), "--name", "x"]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as pipe:

                def ask(line):
                    pipe.stdin.write(line + "\n")
                    pipe.stdin.flush()
                    return pipe.stdout.readline()

                ask('{"next": true}')
                found = median_ms(rounds, {"Python": lambda: session.rate(session.next().document, 0.0), "a pipe": lambda: ask('{"rate": 0}')})
    print(f"a round that is kept: Python {found['Python']:.2f} ms, a pipe {found['a pipe']:.2f} ms: {found['Python'] / found['a pipe']:.2f}")


if __name__ == "__main__":
    compare(2071, 9000, 80)
    compare(1_020_000, 200_000, 52)
    kept_rounds(sys.argv[1] if len(sys.argv) > 1 else "build/inkling")
