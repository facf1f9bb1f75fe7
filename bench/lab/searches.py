"""Searches for the documents of a topic: the cases that are compared, who plays, and the tables, charts and claims of each."""
from dataclasses import dataclass

from inkling import DEFAULT_POLICY, _core

from lab.estimates import difference, quantile
from lab.figure import series
from lab.measures import found_among, reading_for, share_failed, share_reaching, useless
from lab.texts import search_pools
from lab.trials import Result, Study

# Whether it learns from marks, and whether it needs them.
PLAYERS = {"inkling": (True, False), "soft-marks": (True, False), "ff-oful": (True, True), "oful": (False, False),
           "thompson": (False, False), "autotar": (False, False), "asreview": (False, False), "greedy-logistic": (False, False),
           "greedy-svm": (False, False), "rocchio": (True, False), "word-documents": (True, True), "contrast": (True, True)}
RIVALS = ("autotar", "asreview", "greedy-logistic", "greedy-svm", "rocchio", "word-documents", "contrast")
IN_USE = ("autotar", "asreview")
FIRSTS = (25, 100, 200, 400, 768)


@dataclass(frozen=True)
class Effort:
    trials: float = 1.0  # as a share of the run's; 0: a quick run leaves the case out
    rounds: int = 100  # at least, of each trial
    most_rounds: int = 0  # if above 0, a search continues until 95 % are found, but shows at most this many
    most_documents: int = 1  # of the pool


@dataclass(frozen=True)
class Case:
    title: str
    full: Effort
    quick: Effort = Effort(0.0)
    searched: str = "topics"  # topics at their natural frequency, many topics, or film reviews with what people highlighted
    players: str = "all"  # every policy that needs no marks; "marking": those that learn from marks; "together": both
    unmarked: str = ""  # the case with the same trials and no marks
    left_out: str = ""  # a policy that is too slow here
    most_topics: int = 1000  # a smaller limit means more searches for each topic
    setting: tuple = ()  # (name, value) of a SearchSetting

    def effort(self, run):
        return self.quick if run.quick else self.full

    def takes(self, player):
        learns, needs = PLAYERS[player]
        return player != self.left_out and (self.players == "together" or (learns if self.players == "marking" else not needs))


def setting_of(most_documents, begins="document", marks_in_all=False, **values):
    setting = _core.SearchSetting(begins, marks_in_all)
    setting.most_documents = most_documents
    for name, value in values.items():
        setattr(setting, name, value)
    return setting


def topics_of(data, seed):
    """Topics with enough documents for a search; where there are none, those of at least two."""
    labels = data.labels.tolist()
    return _core.searchable_topics(labels, 40, seed) or _core.searchable_topics(labels, 2, seed)


def topics_of_case(case, run):
    return topics_of(search_pools(run)[case.searched], run.seed)[:case.most_topics]


def sizes_of(data, topics, setting):
    return [setting.size(len(data.labels), int((data.labels == topic).sum())) for topic in topics]


def marked_words(data):
    return _core.MarkedWords(data.pool.shape[1], data.highlights.indptr.tolist(), data.highlights.indices.tolist())


def study_of(name, case, run):
    data, effort, topics = search_pools(run)[case.searched], case.effort(run), topics_of_case(case, run)
    setting = setting_of(effort.most_documents, **dict(case.setting))
    sizes = sizes_of(data, topics, setting)
    rounds = max(1, min([run.rounds or max(effort.rounds, effort.most_rounds), *(sum(size) - 1 for size in sizes)]))
    end = (0.95, min(rounds, effort.rounds), 0) if effort.most_rounds else ()
    entrants = [run.entrant(player, rounds, run.label_noise, with_replacement=False, end=end) for player in PLAYERS if case.takes(player)]
    labels, marks = data.labels.tolist(), marked_words(data) if case.searched == "reviews" else None

    def world(trial):
        return _core.search_world(data.pool._core, labels, marks, setting, topics[trial % len(topics)], run.seed, trial)

    wanted = [size[0] for size in sizes]
    of_topic = f"{min(wanted):,}" if min(wanted) == max(wanted) else f"{min(wanted):,} to {max(wanted):,}"
    rows = [("documents of the largest pool", f"{data.pool.shape[0]:,}"), ("words", f"{data.pool.shape[1]:,}"), ("topics", len(topics)),
            ("documents of a topic", of_topic)]
    about = f"search of {data.pool.fingerprint()}: {case.setting} {effort} topics {topics} seed {run.seed}"
    return Study(name, world, about, run.share_of_trials(effort.trials), entrants, 0, rows)


