#!/usr/bin/env python3
"""score_times.py INKLING POOL [THREADS]: what `inkling score` takes from start to end for the best 10, by ratings that each mark
a word which a few in a thousand documents hold. One thread or THREADS, everything warm; medians of 9 runs, in milliseconds."""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np


def write_events(pool, path, count, reward_of):
    """Each document is the first one that holds its word and has no rating yet."""
    held = np.load(os.path.join(pool, "document_frequency.npy"))
    first = np.load(os.path.join(pool, "by_feature", "indptr.npy"))
    documents = np.load(os.path.join(pool, "by_feature", "indices.npy"), mmap_mode="r")
    rows = len(np.load(os.path.join(pool, "indptr.npy"), mmap_mode="r")) - 1
    words = np.flatnonzero((held >= 0.002 * rows) & (held <= 0.02 * rows))
    rated = set()
    with open(path, "w", encoding="utf-8") as file:
        for number, word in enumerate(words[np.linspace(0, len(words) - 1, count).astype(int)].tolist()):
            document = next(one for one in documents[first[word] : first[word + 1]].tolist() if one not in rated)
            rated.add(document)
            file.write(json.dumps({"document": document, "reward": reward_of(number), "features": [word]}) + "\n")


def times(command, runs=9):
    taken = []
    for _ in range(runs + 1):
        begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - begin))
    return [round(1000 * statistics.median(one)) for one in zip(*taken[1:])]


def main():
    program, pool = sys.argv[1:3]
    threads = sys.argv[3] if len(sys.argv) > 3 else "1"
    kinds = {"grades": lambda n: float(n % 3 > 0), "measurements": lambda n: round(0.1 + 0.01 * n, 2)}
    time.sleep(2)  # a pool that was written just now is checked each time
    with tempfile.TemporaryDirectory() as folder:
        events = os.path.join(folder, "events.jsonl")
        for policy, count, kind, more in [("ff-oful", 30, "measurements", []), ("ff-oful", 30, "measurements", ["--check"]),
                                          ("inkling", 30, "grades", []), ("inkling", 300, "grades", []),
                                          ("inkling", 30, "measurements", []), ("oful", 30, "measurements", [])]:
            write_events(pool, events, count, kinds[kind])
            cpu, wall = times([program, "score", pool, "--events", events, "--policy", policy, "--threads", threads, *more])
            print(f"{policy}, {count} {kind}{''.join(' ' + one for one in more)}: {cpu} ms of CPU, {wall} ms from start to end", flush=True)


if __name__ == "__main__":
    main()
