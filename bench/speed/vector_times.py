#!/usr/bin/env python3
"""vector_times.py [DOCUMENTS [DIMENSIONS]]: what vectors cost a round, in turns with the same search without them, on one thread.

Random texts of 52 words and random vectors of int8 (a million of 384 numbers by default). A round is a rating and the next
document. The floor is reading the codes once, as NumPy does when it sums them. The package is that which Python finds.
"""

import os
import resource
import statistics
import sys
import tempfile
import time

import numpy as np

import inkling as ink

documents = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
dimensions = int(sys.argv[2]) if len(sys.argv) > 2 else 384
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
chance = np.random.default_rng(1)
words = np.array([f"w{n}" for n in range(50_000)])
texts = (" ".join(words[np.minimum((50_000 * chance.random(52) ** 3).astype(int), 49_999)]) for _ in range(documents))

with tempfile.TemporaryDirectory(dir=os.curdir) as folder:
    vectors = os.path.join(folder, "E.npy")
    rows = np.lib.format.open_memmap(vectors, mode="w+", dtype=np.int8, shape=(documents, dimensions))
    for first in range(0, documents, 10_000):
        rows[first : first + 10_000] = chance.integers(-127, 128, size=rows[first : first + 10_000].shape, dtype=np.int8)
    del rows
    begin = time.perf_counter()
    pool = ink.Pool.from_text(texts, vectors=vectors, out=os.path.join(folder, "pool"), keep_text=False, min_df=2)
    print(f"{documents:,} documents, {dimensions} numbers each: built in {time.perf_counter() - begin:.1f} s, "
          f"{os.path.getsize(os.path.join(folder, 'pool', 'documents', 'vectors.npy')) / 1e6:.0f} MB of codes", flush=True)
    sessions = {"with": ink.Session(pool, random_state=1), "without": ink.Session(pool, random_state=1, vectors=0.0)}
    times = {name: [] for name in (*sessions, "reading")}
    codes = np.load(os.path.join(folder, "pool", "documents", "vectors.npy"), mmap_mode="r").view(np.int64)
    for turn in range(60):
        for name, session in sessions.items():
            begin = time.perf_counter()
            document = session.next().document
            session.rate(document, float(chance.random() < 0.3))
            times[name].append(1e3 * (time.perf_counter() - begin))
        begin = time.perf_counter()
        codes.sum()
        times["reading"].append(1e3 * (time.perf_counter() - begin))
    found = {name: statistics.median(each[10:]) for name, each in times.items()}
    print(f"a round: with vectors {found['with']:.1f} ms, without {found['without']:.1f} ms; reading the codes {found['reading']:.1f} ms; "
          f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB resident, pages of the pool among them")