def players_in(results, name, case):
    """All that played in the worlds of the case, with those that see no marks from the paired case."""
    own = results[name]
    others = results[case.unmarked] if case.unmarked and case.unmarked in results else []
    return own + [other for other in others if other.entrant.name not in results.names(name)]


def best_of(players, names, number):
    """Of the named players, the one of least mean; None if none of them played."""
    return min((one for one in players if one.entrant.name in names), key=lambda one: one.mean(number).mean, default=None)


def ours_of(players):
    return next((one for one in players if one.entrant.name == DEFAULT_POLICY), None)


def firsts_of(results, name):
    entrant = results[name][0].entrant
    shown = entrant.end[1] if entrant.end else entrant.rounds
    return [first for first in FIRSTS if first <= shown] or [shown]


def short(number):
    return f"{number:.0f}" if number == round(number) else f"{number:.1f}"


def spread_text(result, number):
    values = result.by_trial(number)
    return f"{result.mean(number)} ({short(quantile(values, 0.1))} to {short(quantile(values, 0.9))})"


def reading_text(result, share):
    reached = share_reaching(result, share).mean
    return "-" if reached <= 0 else ("at least " if reached < 1 else "") + spread_text(result, reading_for(share))


def milliseconds(results):
    rounds = sum(trial.shown for result in results for trial in result.trials)
    return f"{1e3 * sum(trial.seconds for result in results for trial in result.trials) / rounds:.2f}" if rounds else "-"


def search_table(figure, results, name, case, run):
    firsts, topics = firsts_of(results, name), len(topics_of_case(case, run))
    study = results.studies[name]
    line = (f"{case.title}: {study.trials} trials; {dict(study.settings)['documents of a topic']} wanted documents. Useless among the first "
            "(and quantiles 10 to 90 %), and what it takes")
    rows = [[one.entrant.name, *(spread_text(one, useless(first)) for first in firsts), one.mean(lambda trial: found_among(trial, firsts[-1])),
             reading_text(one, 0.8), reading_text(one, 0.95), f"{100 * share_failed(one, firsts[-1], topics).mean:.1f} %", milliseconds([one]),
             f"{1e3 * max(one.by_trial('slowest')):.1f}"] for one in players_in(results, name, case)]
    figure.table(line, ["policy", *(f"first {first}" for first in firsts), f"found in {firsts[-1]}", "to read for 80 %", "to read for 95 %",
                        "failed", "ms a choice", "slowest ms"], rows, open_=not name.startswith("p-"))


def difference_table(figure, results, name, case):
    players = players_in(results, name, case)
    columns = [(f"first {first}", useless(first), lambda result: True) for first in firsts_of(results, name)]
    columns.append(("to read for 95 %", reading_for(0.95), lambda result: share_reaching(result, 0.95).mean > 0))
    rivals = [best_of(players, RIVALS, number) for _, number, _ in columns]

    def cell(player, rival, number, is_measured):
        known = rival is not None and rival is not player and is_measured(player) and is_measured(rival)
        return player.minus(rival, number) if known else "-"

    rows = [["best rival", *(rival.entrant.name if rival and column[2](rival) else "-" for rival, column in zip(rivals, columns))]]
    rows += [[one.entrant.name, *(cell(one, rival, *column[1:]) for rival, column in zip(rivals, columns))] for one in players]
    figure.table(f"{case.title}: minus the best rival, trial by trial", ["policy", *(column[0] for column in columns)], rows)


