"""Where a stopping rule would have ended a finished search. A rule is a function of the trial, the documents that could be shown, and the
number of the trial. It returns after how many documents it stops, or that and how many wanted ones were found."""
import math

import numpy as np
from inkling import _core
from scipy.stats import hypergeom

from lab.measures import found_among


def without_good(in_a_row):
    """After so many documents in a row that are not wanted."""
    def rule(trial, documents, number):
        last = 0
        for at in trial.found_at:
            if at - last > in_a_row:
                break
            last = at
        return last + in_a_row
    return rule


def by_guess(recall, guesses_every):
    """Where the model's guess says that this share of all is found."""
    def rule(trial, documents, number):
        for n, guess in enumerate(trial.guesses):
            read = (n + 1) * guesses_every
            found = found_among(trial, read)
            if guess >= 0.0 and found >= recall * (found + guess):
                return read
        return documents
    return rule


def by_buscar(recall, confidence):
    """Buscar (Callaghan and Mueller-Hansen, Systematic Reviews 9:273, 2020, doi:10.1186/s13643-020-01521-4): after any document, the last n
    may be taken for a random sample of the N that were unread before them, because a ranking finds no fewer. If less than `recall` was
    found, at least K of these N were wanted. A hypergeometric test gives the probability that so few of the K are among the n. The search
    stops when for some n that is less than 1 - `confidence`; computed after every 10 documents. A sample is best begun after a wanted
    document, so only these places are tried."""
    def rule(trial, documents, number):
        places = np.array([0, *trial.found_at])
        for read in range(10, documents, 10):
            found = found_among(trial, read)
            first = places[: found + 1]
            before = np.arange(found + 1)
            unread = documents - first
            wanted = math.floor(found / recall + 1e-9) + 1 - before
            possible = (first < read) & (wanted <= unread)
            if ((first < read) & (wanted > unread)).any():
                return read  # more wanted than unread: impossible
            chances = hypergeom.cdf(found - before[possible], unread[possible], wanted[possible], read - first[possible])
            if (chances < 1.0 - confidence).any():
                return read
        return documents
    return rule


def by_bound(seed):
    """After 50 documents in a row that are not wanted, documents are drawn at random until the bound says that 95 % are found (19 of 20);
    computed again whenever the draws have grown by a fiftieth."""
    def rule(trial, documents, number):
        random = _core.RandomStream(seed, number, _core.RandomRole.sampling)
        read = min(without_good(50)(trial, documents, number), documents)
        found = found_among(trial, read)
        left, draws, next_look = trial.wanted - found, [], 1
        while read < documents:
            unread = documents - read
            good = random.below(unread) < left
            draws.append((unread, unread, found, good))
            read, found, left = read + 1, found + good, left - good
            if len(draws) < next_look:
                continue
            next_look += max(1, len(draws) // 50)
            if _core.most_good_left(draws, unread - 1, found) <= found // 19:
                break
        return read, found
    return rule


def rules_of(seed, recall, guesses_every):
    rules = {f"{in_a_row} bad ones in a row": without_good(in_a_row) for in_a_row in (50, 100, 200)}
    return rules | {"the model's guess: 95 % found": by_guess(recall, guesses_every), "Buscar: 95 % found, 95 % sure": by_buscar(recall, 0.95),
                    "certain: 50 bad ones, then random draws until 95 % are found, 95 % sure": by_bound(seed)}
