"""Systematic reviews, begun with one relevant and one irrelevant record, until all relevant ones are found."""
import math

from lab.asreview import ELAS, METHODS, find_asreview, review_studies
from lab.estimates import difference, estimate, ratio
from lab.figure import series
from lab.measures import SCREENING, recall_among
from lab.review_readers import reader_row
from lab.searches import milliseconds
from lab.texts import screened_reviews

TITLE = "Systematic reviews, until all relevant records are found"
PLACE = "Beyond the paper: records screened by title and abstract"
QUESTION, PHRASES, EXPERT = "inkling, words of the question", "inkling, phrases marked", "inkling, marks by half of the labels"
READ = "inkling, marks of the question and what was read"
MARKS, WORDS, RATED = "inkling, 3 marks", "inkling, 20 words", "With 20 words rated at the start, "
CLAIMS = (
    ("loss", "Without marks, the loss is at most that of ASReview's elas_u4.", "inkling", ELAS, ["loss"], 1.0),
    ("95", "Without marks, 95 % of the relevant records are found as early as by elas_u4.", "inkling", ELAS, ["95 % at %"], 1.0),
    ("all", "Without marks, all relevant records are found as early as by elas_u4.", "inkling", ELAS, ["all at %"], 1.0),
    ("useless", "Without marks, at most 1.05 times as many of the first 25 records are useless as with elas_u4.", "inkling", ELAS,
     ["useless of 25"], 1.05),
    ("autotar", "Without marks, AutoTAR is beaten in every measure.", "inkling", "autotar", list(SCREENING), 1.0),
    ("question-loss", "Begun with the words of the question, the loss is at most 0.97 times that without.", QUESTION, "inkling", ["loss"], 0.97),
    ("question-useless", "Begun so, not more of the first 25 are useless.", QUESTION, "inkling", ["useless of 25"], 1.0),
    ("phrases-loss", "With phrases marked as annotators mark them, the loss is at most 0.95 times that without.", PHRASES, "inkling", ["loss"], 0.95),
    ("read-loss", "With marks of the question and what was read, the loss is at most 0.95 times that without.", READ, "inkling", ["loss"], 0.95),
    ("expert-loss", "With marks of a reader who knows the field, the loss is at most 0.88 times that without.", EXPERT, "inkling", ["loss"], 0.88),
    ("marks-loss", "With 3 words marked in each relevant record, the loss is at most 0.82 times elas_u4's.", MARKS, ELAS, ["loss"], 0.82),
    ("marks-useless", "With these marks, at most 0.87 times as many of the first 25 are useless.", MARKS, ELAS, ["useless of 25"], 0.87),
    ("marks-95", "With these marks, 95 % are found as early as by elas_u4.", MARKS, ELAS, ["95 % at %"], 1.0),
    ("marks-all", "With these marks, all are found after at most 1.03 times as many records.", MARKS, ELAS, ["all at %"], 1.03),
    ("words-loss", RATED + "the loss is at most 0.76 times elas_u4's.", WORDS, ELAS, ["loss"], 0.76),
    ("words-useless", "With these words, at most 0.68 times as many of the first 25 are useless.", WORDS, ELAS, ["useless of 25"], 0.68))


def studies(run):
    return review_studies(run)


def show(figure, results, run):
    reviews, package = screened_reviews(run), find_asreview(run)
    played = {name: [(data, results[data.name + end, entrant]) for data in reviews] for name, (end, entrant) in METHODS.items()
              if all(data.name + end in results for data in reviews)}

    def by_review(name, measure):
        return [estimate(result.by_trial(lambda trial: SCREENING[measure](trial, data.to_show))).mean for data, result in played[name]]

    figure.text(f"""Somebody screens records by title and abstract. Each search begins with one relevant and one irrelevant record, which are not
counted, and shows one record at a time until all relevant ones are found; all methods have the same beginnings, {results.studies[reviews[0].name].trials} of
each review. inkling and AutoTAR search the pool that `inkling build` makes of title and abstract by default; `asreview elas_u4` is ASReview's
own package. With "3 marks" a reader marks, in each relevant record, the three words that tell the review best; with "20 words" a reader rates
twenty of these words at the start. A machine that knows the answer chose these words, so a person may do worse. Other readers know less: "words
of the question" are those that the product proposes of the review's title, rated as it rates them; "marks of the question's words" marks up to
three of them in each relevant record, "the question and what was read" also words that spoke in the records read before; "phrases" are half
of the twenty words, one in five wrong, with two function words each; "half of the labels" chose the words of the last reader. ATD is the mean share of the
records read before a relevant one is found. Loss is ASReview's: 0 is perfect, 0.5 the order of chance.""")

    def recall(name, percent):
        return estimate([result.mean(lambda trial: 100.0 * recall_among(trial, math.floor(0.01 * percent * data.to_show + 0.5))).mean
                         for data, result in played[name]]).mean

    places = [0.5 * (100.0 / 0.5) ** (step / 60) for step in range(61)]
    figure.chart("", "Relevant records found", [series(name, [(x, recall(name, x)) for x in places]) for name in played],
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
    figure.table("Loss as a share of that without marks, review by review", ["reader", "mean", "median", "level within 0.005 or better",
                 "useless of 25, minus those without"], [reader_row(name, by_review) for name in played if name.startswith("inkling, ")], open_=True)
    figure.table("Each review, with standard errors over its beginnings", ["review", "method", *SCREENING],
                 [[data.name, name, *(estimate([SCREENING[measure](trial, data.to_show) for trial in played[name][n][1].trials])
                                      for measure in SCREENING)] for n, data in enumerate(reviews) for name in played], first_number=2)

    for id_, sentence, ours, other, measures, factor in CLAIMS:
        if not {ours, other} <= played.keys():
            figure.claim("reviews-" + id_, "ours", sentence, None, [])
            continue
        pairs = {measure: (by_review(ours, measure), by_review(other, measure)) for measure in measures}
        numbers = [number for measure, (one, rival_) in pairs.items() for number in (
            (f"{measure}, {ours}", estimate(one)), (f"{measure}, {other}", estimate(rival_)), (f"{measure}, ratio", ratio(one, rival_)))]
        figure.claim("reviews-" + id_, "ours", sentence, all(ratio(*pair).mean <= factor for pair in pairs.values()), numbers)
    figure.settings += [("trials are beginnings of each of the reviews", ", ".join(data.name for data in reviews)),
                        ("package of asreview", package.version or package.missing)]