def useless_chart(figure, results, suffix, name, case):
    most = firsts_of(results, name)[-1]
    lines = [series(one.entrant.name, [(float(first), one.mean(useless(first))) for first in (10, 25, 50, 100, 200, 400, 768) if first <= most])
             for one in players_in(results, name, case)]
    figure.chart(suffix, case.title, lines, "documents shown", "useless documents", x_log=True, points=True)


def chart_over_cases(figure, results, suffix, title, x_label, cases, places, first, **more):
    """A number of several cases, each at an x."""
    points = {}
    for x, name in places:
        for one in players_in(results, name, cases[name]) if name in results else []:
            points.setdefault(one.entrant.name, []).append((x, one.mean(useless(first))))
    lines = [series(name, some) for name, some in points.items()]
    figure.chart(suffix, title, lines, x_label, f"useless among the first {first}", points=True, **more)


# Claims.


def compared(ours, rival, name, number, factor):
    """Whether our number is at most `factor` times that of the rival, and the numbers of both."""
    one, other = ours.mean(number), rival.mean(number)
    return one.mean <= factor * other.mean, [(f"{name}, {DEFAULT_POLICY}", one), (f"{name}, {rival.entrant.name}", other),
                                             (f"{name}, difference", difference(ours.by_trial(number), rival.by_trial(number)))]


def against_best(results, name, case, firsts, factor):
    """The verdict and the numbers against the better one of those in use; None if none of them played."""
    players = players_in(results, name, case)
    ours, verdicts, numbers = ours_of(players), [], []
    for first in firsts if ours else ():
        rival = best_of(players, IN_USE, useless(first))
        if rival is not None and first in firsts_of(results, name):
            verdict, more = compared(ours, rival, f"useless among {first}", useless(first), factor)
            verdicts.append(verdict)
            numbers += more
    return (all(verdicts) if verdicts else None), numbers


def over_cases(results, cases, names, player):
    """The trials of one policy in several cases, one after the other; None if it did not play in all of them."""
    found = [next((one for one in players_in(results, name, cases[name]) if one.entrant.name == player), None) for name in names]
    if not found or None in found:
        return None
    return Result(found[0].entrant, [trial for one in found for trial in one.trials])


def over_topics(results, cases, names, bounds):
    """Compares with the best of all rivals over all these cases together; `bounds` are (name, number, factor)."""
    ours = over_cases(results, cases, names, DEFAULT_POLICY)
    rivals = [rival for rival in (over_cases(results, cases, names, rival) for rival in RIVALS) if rival]
    if not ours or not rivals or not bounds:
        return None, []
    outcomes = [compared(ours, best_of(rivals, RIVALS, number), name, number, factor) for name, number, factor in bounds]
    return all(verdict for verdict, _ in outcomes), [number for _, numbers in outcomes for number in numbers]


def finds_at_least(results, name, players, least, run):
    """Among the first 768. The count holds for five topics of 20 Newsgroups only; with a user's pool the claim is undecided."""
    if 768 not in firsts_of(results, name) or run.pool:
        return None, []
    found = ours_of(players).mean(lambda trial: found_among(trial, 768))
    return found.mean >= least, [("found in 768", found)]


def fewer_than_rivals(results, name, players):
    """Whether fewer are useless than with each rival, at the end of the search."""
    last, ours = firsts_of(results, name)[-1], ours_of(players)
    rivals = [one for rival in RIVALS for one in players if one.entrant.name == rival]
    minus = [(f"useless among {last}, minus those of {one.entrant.name}", ours.minus(one, useless(last))) for one in rivals]
    return all(number.mean < 0 for _, number in minus), minus
