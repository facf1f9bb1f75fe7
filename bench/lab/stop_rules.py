"""Where a stopping rule would have ended a finished search. A rule is a function of the trial, the documents that could be shown, and the
number of the trial. It returns after how many documents it stops, or that and how many wanted ones were found."""
import math

import numpy as np
from inkling import _core
from scipy.stats import hypergeom

from lab.estimates import estimate, median
from lab.figure import series
from lab.measures import documents_until, found_among

RECALL, GUESSES_EVERY = 0.95, 25


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


def rules_of(seed):
    rules = {f"{in_a_row} bad ones in a row": without_good(in_a_row) for in_a_row in (50, 100, 200)}
    return rules | {"the model's guess: 95 % found": by_guess(RECALL, GUESSES_EVERY), "Buscar: 95 % found, 95 % sure": by_buscar(RECALL, 0.95),
                    "certain: 50 bad ones, then random draws until 95 % are found, 95 % sure": by_bound(seed)}


def endings(results, rule):
    """How the searches ended by a rule: whether 95 % were found, percent found, percent read, read beyond, and how many did not stop."""
    reached, found, read, beyond, running = [], [], [], [], 0
    for result in results:
        for number, trial in enumerate(result.trials):
            documents = result.entrant.rounds
            stop = rule(trial, documents, number)
            until = min(stop, documents) if isinstance(stop, int) else stop[0]
            got = found_among(trial, until) if isinstance(stop, int) else stop[1]
            needed, enough = documents_until(trial, RECALL), math.ceil(RECALL * trial.wanted - 1e-9)
            reached.append(100.0 if got >= enough else 0.0)
            found.append(100.0 * got / max(trial.wanted, 1))
            read.append(100.0 * until / max(documents, 1))
            if got >= enough and needed is not None:
                beyond.append(float(max(0, until - needed)))
            running += until >= documents
    return reached, found, read, beyond, running


def guess_row(kind, results):
    """The guess beside the truth, wherever it is known."""
    rows = []
    for trial in (trial for result in results for trial in result.trials):
        for n, guess in enumerate(trial.guesses):
            if guess >= 0.0:
                found = found_among(trial, (n + 1) * GUESSES_EVERY)
                rows.append((trial.wanted - found, guess, found / max(found + guess, 1.0) - found / trial.wanted))
    if not rows:
        return []
    lefts, guesses, biases = zip(*rows)
    return [[kind, f"{len(lefts):,}", f"{estimate(lefts).mean:.1f}", f"{estimate(guesses).mean:.1f}", f"{median(guesses):.1f}", f"{median(lefts):.1f}",
             f"{estimate(biases).mean:+.3f}", f"{estimate([abs(bias) for bias in biases]).mean:.3f}"]]


def show_kinds(figure, kinds, run):
    """Tables and chart of `kinds`: by name, the results of all searches of a kind."""
    rows, lines = [], []
    for kind, results in kinds.items():
        points = []
        for name, rule in rules_of(run.seed).items():
            reached, found, read, beyond, running = endings(results, rule)
            rows.append([kind, name, len(found), f"{estimate(reached).mean:.0f}", f"{estimate(found).mean:.1f}", f"{estimate(read).mean:.1f}",
                         f"{median(beyond):.0f}" if beyond else "-", running])
            points.append((estimate(read).mean, estimate(reached).mean))
        lines.append(series(kind, sorted(points)))
    figure.chart("", "What rules find, and what they cost", lines, "documents read, %", "searches with 95 % found, %",
                 "A point is a rule: the searches in which 95 % were found, against what was read. Up and to the left is better.")
    figure.table("How searches end by a rule (means, and the median of documents read after 95 % were found)", ["searched", "rule", "searches",
                 "95 % found in %", "found %", "read %", "read beyond", "never stopped"], rows, first_number=2, open_=True)
    figure.table("The guess beside the truth, wherever it is known (every 25 documents)", ["searched", "guesses", "left, mean", "guessed, mean",
                 "guessed, median", "left, median", "recall guessed less recall, mean", "distance of both, mean"],
                 [row for kind, results in kinds.items() for row in guess_row(kind, results)])
