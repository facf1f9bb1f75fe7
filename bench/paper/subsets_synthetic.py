"""Early regret where a policy knows some of the words that matter, in synthetic worlds; `subsets_text` is the same in real text."""
from lab.estimates import Estimate, all_below
from lab.figure import level, series
from lab.synthetic import synthetic

TITLE = "Some of the relevant words alone"
PLACE = "Better early-regret bounds, (b): feature subsets, synthetic data"
SIZES, RELEVANT = (2, 4, 6, 8, 10), 10
PLAIN, TUNED = "oful, λ = 1", "oful, tuned"


def subset_entrants(run, rounds, noise, sizes, subset, plain, tuned):
    """OFUL on random subsets of these sizes, beside OFUL on all words."""
    entrants = [run.entrant("oful-subset", rounds, noise, name=subset.format(size), subset_size=size) for size in sizes]
    return entrants + [run.entrant("oful", rounds, noise, name=plain), run.entrant("oful", rounds, noise, name=tuned, ridges=run.ridges())]


def some_subset_is_better(figure, id_, sentence, results, tuned, subset, sizes, most, difference, numbers, why, stand_in=""):
    """Holds if a size of at most `most` words has clearly less regret than tuned OFUL on all."""
    minus = {size: results["main", subset.format(size)].minus(results["main", tuned]) for size in sizes}
    worse = all_below(0.0, (Estimate(-number.mean, number.error) for size, number in minus.items() if size <= most))  # all clearly above 0
    holds = True if any(number.is_below(0.0) for size, number in minus.items() if size <= most) else False if worse else None
    figure.claim(id_, "paper", sentence, holds, numbers + [(difference.format(size), number) for size, number in minus.items()], why, stand_in)


def by_size(name, results, study, subset, sizes):
    return series(name, [(float(size), results[study, subset.format(size)].mean()) for size in sizes], "points")


def studies(run):
    def study(name, usual):
        return synthetic(run, name, RELEVANT, subset_entrants(run, run.horizon(usual), run.noise, SIZES, "{} of 10", PLAIN, TUNED))

    return [study("main", 256), study("long", 4096)]  # 256 is the paper's


def show(figure, results, run):
    regrets = {name: [results[name, entrant].mean() for entrant in ("2 of 10", "10 of 10", TUNED)] for name in ("main", "long")}
    few, many = regrets["main"], regrets["long"]
    figure.text(f"""Is a part of the relevant words better at first than all words? {RELEVANT} of 40 words matter; in each of {run.trials} trials
OFUL gets a random subset of the {RELEVANT}. After {results['main'][0].entrant.rounds:,} rounds its regret is {few[0]} with 2 words, {few[1]} with
all 10, and {few[2]} on all 40 words with the best ridge. After {results['long'][0].entrant.rounds:,} rounds the three are {many[0]}, {many[1]} and
{many[2]}.""")
    for study, suffix, title in (("main", "", "After few rounds"), ("long", "long", "After many rounds")):
        lines = [by_size("oful on this many", results, study, "{} of 10", SIZES), level("oful, tuned, all 40", results[study, TUNED].mean()),
                 level("oful, λ = 1, all 40", results[study, PLAIN].mean())]
        figure.chart(suffix, title, lines, "relevant words in use")
    figure.outcomes(results["main"])
    figure.outcomes(results["long"], "The long horizon")
    some_subset_is_better(figure, "subset-beats-all-features", "At a short horizon OFUL on a random part of the relevant words has less "
                          "regret than tuned OFUL on all 40.", results, TUNED, "{} of 10", SIZES, RELEVANT - 1, "oful on {} of 10 words minus that",
                          [("regret of oful on all 40, tuned", few[2])],
                          "At this horizon tuned OFUL has already learned which words do not matter, and a missing word costs regret in "
                          "every round.")
