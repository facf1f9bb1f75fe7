"""Early regret where a policy knows some of the words that matter, in real text."""
from lab.figure import level
from lab.readers import newsgroups_space, topic_study

from paper.subsets_synthetic import by_size, some_subset_is_better, subset_entrants

TITLE = "Early regret: subsets of what matters, in real text"
PLACE = "Early regret, (c)"
SIZES, SUBSET = (5, 10, 15, 20, 25), "subset of {}"
PLAIN, TUNED = "oful, all words, ridge 1", "oful, all words, tuned"


def studies(run):
    entrants = subset_entrants(run, run.horizon(2048), run.label_noise, SIZES, SUBSET, PLAIN, TUNED)
    study = topic_study(run, "main", newsgroups_space(run, 498), entrants)
    study.settings = study.settings[1:] + [("of the paper's figure", "d = 498, k = 92, from annotations that are not public")]
    return [study]


def show(figure, results, run):
    regrets = [results["main", name].mean() for name in (SUBSET.format(5), SUBSET.format(25), PLAIN, TUNED)]
    figure.text(f"""Some of the words that matter are known from the start: OFUL uses only a random subset of the oracle's words for the
wanted topic, another subset and topic in each trial. After {results['main'][0].entrant.rounds:,} rounds the regret is {regrets[0]} with 5 words,
{regrets[1]} with 25, {regrets[2]} with all words at ridge 1 and {regrets[3]} at the best ridge, {results['main', TUNED].setting}.""")
    lines = [by_size("subsets", results, "main", SUBSET, SIZES), level(PLAIN, results["main", PLAIN].mean()),
             level(TUNED, results["main", TUNED].mean())]
    figure.chart("", "OFUL on random subsets of a topic's words", lines, "words in the subset", y_log=True)
    figure.outcomes(results["main"])
    some_subset_is_better(figure, "subsets-text-early", "At a short horizon OFUL on a random subset of the words that matter has less regret "
                          "than tuned OFUL on all words, in real text, for at least one of the sizes.", results, TUNED, SUBSET, SIZES,
                          SIZES[-1], "regret with {} words minus that of tuned OFUL on all", [],
                          "At this horizon so few words tell too little of a topic: a wanted topic has other words in most of its messages.",
                          "The paper's words are those of annotations that are not public; these are an oracle's.")
