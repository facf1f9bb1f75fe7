"""Theorem 2 as arithmetic: its three terms, as README.md of this folder names them."""
import math


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
