"""Systematic reviews with sentence vectors beside the words, until all relevant records are found."""
import os

from inkling import DEFAULT_POLICY, _core

from lab.estimates import difference, estimate, median, ratio
from lab.measures import SCREENING
from lab.texts import built, labelled, screened_reviews
from lab.trials import Study

TITLE = "Systematic reviews, with sentence vectors"
PLACE = "Beyond the paper: vectors that somebody brings"
PLAYERS = {"words alone": 0.0, "with vectors": 0.05, "with vectors, 0.15": 0.15}
FIRST_MANY = 15  # reviews with fewer relevant records are shown apart, too


def with_vectors(run):
    """The reviews beside which NAME.npy lies."""
    made = []
    for data in screened_reviews(run):
        vectors = os.path.join(os.path.dirname(data.path), data.name + ".npy")
        if os.path.exists(vectors):
            options = ("--format", "jsonl", "--text-field", "title,abstract", "--label-field", "included", "--vectors", vectors)
            made.append((data, labelled(built(run, data.name, data.path, *options)).pool))
    return made


def studies(run):
    made = []
    for data, pool in with_vectors(run):
        seed = run.seed ^ _core.checksum(data.name)
        entrants = [run.entrant(DEFAULT_POLICY, data.to_show, run.label_noise, name, with_replacement=False, end=(1.0, 0, 0),
                                settings={"vectors": weight}) for name, weight in PLAYERS.items()]

        def world(trial, pool=pool, data=data, seed=seed):
            return _core.screening_world(pool._core, data.is_relevant, None, seed, trial)

        about = f"screening of {data.name} {pool.fingerprint()} with vectors {_core.checksum(pool.vectors.tobytes().hex())} seed {run.seed}"
        made.append(Study(data.name, world, about, run.share_of_trials(0.3 if run.quick else 0.2), entrants))
    return made


def show(figure, results, run):
    reviews = [data for data, _ in with_vectors(run)]
    figure.text("""Each search begins with one relevant and one irrelevant record. The vectors are those of a model that the user brings, a row for each
record (`inkling build --vectors`); all searches of a review have the same beginnings. Loss is ASReview's: 0 is perfect, 0.5 the order of chance.""")
    if not reviews:
        return figure.claim("vectors-loss", "ours", "With sentence vectors the loss is at most 0.96 times that without.", None, [])

    def by_review(name, measure, some=reviews):
        return [estimate([SCREENING[measure](trial, data.to_show) for trial in results[data.name, name].trials]).mean for data in some]

    many = [data for data in reviews if sum(data.is_relevant) >= FIRST_MANY]
    figure.table("Means over reviews of means over beginnings; less is better", ["method", *SCREENING],
                 [[name, *(estimate(by_review(name, measure)) for measure in SCREENING)] for name in PLAYERS], open_=True)

    def shares_of(name, some=reviews):
        return [one / other for one, other in zip(by_review(name, "loss", some), by_review("words alone", "loss", some))]

    rows = []
    for name in list(PLAYERS)[1:]:
        shares = shares_of(name)
        rows.append([name, estimate(shares), f"{median(shares):.3f}", estimate(shares_of(name, many)),
                     ratio(by_review(name, "loss"), by_review("words alone", "loss")), f"{sum(share < 1 for share in shares)} of {len(shares)}",
                     difference(by_review(name, "useless of 25"), by_review("words alone", "useless of 25"))])
    figure.table("Loss as a share of that of words alone", ["method", "mean of reviews", "median", f"mean of those with {FIRST_MANY} relevant or more",
                 "of the mean losses", "better in", "useless of 25, minus those of words alone"], rows, open_=True)
    figure.table("Loss of each review", ["review", *PLAYERS], [[data.name, *(estimate([SCREENING["loss"](trial, data.to_show) for trial in
                 results[data.name, name].trials]) for name in PLAYERS)] for data in reviews])
    found = estimate(shares_of("with vectors"))
    figure.claim("vectors-loss", "ours", "With sentence vectors the loss is at most 0.96 times that without, on the mean of reviews.",
                 found.mean <= 0.96, [("loss, mean of ratios", found), ("reviews", len(reviews)),
                                      ("loss, ratio of means", ratio(by_review("with vectors", "loss"), by_review("words alone", "loss")))])
