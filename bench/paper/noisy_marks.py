"""The cost of marks on words that do not matter."""
import numpy as np

from lab.estimates import all_below, estimate
from lab.figure import level, series
from lab.synthetic import synthetic

TITLE = "Irrelevant words are marked too"
PLACE = "Corollary of Theorem 2: k' irrelevant features are marked"
RELEVANT, FEATURES = 5, 40
IRRELEVANT = (0, 2, 5, 10, 20, 35)  # k'; the last, with the k = 5, is all 40 words


def study_with(irrelevant):
    return f"irrelevant-{irrelevant}"


def studies(run):
    rounds = run.horizon(4096)
    made = []
    for irrelevant in IRRELEVANT:
        entrants = [run.entrant("ff-oful", rounds), run.entrant("soft-marks", rounds)]
        if irrelevant == 0:  # OFUL sees no marks: it plays once, for all of them
            entrants.append(run.entrant("oful", rounds, ridges=run.ridges()))
        made.append(synthetic(run, study_with(irrelevant), RELEVANT, entrants, irrelevant=irrelevant))
    return made


def mean_line(x, by_trial):
    """Level and slope of the line through the means over trials: each trial has a line of its own, of which it is the mean."""
    count = len(x)
    middle = float(np.add.accumulate(np.asarray(x) / count)[-1])
    spread = sum((value - middle) * (value - middle) for value in x)
    levels, slopes = [], []
    for y in by_trial:
        mean = together = 0.0
        for a, b in zip(x, y):
            mean, together = mean + b / count, together + (a - middle) * b
        slopes.append(together / spread)
        levels.append(mean - slopes[-1] * middle)
    return estimate(levels), estimate(slopes)


def show(figure, results, run):
    marked = {irrelevant: results[study_with(irrelevant), "ff-oful"] for irrelevant in IRRELEVANT}
    soft = {irrelevant: results[study_with(irrelevant), "soft-marks"].mean() for irrelevant in IRRELEVANT}
    oful = results[study_with(0), "oful"]
    words = [float(RELEVANT + irrelevant) for irrelevant in IRRELEVANT]
    at_0, slope = mean_line(words, list(zip(*(one.by_trial("regret") for one in marked.values()))))
    figure.text(f"""What does it cost when people mark words that do not matter? In each of {run.trials} trials 5 of 40 words matter, and k'
other words, fixed for the trial, are marked with the same probability. After {oful.entrant.rounds:,} rounds FF-OFUL's regret goes from
{marked[0].mean()} (k' = 0) to {marked[35].mean()} (k' = 35); a straight line through the means rises by {slope} for each marked word. OFUL,
which uses all 40 words and no marks, has {oful.mean()} at its best ridge, {oful.setting}. Soft marks, which are not in the paper, have
{soft[0]} at k' = 0.""")
    figure.chart("", "Irrelevant words are marked too", [
        series("ff-oful", zip(words, (one.mean() for one in marked.values())), "points"),
        series("straight line of ff-oful", [(x, at_0.mean + slope.mean * x) for x in words]),
        series("soft-marks", zip(words, soft.values()), "points"),
        level("oful on all words", oful.mean())], "words that are marked (k + k')")
    figure.table("FF-OFUL where k' irrelevant words are marked like the 5 relevant ones", ["k'", "regret", "minus that of oful",
                 "over that of oful", "words marked", "regret of soft-marks"],
                 [[k, one.mean(), one.minus(oful), one.over(oful), one.mean("words"), soft[k]] for k, one in marked.items()])
    figure.claim("noisy-marks-grow-with-words", "paper", "Regret grows with k + k', the number of words that are marked.", slope.is_above(0.0),
                 [("regret for each marked word", slope), ("regret at k + k' = 0", at_0)],
                 f"The slope of the straight line, {slope}, is not clearly different from 0.")
    below = {k: one.minus(oful) for k, one in marked.items() if RELEVANT + k < FEATURES}
    figure.claim("noisy-marks-below-oful", "paper", "While k + k' < d, FF-OFUL's regret stays below that of tuned OFUL on all d words.",
                 all_below(0.0, below.values()),
                 [(f"ff-oful minus oful at k' = {k}", number) for k, number in below.items()],
                 "A difference above is not clearly negative.")
