"""A figure: the studies that it runs, and the charts, tables, claims and words that are made of their results."""
import math
import os

from lab.estimates import BAND, Estimate, all_below, number_text, ridge_text
from lab.trials import checkpoints

VERDICTS = {True: "holds", False: "fails", None: "undecided"}
OTHER = "not the paper's experiment"


class Results:
    """The results of all studies of a figure: `results["main", "oful"]`, `results["main"]`."""

    def __init__(self, studies, results):
        self.studies = {study.name: study for study in studies}
        self.of_study = dict(zip(self.studies, results))

    def __getitem__(self, place):
        if isinstance(place, str):
            return self.of_study[place]
        study, entrant = place
        return next(result for result in self.of_study[study] if result.entrant.name == entrant)

    def __contains__(self, study):
        return study in self.of_study

    def names(self, study):
        return [result.entrant.name for result in self.of_study[study]]


# Series of a chart.


def series(name, points=(), style="line", **more):
    """`points` are (x, y) or (x, Estimate). A reference is a level: one point, whose x is ignored."""
    points = [(x, y if isinstance(y, Estimate) else Estimate(float(y))) for x, y in points]
    low, high = ([y.mean + side * BAND * y.error for _, y in points] for side in (-1, 1))
    if low == high:
        low = high = []
    return {"name": name, "style": style, "x": [] if style == "reference" else [x for x, _ in points],
            "y": [y.mean for _, y in points], "low": low, "high": high, **more}


def curve(name, result):
    """Regret against rounds, with 95 % bands over trials."""
    places = [0, *checkpoints(result.entrant.rounds)]
    line = series(name, zip(places, [Estimate(0.0), *result.mean("curve")]))
    return line | {"low": line["low"] or line["y"], "high": line["high"] or line["y"]}


def level(name, estimate):
    return series(name, [(0, estimate)], "reference")


