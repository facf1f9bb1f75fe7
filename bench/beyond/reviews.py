"""Systematic reviews, begun with one relevant and one irrelevant record, until all relevant ones are found."""
import math
from functools import partial

from inkling import DEFAULT_POLICY, _core

from lab.asreview import find_asreview, search_with
from lab.estimates import difference, estimate, ratio
from lab.figure import series
from lab.measures import SCREENING, recall_among
from lab.searches import milliseconds
from lab.texts import screened_reviews
from lab.trials import Entrant, Study

TITLE = "Systematic reviews, until all relevant records are found"
PLACE = "Beyond the paper: records screened by title and abstract"
ELAS = "asreview elas_u4"
# By name in tables: the end of the study's name, and who plays there.
METHODS = {"inkling": ("", DEFAULT_POLICY), "inkling, 3 marks": ("-marks", DEFAULT_POLICY), "inkling, 20 words": ("-words", DEFAULT_POLICY),
           "autotar": ("", "autotar"), ELAS: ("-asreview", ELAS)}


def words_that_tell(data):
    """The 20 most discriminating words. Features of several words are left out, because a person names single words."""
    words = _core.telling_words(data.pool._core, data.labels.tolist(), data.names.index("1"))
    names = data.pool.get_feature_names_out()
    return [word for word in words if " " not in names[word]][:20]


def studies(run):
    trials, package, made = run.share_of_trials(0.3 if run.quick else 0.2), find_asreview(run), []
    for data in screened_reviews(run):
        core, words = data.pool._core, words_that_tell(data)
        marks = _core.marks_in_relevant(core, data.is_relevant, words, 3)
        seed = run.seed ^ _core.checksum(data.name)
        entrants = {name: run.entrant(name, data.to_show, run.label_noise, with_replacement=False, end=(1.0, 0, 0))
                    for name in (DEFAULT_POLICY, "autotar")}
        rows = [("records of the first review", f"{data.pool.shape[0]:,}"), ("relevant of them", f"{sum(data.is_relevant):,}"),
                ("features of its pool, made as inkling build makes it by default", f"{data.pool.shape[1]:,}")]

        def study(end, players, rated=(), marked=None, data=data, seed=seed, rows=rows):
            world = partial(_core.screening_world, data.pool._core, data.is_relevant, list(rated), marked, seed)
            about = f"screening of {data.name} {data.pool.fingerprint()} {end} {words} seed {run.seed}"
            return Study(data.name + end, world, about, trials, players, 0, rows)

        made += [study("", list(entrants.values())), study("-marks", [entrants[DEFAULT_POLICY]], marked=marks),
                 study("-words", [entrants[DEFAULT_POLICY]], rated=words)]
        if package.version:
            player = Entrant(ELAS, ELAS, data.to_show, program=partial(search_with, run, package, data, seed))
            made.append(study("-asreview", [player]))
    return made


