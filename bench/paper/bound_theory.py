"""Theorem 2 as arithmetic, its three terms; and how regret grows from one octave of rounds to the next."""
import math

from lab.estimates import growth


def regret_bound(rounds, relevant, discovery, run, ridge=1.0):
    """What the theorem allows for finding every word, for random rounds and for OFUL on the words found."""
    rounds, relevant = float(rounds), float(relevant)
    epochs = math.log(rounds / 2.0) / math.log(2.0)  # M
    random_plays = math.log(6.0 * epochs / run.delta)
    log_discovery = math.inf if discovery >= 1.0 else -math.log1p(-discovery)
    needed = math.log(3.0 * relevant / run.delta) / log_discovery
    sets = math.sqrt(ridge) * run.norm_bound + run.noise * math.sqrt(
        2.0 * math.log(3.0 * epochs / run.delta) + relevant * math.log(1.0 + rounds / (2.0 * ridge * relevant)))
    finding = 8.0 * run.norm_bound / random_plays * needed * needed
    exploring = epochs * 3.0 * run.norm_bound * math.sqrt(rounds * random_plays)
    optimism = 4.0 * epochs * math.sqrt(rounds / 2.0 * relevant * math.log(ridge + rounds / relevant)) * sets
    return finding, exploring, optimism


def first_power_below_worst(relevant, discovery, run):
    """The first power of two of rounds at which the bound is below 2SLT, the largest regret of any policy; None up to 2^60."""
    for power in range(2, 61):
        if sum(regret_bound(2.0**power, relevant, discovery, run)) < 2.0 * run.norm_bound * 2.0**power:
            return power
    return None


def bound_point(x, result, relevant, discovery, run):
    """x, the result, the bound's terms behind their sum and before the largest regret of any policy."""
    terms = regret_bound(result.entrant.rounds, relevant, discovery, run)
    return float(x), result, [terms[0] + terms[1] + terms[2], *terms, 2.0 * run.norm_bound * result.entrant.rounds]


def octaves(result, count):
    """The starts of the last octaves of rounds, and their regrets in each trial that had found every word by the first."""
    rounds = float(result.entrant.rounds)
    starts = [math.ldexp(rounds, -n) for n in range(count, 0, -1)]
    until = [result.regret_until(start) for start in [*starts, rounds]]
    found = [trial.all_found_at is not None and trial.all_found_at <= starts[0] for trial in result.trials]
    by_trial = [[until[n + 1][trial] - until[n][trial] for n in range(count)] for trial in range(len(found)) if found[trial]]
    return starts, by_trial, growth(starts, by_trial)
