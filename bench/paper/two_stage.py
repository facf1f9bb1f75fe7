"""FF-OFUL beside policies that explore for T0 rounds and then commit to the words found."""
import math
from dataclasses import replace

from lab.estimates import all_below, estimate, median
from lab.figure import series
from lab.synthetic import least_discovery, synthetic

TITLE = "Explore first, then commit?"
PLACE = "Introduction, explore-then-commit for different values of T0"
EXPLORE_ROUNDS = (16, 32, 64, 128, 256, 512, 1024)


def studies(run):
    rounds = run.horizon(4096)
    explore = [t for t in EXPLORE_ROUNDS if t < rounds] or EXPLORE_ROUNDS[:1]
    entrants = [run.entrant("ff-oful", rounds)] + [
        run.entrant("explore-then-commit", rounds, name=f"T0 = {t}", settings={"first_rounds": t})
        for t in EXPLORE_ROUNDS if t < rounds or t == EXPLORE_ROUNDS[0]]
    fresh = [replace(entrant, with_replacement=False) for entrant in entrants]
    return [synthetic(run, "main", 5, entrants), synthetic(run, "fresh", 5, fresh, documents=2 * rounds)]


def last_useful(result):
    """The last round whose marks the policy can use."""
    return result.entrant.settings.get("first_rounds", result.entrant.rounds)


def in_time(result):
    return [trial.all_found_at is not None and trial.all_found_at <= last_useful(result) for trial in result.trials]


def tail_row(result):
    """How much of the regret is due to words that were never found."""
    found = in_time(result)
    parts = [[trial.regret for trial, was in zip(result.trials, found) if was == wanted] for wanted in (True, False)]
    means = [estimate(part) if part else "–" for part in parts]
    return [result.entrant.name, result.mean(), f"{median(result.by_trial('regret')):.0f}", f"{100 * estimate(found).mean:.0f} %", *means]


def hindsight(results):
    """Each policy's regret up to a round over the least that any of them had by then."""
    rounds, points = results[0].entrant.rounds, [[] for _ in results]
    until = max(1, rounds // 32)
    while until <= rounds:
        regrets = [estimate(result.regret_until(until)).mean for result in results]
        least = min(regrets)
        for line, regret in zip(points, regrets):
            line.extend([(float(until), regret / least)] if least > 0 else [])
        until *= 2
    return [series(result.entrant.name, line) for result, line in zip(results, points)]


def beats_every_commitment(figure, id_, sentence, results, why):
    ours, *others = results
    differences = [(f"ff-oful minus {other.entrant.name}", ours.minus(other)) for other in others]
    holds = all_below(0.0, (number for _, number in differences))
    figure.claim(id_, "paper", sentence, holds, [("regret of ff-oful", ours.mean()), *differences], why)


def show(figure, results, run):
    main, fresh, every = results["main"], results["fresh"], "FF-OFUL has less regret than explore-then-commit for every T0 tried."
    ours, best, best_fresh = main[0], *(min(some[1:], key=lambda one: one.mean().mean) for some in (main, fresh))
    discovery = least_discovery(results.studies["main"], run.mark_probability)
    regrets, name = sorted(ours.by_trial("regret")), best.entrant.name
    # the chances that so many random rounds leave a word unmarked
    ours_misses, best_misses = (math.exp(rounds * math.log1p(-min(discovery, 1 - 2**-53))) for rounds in (ours.mean("explored").mean, last_useful(best)))
    figure.text(f"""In each of {run.trials} trials of {ours.entrant.rounds:,} rounds, 5 of 40 words matter, and every policy has λ = 1.
FF-OFUL had a regret of {ours.mean()}; the best T0 in hindsight, {name}, had {best.mean()}. Where no document is shown twice, the
rounds that FF-OFUL chooses bring marks, too: {fresh[0].mean()} against {best_fresh.mean()} for {best_fresh.entrant.name}.""")
    figure.regrets("", "FF-OFUL and explore-then-commit", main)
    figure.chart("hindsight", "Regret relative to the best choice in hindsight", hindsight(main), "rounds",
                 "times the least regret by then", x_log=True, points=True)
    lines = [series(one.entrant.name, [(100.0 * n / len(one.trials), regret) for n, regret in enumerate(sorted(one.by_trial("regret")), 1)])
             for one in (ours, best)]
    figure.chart("quantiles", "Regret trial by trial, the least first", lines, "share of the trials, %", "regret at most", points=True)
    figure.regrets("fresh", "The same where no document is shown twice", fresh)
    figure.table("How much of the regret is due to words that were never found", ["policy", "mean regret", "median",
                 "trials with every word in time", "regret in those", "regret in the others"], map(tail_row, main))
    figure.outcomes(main)
    figure.outcomes(fresh, "No document shown twice")
    beats_every_commitment(figure, "two-stage-beats-every-t0", every, main, f"""A word that is still unmarked when random
rounds have become rare costs regret in every later round. Random rounds of FF-OFUL miss the rarest word with probability {ours_misses:.3g}, those of {name} with {best_misses:.3g}; its
median regret is {median(regrets):.0f}, its mean {ours.mean().mean:.0f}, its largest {regrets[-1]:.0f}.""")
    beats_every_commitment(figure, "two-stage-beats-every-t0-fresh", "Where no document is shown twice, " + every, fresh,
                           "A difference is not clearly below 0.")
    for name, number in (("share of trials in which ff-oful found every word", estimate(in_time(ours))),
                         ("median regret of ff-oful", median(regrets)), ("largest regret of ff-oful", regrets[-1]),
                         ("chance that ff-oful misses a word", ours_misses), ("chance that the best commitment misses a word", best_misses)):
        figure.fact(name, number)
