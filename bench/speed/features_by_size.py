#!/usr/bin/env python3
"""features_by_size.py PROGRAM DATA [SIZE...]: words, or words and pairs of words: what a pool of each size takes, and what is found in it.

Six reviews of DATA lie among generated texts, in which each word follows the word before it as somewhere in the reviews, so that pairs
are as common as in real text. A pool of SIZE documents (0, 10,000, 100,000 and 1,000,000 by default; 0: each review alone) is built both
ways; then each review is searched in it three times, begun with one relevant and one irrelevant record. Useless: how many of the first
150 are irrelevant. Times are those of processors. Files are written below the current folder, and removed.
"""

import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import inkling as ink

REVIEWS = ("ACEInhibitors", "Cohen_CalciumChannelBlockers", "Jeyaraman_2020", "Kitchenham_2010", "Meijboom_2021", "Wahono_2016")
READ, BEGINNINGS, TOGETHER = 150, 3, 100_000
TITLE, WORDS = 12, 60
program, data = sys.argv[1:3]
sizes = [int(size) for size in sys.argv[3:]] or [0, 10_000, 100_000, 1_000_000]

texts, reviews = [], {}
for name in REVIEWS:
    first, relevant = len(texts), []
    with gzip.open(os.path.join(data, name + ".jsonl.gz"), "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            relevant += [len(texts)] * record["included"]
            texts.append({"title": record["title"], "abstract": record["abstract"]})
    reviews[name] = range(first, len(texts)), set(relevant)


class Chain:
    """Texts of which each word follows the one before it as at a random place of the real ones."""

    def __init__(self):
        words, self.tokens = np.unique(" ".join(" ".join(text.values()) for text in texts).split(), return_inverse=True)
        self.words = words.tolist()
        self.places = np.argsort(self.tokens, kind="stable")
        self.first = np.searchsorted(self.tokens[self.places], np.arange(len(self.words) + 1))
        self.chance = np.random.default_rng(1)

    def texts(self, count):
        now, steps = self.chance.choice(self.tokens, count), []
        for _ in range(WORDS):
            steps.append(now)
            many = self.first[now + 1] - self.first[now]
            place = self.places[self.first[now] + (self.chance.random(count) * many).astype(np.int64)]
            now = self.tokens[(place + 1) % len(self.tokens)]
        for row in np.array(steps).T:
            words = [self.words[word] for word in row]
            yield {"title": " ".join(words[:TITLE]), "abstract": " ".join(words[TITLE:])}


def write(path, rows, size):
    left = size - len(rows)
    chain = Chain() if left > 0 else None
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(texts[row]) + "\n" for row in rows)
        while left > 0:
            some = min(left, TOGETHER)
            file.writelines(json.dumps(text) + "\n" for text in chain.texts(some))
            left -= some


def build(path, ngrams, out):
    """Seconds of the processors, and in MB the largest memory and the size of the pool."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "build", path, "--text-field", "title,abstract", "--ngrams", ngrams, "--memory", "2G", "--json", "--force"]
    command += ["--out", out]
    made = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return work, made["peak_memory_bytes"] / 1e6, made["pool_bytes"] / 1e6


def search(pool, rows, relevant, seed):
    """How many of the documents read are useless, and the milliseconds of a round. `rows` are those of the review in the pool."""
    chance = np.random.default_rng(seed)
    session = ink.Session(pool, random_state=seed)
    session.rate(int(chance.choice(sorted(relevant))), 1.0)
    session.rate(int(chance.choice([row for row in rows if row not in relevant])), 0.0)
    useless, times = 0, []
    for _ in range(READ):
        begin = time.process_time()
        document = session.next().document
        session.rate(document, float(document in relevant))
        times.append(1e3 * (time.process_time() - begin))
        useless += document not in relevant
    return useless, statistics.median(times)


print(f"{'documents':>10} {'features':>9} {'build s':>7} {'memory MB':>9} {'disk MB':>8} {'round ms':>8} {'useless of ' + str(READ):>14}")
with tempfile.TemporaryDirectory(dir=os.curdir) as folder:
    for size in sizes:
        corpus, found = os.path.join(folder, "texts.jsonl"), {}
        pools = [(rows, [name]) for name, (rows, _) in reviews.items()] if size == 0 else [(range(len(texts)), list(REVIEWS))]
        for ngrams in ("1", "1,2"):
            built, runs = [], []
            for rows, names in pools:
                if ngrams == "1" or size == 0:
                    write(corpus, rows, size)
                built.append(build(corpus, ngrams, os.path.join(folder, "pool")))
                pool = ink.Pool.open(os.path.join(folder, "pool"))
                for name in names:
                    of_review, relevant = reviews[name]
                    here = [row - rows.start for row in of_review], {row - rows.start for row in relevant}
                    runs += [search(pool, *here, seed) for seed in range(BEGINNINGS)]
            found[ngrams] = [useless for useless, _ in runs]
            work, memory, disk = map(statistics.mean, zip(*built))
            shown = f"{max(size, len(texts)):,}" if size else "alone"
            print(f"{shown:>10} {'words' if ngrams == '1' else 'and pairs':>9} {work:>7.1f} {memory:>9.0f} {disk:>8.0f} "
                  f"{statistics.median(each for _, each in runs):>8.1f} {statistics.mean(found[ngrams]):>14.1f}", flush=True)
        apart = np.subtract(found["1,2"], found["1"])
        print(f"{'':>10} with pairs, useless: {apart.mean():+.1f} ± {apart.std(ddof=1) / len(apart) ** 0.5:.1f}", flush=True)