class Figure:
    """What the page shows of a figure. CSV files have the same bytes at any number of threads: times are in tables only."""

    def __init__(self, name, module):
        self.name, self.title, self.place = name, module.TITLE, module.PLACE
        self.charts, self.tables, self.claims, self.facts, self.settings, self.words = [], [], [], [], [], ""

    def text(self, text):
        self.words = text

    def chart(self, suffix, title, lines, x_label="rounds", y_label="regret", caption="", **more):
        """`lines` are series, or pairs of a name and a result: its regret. Options: x_log, y_log, points."""
        lines = [line if isinstance(line, dict) else curve(*line) for line in lines]
        lines = [line for line in lines if line["y"]]  # short runs may leave a line without a point
        if lines:
            self.charts.append({"name": f"{self.name}-{suffix}" if suffix else self.name, "title": title, "caption": caption,
                                "x_label": x_label, "y_label": y_label, "x_log": False, "y_log": False, "points": False,
                                **more, "series": lines})

    def regrets(self, suffix, title, results, **more):
        """The regret of all of these."""
        self.chart(suffix, title, [(result.entrant.name, result) for result in results], **more)

    def tuning(self, title, results, suffix="tuning"):
        """Mean regret in the tuning trials against the ridge."""
        lines = [series(result.entrant.name, result.tuning) for result in results if result.tuning]
        self.chart(suffix, title, lines, "ridge (lambda)", "regret in the tuning trials", x_log=True, points=True,
                   caption="From trials that do not count above.")

    def table(self, title, head, rows, first_number=1, open_=False):
        self.tables.append({"title": title, "head": head, "rows": [[str(cell) for cell in row] for row in rows],
                            "first_number": first_number, "open": open_})

    def outcomes(self, results, line="All that was measured"):
        rows = [[result.entrant.name, result.setting, result.mean(), result.mean("reward"), result.mean("words"),
                 result.mean("explored"), f"{1e3 * result.mean('seconds').mean:.1f}"] for result in results]
        self.table(f"{line}: means over {len(results[0].trials)} trials",
                   ["policy", "ridge", "regret", "reward", "words marked", "random rounds", "ms of decisions"], rows)

    def claim(self, id_, whose, sentence, holds, numbers, why="", stand_in=""):
        """`whose` is paper or ours; `why` is shown where the claim does not hold; `holds` is None where that is open. `stand_in` says
        what takes the place of something of the paper's that is not public, or that it does not say: then there is no verdict on it."""
        holds = holds if holds is None else bool(holds)
        numbers = [(name, number if isinstance(number, Estimate) else Estimate(float(number))) for name, number in numbers]
        self.claims.append({"id": id_, "sentence": sentence, "whose": whose, "verdict": OTHER if stand_in else VERDICTS[holds],
                            "outcome": VERDICTS[holds], "stand_in": stand_in, "numbers": numbers,
                            "why": " ".join(filter(None, [stand_in, why if holds is not True else ""]))})

    def less_regret(self, id_, whose, sentence, less, more, why="", stand_in=""):
        """Holds where the difference of the regrets, trial by trial, is clearly below 0, fails where it is clearly above."""
        self.claim(id_, whose, sentence, all_below(0.0, [less.minus(more)]), compared(less, more), why, stand_in)

    def ridge_inside(self, id_, result, *more):
        """A check of ours: whether the chosen ridge is neither the least nor the largest of those tried."""
        ridges = [ridge for ridge, _ in result.tuning]
        least, most, chosen = min(ridges), max(ridges), result.entrant.ridge
        numbers = [("ridge", chosen), ("least ridge tried", least), ("largest ridge tried", most), *more]
        self.claim(id_, "ours", f"The ridge chosen for {result.entrant.name} lies strictly inside the range of ridges tried.",
                   least < chosen < most, numbers, "The best ridge is at the end of the range, so a better one may lie beyond it.")

    def fact(self, name, number):
        self.facts.append((name, number if isinstance(number, Estimate) else Estimate(float(number))))

    # What a run leaves behind.

    def csv(self):
        lines = ["chart,series,x,y,low,high"]
        for chart in self.charts:
            for line in chart["series"]:
                columns = [line[name] + [math.nan] * (len(line["y"]) - len(line[name])) for name in ("x", "y", "low", "high")]
                start = f"{cell(chart['name'])},{cell(line['name'])}"
                lines += [",".join([start, *map(number_text, point)]) for point in zip(*columns)]
        return "\n".join(lines) + "\n"

    def summary(self, results, seconds):
        """Its member of summary.json."""
        charts = [{**chart, "series": [{key: line[key] for key in ("name", "style", "role") if key in line} for line in chart["series"]]}
                  for chart in self.charts]
        return {"name": self.name, "title": self.title, "paper_place": self.place, "seconds": seconds, "csv": self.name + ".csv",
                "text": self.words, "settings": [{"name": name, "value": str(value)} for name, value in self.settings],
                "charts": charts, "tables": self.tables, "claims": [{**one, "numbers": named(one["numbers"])} for one in self.claims],
                "facts": named(self.facts), "studies": [study_summary(results.studies[name], results[name]) for name in results.studies]}

    def write(self, folder):
        with open(os.path.join(folder, self.name + ".csv"), "w", encoding="utf-8") as file:
            file.write(self.csv())


def cell(text):
    return f'"{text}"' if any(mark in text for mark in ',"\n') else text


def finite(number):
    return number if math.isfinite(number) else None


def measured(estimate):
    return {"mean": finite(estimate.mean), "standard_error": finite(estimate.error)}


def named(numbers):
    return [{"name": name, **measured(number)} for name, number in numbers]


def compared(one, other):
    """Both regrets, their difference and their ratio."""
    return [(f"regret of {one.entrant.name}", one.mean()), (f"regret of {other.entrant.name}", other.mean()),
            ("difference", one.minus(other)), ("ratio", one.over(other))]


def study_summary(study, results):
    entrants = []
    for result in results:
        measures = {"regret": "regret", "reward": "reward", "features_found": "words", "explored": "explored",
                    "decision_seconds": "seconds"}
        found = {name: measured(result.mean(number)) for name, number in measures.items()}
        if all(trial.wanted is not None for trial in result.trials):
            shown = min(trial.shown for trial in result.trials)
            for first in (25, 100, 200, 400, 768):
                if first <= shown:
                    found[f"useless_{first}"] = measured(result.mean(
                        lambda trial: min(first, trial.wanted) - sum(at <= first for at in trial.found_at)))
            found["found"] = measured(result.mean(lambda trial: len(trial.found_at)))
        entrants.append({"name": result.entrant.name, "policy": result.entrant.policy, "rounds": result.entrant.rounds,
                         "setting": result.setting, "ridge": result.entrant.ridge, "measures": found,
                         "tuning": [{"setting": ridge_text(ridge), "value": ridge, **measured(regret)} for ridge, regret in result.tuning]})
    return {"name": study.name, "trials": study.trials, "rounds": results[0].entrant.rounds, "tuning_trials": study.tuning_trials,
            "entrants": entrants}
