"""FF-OFUL's regret beside the bound of Theorem 2, as the horizon and the number of relevant words grow."""
import math

from lab.estimates import Estimate, estimate, growth
from lab.figure import series
from lab.synthetic import least_discovery, synthetic

from paper.bound_theory import bound_point, first_power_below_worst, octaves

TITLE = "Measured regret and Theorem 2"
PLACE = "Regret analysis, Theorem 2"
SHORTEST, COUNTS = 8, (1, 2, 5, 10, 20, 40)
SQUARE_ROOT = 0.65  # an exponent of 1/2, plus what logarithms may add
TERMS = ("Theorem 2", "1: finding every word", "2: random rounds", "3: OFUL on k words", "2 S L T")


def horizons(run):
    """2^6 ... 2^14; another longest horizon is halved as often."""
    found, rounds = [], run.horizon(16384)
    while len(found) < 9 and (rounds >= SHORTEST or not found):
        found.append(max(rounds, SHORTEST))
        rounds //= 2
    return found[::-1]


def studies(run):
    # FF-OFUL does not know its horizon: a shorter run is the beginning of a longer one.
    by_horizon = [run.entrant("ff-oful", rounds, name=f"T = {rounds}") for rounds in horizons(run)]
    made = [synthetic(run, "horizons", 5, by_horizon),
            synthetic(run, "marked-at-once", 5, [run.entrant("ff-oful", horizons(run)[-1])], mark_probability=1.0)]
    rounds = max(SHORTEST, run.horizon(4096))
    return made + [synthetic(run, f"relevant-{k}", k, [run.entrant("ff-oful", rounds)]) for k in COUNTS]


def show(figure, results, run):
    discovery = least_discovery(results.studies["horizons"], run.mark_probability)
    by_horizon = [bound_point(one.entrant.rounds, one, 5, discovery, run) for one in results["horizons"]]
    by_relevant = [bound_point(k, results[f"relevant-{k}"][0], k, least_discovery(results.studies[f"relevant-{k}"], run.mark_probability),
                               run) for k in COUNTS]
    at_once, early = octaves(results["marked-at-once", "ff-oful"], 5), octaves(results["horizons"][-1], 3)
    by_trial = list(zip(*(results[f"relevant-{k}"][0].by_trial("regret") for k in COUNTS)))
    of_relevant = growth([float(k) for k in COUNTS], by_trial)
    longest, result, bounds = by_horizon[-1]
    meaningful = first_power_below_worst(5, discovery, run)
    figure.text(f"""In {run.trials} trials 5 of 40 words matter, and then 1 to 40 of them. The theorem's p is the chance that a random round marks
the rarest relevant word of any trial, {discovery:.3g}. After {longest:.0f} rounds the regret is {result.mean()} and the bound {bounds[0]:.0f}, of
which {bounds[1]:.0f} are for finding every word. It is above 2SLT, which no policy can exceed, until T = 2 to the power {meaningful}.""")
    for points, suffix, title, axis, name, line in (
            (by_horizon, "", "Regret and Theorem 2 as the horizon grows", "rounds (T)", "T", "As the horizon grows"),
            (by_relevant, "relevant", "Regret and Theorem 2 as more words matter", "relevant words (k)", "k", "As more words matter")):
        lines = [series("ff-oful, measured", [(x, one.mean()) for x, one, _ in points])]
        lines += [series(term, [(x, all_[n]) for x, _, all_ in points]) for n, term in enumerate(TERMS)]
        figure.chart(suffix, title, lines, axis, x_log=True, y_log=True, points=True)
        figure.table(f"{line}: the bound and its terms", [name, "regret", "Theorem 2", "finding", "random rounds", "OFUL", "2 S L T"],
                     [[f"{x:,.0f}", one.mean(), *(f"{round(number):,}" for number in all_)] for x, one, all_ in points])
    lines = [series(name, zip(starts, estimate(regrets)) if regrets else []) for name, (starts, regrets, _) in
             (("p = 1", at_once), (f"p = {run.mark_probability:g}, all found by T/8", early))]
    figure.chart("octaves", "Regret of an octave of rounds, once every word is marked", lines, "round in which the octave begins",
                 "regret of the octave", "A square root would rise by a factor of √2 from one octave to the next.", x_log=True, y_log=True,
                 points=True)
    points = by_horizon + by_relevant
    share = min(estimate([trial.regret <= all_[0] for trial in one.trials]).mean for _, one, all_ in points)
    figure.claim("regret-below-bound", "paper", "With probability 1 − δ the regret is below Theorem 2's bound, at every horizon and every k.",
                 share >= 1.0 - run.delta, [("share of the trials below the bound, where it is least", share),
                                            ("mean regret over the bound, where it is largest", max(one.mean().mean / all_[0] for _, one, all_ in points))])
    exponents = [(f"exponent, {name} ({len(regrets)} trials)", exponent) for name, (_, regrets, exponent) in
                 (("p = 1", at_once), ("p as set, all found by T/8", early)) if math.isfinite(exponent.mean)]
    figure.claim("regret-exponent-once-marked", "paper", f"Once every relevant word is marked, regret grows no faster than T^{SQUARE_ROOT}.",
                 at_once[2].is_below(SQUARE_ROOT) if math.isfinite(at_once[2].mean) else None, exponents,
                 "Before OFUL has settled on a document its regret grows like T.")
    figure.claim("regret-at-most-linear-in-k", "paper", "At a fixed horizon regret grows no faster than k, the number of relevant words.",
                 of_relevant.is_below(1.0), [("exponent of k", of_relevant)] +
                 [(f"regret at k = {k}", results[f"relevant-{k}"][0].mean()) for k in COUNTS])
    for name, number in (("longest horizon", longest), ("regret at the longest horizon", result.mean()), ("p of the theorem", discovery),
                         ("bound at the longest horizon", bounds[0]), ("finding every word, of that bound", bounds[1]),
                         ("power of two from which the bound is below 2SLT", Estimate(math.nan if meaningful is None else float(meaningful))),
                         ("exponent of T, p = 1", at_once[2]), ("exponent of k", of_relevant)):
        figure.fact(name, number)
    figure.settings += [("L, the length of every row", "1"), ("n of the theorem's ln(λ + nL/k), which the paper leaves open", "T")]
