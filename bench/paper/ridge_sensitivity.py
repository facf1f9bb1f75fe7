"""What the ridge decides: OFUL and FF-OFUL at every ridge of the paper's grid, on film reviews."""
import math
from dataclasses import replace

from lab.estimates import ridge_text
from lab.figure import series
from lab.readers import review_study, shown_once
from lab.texts import reviews

from paper.human import FILMS

TITLE = "What the ridge decides"
PLACE = "Newsgroup dataset with human feedback, (b)"
POLICIES = ("oful", "ff-oful")
QUARTER = 0.25  # at most this share of the range counts as flatter: a difference that one sees at a glance


def studies(run):
    entrants = [replace(shown_once(run, reviews(run), policy, 1024).at(ridge), name=f"{policy} at {ridge_text(ridge)}")
                for policy in POLICIES for ridge in run.ridges()]
    return [review_study(run, entrants, tuning=False)]


def show(figure, results, run):
    at = {policy: {ridge: results["reviews", f"{policy} at {ridge_text(ridge)}"] for ridge in run.ridges()} for policy in POLICIES}
    best, worst = ({policy: pick(at[policy].values(), key=lambda one: one.mean().mean) for policy in POLICIES} for pick in (min, last_max))
    extremes = {policy: [(f"{some[policy].mean()}, at {some[policy].setting}") for some in (best, worst)] for policy in POLICIES}
    figure.text(f"""The film reviews of [the figure above](#human), at every ridge of the paper's grid. OFUL has its least regret, {extremes['oful'][0]}, and
its largest, {extremes['oful'][1]}; FF-OFUL has its least, {extremes['ff-oful'][0]}, and its largest, {extremes['ff-oful'][1]}. "A quarter" in the
claims is a choice: a difference that one sees at a glance.""")
    figure.chart("", "Regret by the ridge, film reviews", [series(policy, [(ridge, one.mean()) for ridge, one in at[policy].items()])
                 for policy in POLICIES], "ridge (lambda)", caption="The flatter a line, the less there is to tune.", x_log=True, points=True)
    figure.outcomes(results["reviews"])
    flatter(figure, "ridge-sensitivity-spread", "the whole grid of ridges", at, 1e300)
    flatter(figure, "ridge-sensitivity-spread-up-to-one", "ridges of at most 1", at, 1.0)
    least = min(run.ridges())
    figure.less_regret("ridge-sensitivity-least-ridge", "paper", "At the least ridge of the grid FF-OFUL has less regret than OFUL.",
                       at["ff-oful"][least], at["oful"][least], stand_in=FILMS)
    for policy in POLICIES:
        for what, one in (("least", best[policy]), ("largest", worst[policy])):
            figure.fact(f"{what} regret of {policy}", one.mean())
            figure.fact(f"ridge of the {what} regret of {policy}", one.entrant.ridge)


def last_max(results, key):
    """The last of those with the largest key."""
    return max(reversed(list(results)), key=key)


def flatter(figure, id_, where, at, most):
    """Compares the ranges of regret over ridges up to this one."""
    ranges = {}
    for policy in POLICIES:
        results = [one for ridge, one in at[policy].items() if ridge <= most]
        ranges[policy] = last_max(results, lambda one: one.mean().mean).minus(min(results, key=lambda one: one.mean().mean))
    share = ranges["ff-oful"].mean / (ranges["oful"].mean or math.nan)
    figure.claim(id_, "paper", f"Over {where} FF-OFUL's regret varies at most a quarter as much as OFUL's.", share <= QUARTER,
                 [("range of ff-oful, worst minus best", ranges["ff-oful"]), ("range of oful, worst minus best", ranges["oful"]), ("ratio", share)],
                 "A large ridge hides what was learned. OFUL is left with little of what it learned over all words; over the words found rows "
                 "differ in length, and FF-OFUL shows the documents that hold most of these words.",
                 FILMS + " A quarter is our choice.")
