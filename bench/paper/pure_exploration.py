"""Early regret on the unit sphere: policies that use a part of what matters, relative to pure exploration."""
import math

from lab.estimates import Estimate, all_below, ratio
from lab.figure import series
from lab.synthetic import synthetic

TITLE = "Early regret: part of what matters"
PLACE = "Better early-regret bounds, (a): pure exploration versus explore-then-commit"
RELEVANT = 5


def on_subset(size):
    return f"oful on {size} of {RELEVANT}"


def studies(run):
    rounds = run.horizon(1024)
    entrants = [run.entrant("random", rounds),
                run.entrant("explore-then-commit", rounds, settings={"first_rounds": int(math.sqrt(rounds) + 0.5)})]
    entrants += [run.entrant("oful-subset", rounds, name=on_subset(size), subset_size=size) for size in range(1, RELEVANT + 1)]
    return [synthetic(run, "main", RELEVANT, entrants, sphere=True)]


def papers(size):
    """By how much the paper's bound on the slope is smaller where j of k features are used."""
    return math.sqrt((RELEVANT - size) / RELEVANT)


def by_length(size):
    """The slope if the best reward within reach were in proportion to the length of the known part of theta*."""
    return 1.0 - math.sqrt(size / RELEVANT)


def second_half(result):
    """By trial, when a policy on few features has nothing left to learn."""
    half = result.regret_until(0.5 * result.entrant.rounds)
    return [trial.regret - regret for trial, regret in zip(result.trials, half)]


def slopes_below(figure, id_, sentence, slopes, bound, sizes):
    numbers = [(f"slope with {size} of {RELEVANT}, to be below {bound(size):.3f}", slopes[size]) for size in sizes]
    figure.claim(id_, "paper", sentence, all_below(0.0, (Estimate(slopes[size].mean - bound(size), slopes[size].error) for size in sizes)), numbers,
                 "What a policy has not yet learned of its features adds to the slope.")


def show(figure, results, run):
    main = results["main"]
    random, commit = main[:2]
    slopes = {size: ratio(second_half(results["main", on_subset(size)]), second_half(random)) for size in range(1, RELEVANT + 1)}
    first = commit.entrant.settings["first_rounds"]
    figure.text(f"""{RELEVANT} of 40 features matter, and documents are points of the unit sphere. After {random.entrant.rounds:,} rounds pure
exploration had a regret of {random.mean()}, and explore-then-commit with T0 = {first} (about √T) had {commit.mean()}. OFUL on 4 random
ones of the 5 has, in the second half of the rounds, {slopes[4]} times the regret a round of pure exploration; the paper's bounds have
the factor √(1/5) = 0.447.""")
    figure.regrets("", "Early regret on the unit sphere", main)
    lines = [series("measured", [(float(size), slope) for size, slope in slopes.items()], "points")]
    for name, factor in (("√((k − j)/k), the paper's", papers), ("1 − √(j/k)", by_length)):
        lines.append(series(name, [(float(size), factor(size)) for size in range(RELEVANT + 1)]))
    figure.chart("slopes", "Regret a round on part of what matters", lines, "relevant features in use (j)", "times that of pure exploration",
                 "Second half of the rounds. The paper's factor compares two worst cases, so it bounds the slope from above.")
    rows = [[f"{size} of {RELEVANT}", slope, Estimate(papers(size)), Estimate(by_length(size))] for size, slope in slopes.items()]
    figure.table("Regret a round in the second half, relative to pure exploration", ["features in use", "measured", "√((k − j)/k)",
                 "1 − √(j/k)"], rows)
    figure.outcomes(main)
    figure.less_regret("commit-beats-pure-exploration", "paper", "Explore-then-commit with T0 about √T has less regret than pure "
                       "exploration.", commit, random)
    slopes_below(figure, "subset-slope-below-pure-exploration", "OFUL on any number of the relevant features has less regret a round than "
                 "pure exploration.", slopes, lambda size: 1.0, range(1, RELEVANT + 1))
    slopes_below(figure, "subset-slope-within-factor", "OFUL on j of the k relevant features has less than √((k − j)/k) times pure "
                 "exploration's regret a round.", slopes, papers, range(1, RELEVANT))
    figure.fact("T0", first)