def show(figure, results, run):
    reviews, package = screened_reviews(run), find_asreview(run)
    played = {name: [(data, results[data.name + end, entrant]) for data in reviews] for name, (end, entrant) in METHODS.items()
              if reviews[0].name + end in results}

    def by_review(name, measure):
        return [estimate(result.by_trial(lambda trial: SCREENING[measure](trial, data.to_show))).mean for data, result in played[name]]

    figure.text(f"""Somebody screens records by title and abstract. Each search begins with one relevant and one irrelevant record, which are not
counted, and shows one record at a time until all relevant ones are found; all methods have the same beginnings, {results.studies[reviews[0].name].trials} of
each review. inkling and AutoTAR search the pool that `inkling build` makes of title and abstract by default; `asreview elas_u4` is ASReview's
own package. With "3 marks" a reader marks, in each relevant record, the three words that tell the review best; with "20 words" a reader rates
twenty of these words at the start. A machine that knows the answer chose the words, so a person may do worse. ATD is the mean share of the
records read before a relevant one is found. Loss is ASReview's: 0 is perfect, 0.5 the order of chance.""")

    def recall(name, percent):
        return estimate([result.mean(lambda trial: 100.0 * recall_among(trial, math.floor(0.01 * percent * data.to_show + 0.5))).mean
                         for data, result in played[name]]).mean

    places = [0.5 * (100.0 / 0.5) ** (step / 60) for step in range(61)]
    figure.chart("", "Relevant records found", [series(name, [(x, recall(name, x)) for x in places]) | {"low": [], "high": []} for name in played],
                 "records read, % of those of a review", "relevant records found, %", "Means over reviews. Higher is better.", x_log=True)
    missing = "" if ELAS in played else f" ({package.missing}; its row is missing)"
    figure.table("Means over reviews of means over beginnings; less is better" + missing, ["method", *SCREENING, "ms a choice"],
                 [[name, *(estimate(by_review(name, measure)) for measure in SCREENING), milliseconds([result for _, result in pairs])]
                  for name, pairs in played.items()], open_=True)
    rival = ELAS if ELAS in played else "autotar"
    for what, compare in (("Minus", difference), ("As a share of", ratio)):
        figure.table(f"{what} {rival}, review by review, with standard errors over reviews", ["method", *SCREENING],
                     [[name, *(compare(by_review(name, measure), by_review(rival, measure)) for measure in SCREENING)] for name in played
                      if name != rival], open_=True)
    figure.table("Each review, with standard errors over its beginnings", ["review", "method", *SCREENING],
                 [[data.name, name, *(estimate([SCREENING[measure](trial, data.to_show) for trial in played[name][n][1].trials])
                                      for measure in SCREENING)] for n, data in enumerate(reviews) for name in played], first_number=2)

    def claim(id_, sentence, ours, other, measures, factor=1.0):
        if other not in played:
            figure.claim("reviews-" + id_, "ours", sentence, None, [])
            return
        ratios = {measure: ratio(by_review(ours, measure), by_review(other, measure)) for measure in measures}
        numbers = [number for measure in measures for number in ((f"{measure}, {ours}", estimate(by_review(ours, measure))),
                   (f"{measure}, {other}", estimate(by_review(other, measure))), (f"{measure}, ratio", ratios[measure]))]
        figure.claim("reviews-" + id_, "ours", sentence, all(share.mean <= factor for share in ratios.values()), numbers)

    claim("loss", "Without marks, the loss is at most that of ASReview's elas_u4.", "inkling", ELAS, ["loss"])
    claim("95", "Without marks, 95 % of the relevant records are found as early as by elas_u4.", "inkling", ELAS, ["95 % at %"])
    claim("all", "Without marks, all relevant records are found as early as by elas_u4.", "inkling", ELAS, ["all at %"])
    claim("useless", "Without marks, at most 1.05 times as many of the first 25 records are useless as with elas_u4.", "inkling", ELAS,
          ["useless of 25"], 1.05)
    claim("autotar", "Without marks, AutoTAR is beaten in every measure.", "inkling", "autotar", list(SCREENING))
    marks, words = "inkling, 3 marks", "inkling, 20 words"
    claim("marks-loss", "With 3 words marked in each relevant record, the loss is at most 0.82 times elas_u4's.", marks, ELAS, ["loss"], 0.82)
    claim("marks-useless", "With these marks, at most 0.87 times as many of the first 25 are useless.", marks, ELAS, ["useless of 25"], 0.87)
    claim("marks-95", "With these marks, 95 % are found as early as by elas_u4.", marks, ELAS, ["95 % at %"])
    claim("marks-all", "With these marks, all are found after at most 1.03 times as many records.", marks, ELAS, ["all at %"], 1.03)
    claim("words-loss", "With 20 words rated at the start, the loss is at most 0.76 times elas_u4's.", words, ELAS, ["loss"], 0.76)
    claim("words-useless", "With these words, at most 0.68 times as many of the first 25 are useless.", words, ELAS, ["useless of 25"], 0.68)
    figure.settings += [("trials are beginnings of each of the reviews", ", ".join(data.name for data in reviews)),
                        ("package of asreview", package.version or package.missing)]
