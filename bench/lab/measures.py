"""How good a search was: useless documents among the first, documents to read for a share of all, and how often a search failed.

A trial has `wanted`, how many wanted documents there were, `found_at`, the rounds that showed one, and `shown`."""
import math
from bisect import bisect_right

from lab.estimates import estimate, median


def found_among(trial, documents):
    return bisect_right(trial.found_at, documents)


def recall_among(trial, documents):
    return found_among(trial, documents) / trial.wanted if trial.wanted else 0.0


def useless(documents):
    """How many of the first were shown in place of a wanted one: those that even a perfect search shows do not count."""
    return lambda trial: float(min(documents, trial.wanted) - found_among(trial, documents))


def documents_until(trial, share):
    """Documents shown until this share of all was found; None if the trial ended before."""
    wanted = math.ceil(share * trial.wanted - 1e-9)  # 0.95 * 20 is 19, also where it is computed as a little more
    if wanted == 0:
        return 0
    return trial.found_at[wanted - 1] if len(trial.found_at) >= wanted else None


def reading_for(share):
    """The same; if the share was not reached, one more than the documents shown: a lower bound."""
    def reading(trial):
        until = documents_until(trial, share)
        return float(trial.shown + 1 if until is None else until)
    return reading


def share_reaching(result, share):
    return result.mean(lambda trial: documents_until(trial, share) is not None)


def share_failed(result, documents, kinds=1):
    """Share of the trials that found less than half of the median among as many documents, as a share of what a perfect search
    finds. Trial n is of kind n % kinds, such as a topic, and each kind has a median of its own."""
    def of_perfect(trial):
        perfect = min(documents, trial.wanted)
        return found_among(trial, documents) / perfect if perfect > 0 else 1.0

    found = result.by_trial(of_perfect)
    failed = [0.0] * len(found)
    for kind in range(min(kinds, len(found))):
        half = 0.5 * median(found[kind::kinds])
        failed[kind::kinds] = [float(share < half) for share in found[kind::kinds]]
    return estimate(failed)


def loss(trial, documents):
    """What ASReview calls so: the area between the recall curve and a perfect one; 0 is perfect, 0.5 the order of chance."""
    every, wanted = float(documents), float(len(trial.found_at))
    area = 0.0
    for at in trial.found_at:
        area += every - at + 1.0
    return (wanted * (every - (wanted - 1.0) / 2.0) - area) / (wanted * (every - wanted))


# Of a search that continued until everything was found, among so many documents; less is better.
SCREENING = {
    "ATD %": lambda trial, documents: 100.0 * sum(trial.found_at) / (len(trial.found_at) * documents),
    "loss": loss,
    "useless of 25": lambda trial, documents: float(min(25, documents) - found_among(trial, 25)),
    "95 % at %": lambda trial, documents: 100.0 * reading_for(0.95)(trial) / documents,
    "all at %": lambda trial, documents: 100.0 * reading_for(1.0)(trial) / documents,
}
