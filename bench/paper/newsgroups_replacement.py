"""20 Newsgroups with an oracle's marks, binary rewards, with replacement; and what the figure without replacement shares."""
from functools import partial

from lab.readers import ROW_LENGTHS, message_world, newsgroups_space, text_study, topic_study

TITLE = "20 Newsgroups, binary rewards, with replacement"
PLACE = "Newsgroup dataset with oracle feedback, left"
FEATURES = 1000
SIGN_NOISE = 1.0  # R for rewards of +1 or -1: the sub-Gaussian scale of any noise within these bounds
# What is wanted where messages are rated, by `--target`.
WANTED = {"article": "a message", "classifier": "the classifier of a topic"}
MARKING = ("ff-oful", "explore-then-commit", "soft-marks")


def entrants_of(run, rounds, noise, norm, with_replacement, oful):
    """The policies that use marks and, where it plays, tuned OFUL, which sees none."""
    more = {"settings": {"norm_bound": norm}, "with_replacement": with_replacement}
    entrants = [run.entrant(policy, rounds, noise, **more) for policy in MARKING]
    return entrants + ([run.entrant("oful", rounds, noise, ridges=run.ridges(), **more)] if oful else [])


def message_study(run, name, reward, own_words, probability, entrants):
    """A reader who wants messages like one message."""
    space = newsgroups_space(run, FEATURES)
    data = space.data
    rows = [("messages", f"{data.pool.shape[0]:,}"),
            ("features", f"{len(data.words_of_all)} of the oracle and {FEATURES - len(data.words_of_all)} at random, of {data.pool.shape[1]:,}"),
            ("oracle's words a topic", ", ".join(str(len(words)) for words in data.words)), ("the oracle", data.facts),
            ("p, with which such a word of a shown message is marked", f"{run.mark_probability:g}"),
            ("length of a row", ROW_LENGTHS[run.rows])]
    kind = f"{reward} message with p {probability} of {'its own' if own_words else 'its topic'}"
    world = partial(message_world, run, space, reward, own_words, probability)
    return text_study(run, name, kind, space, world, entrants, rows, any(entrant.ridges for entrant in entrants))


def studies(run):
    rounds = run.horizon(4096)
    made = []
    for name, own_words in (("main", False), ("own-words", True)):
        entrants = entrants_of(run, rounds, SIGN_NOISE, run.logistic_norm, True, not own_words)
        made.append(message_study(run, name, "logistic", own_words, run.mark_probability, entrants))
    made[0].settings.append(("norm of theta* under the logistic, and S there", f"{run.logistic_norm:g}"))
    labels = entrants_of(run, run.horizon(2048), run.label_noise, run.norm_bound, True, True)
    return [*made, topic_study(run, "labels", newsgroups_space(run, FEATURES), labels)]


def beside_oful(figure, title, results, study):
    """The policies of a study that OFUL did not play in, beside OFUL in the main study."""
    places = [(policy, results[study, policy]) for policy in MARKING] + [("oful", results["main", "oful"])]
    figure.chart(study, title, places)


def beats(figure, id_, results, study, rival, where, rival_study="main", why="", stand_in=""):
    other = "tuned OFUL" if rival == "oful" else rival
    figure.less_regret(id_, "paper", f"FF-OFUL has less regret than {other} on 20 Newsgroups, {where}.", results[study, "ff-oful"],
                       results[rival_study, rival], why, stand_in)


def show(figure, results, run):
    regret = {(study, policy): results[study, policy].mean() for study in ("main", "own-words", "labels") for policy in results.names(study)}
    oful, labels = results["main", "oful"], results["labels", "oful"]
    wanted = WANTED[run.target].capitalize()
    figure.text(f"""{wanted}, drawn for the trial, is θ*, of norm {run.logistic_norm:g}. The reward of a message x is +1 with probability 1/(1 +
exp(−x·θ*)) and −1 otherwise; a message may be shown again. Marked are the oracle's words of its topic or, in a second version,
the words of θ* ("own words"). After {oful.entrant.rounds:,} rounds FF-OFUL has a regret of
{regret['main', 'ff-oful']} ({regret['own-words', 'ff-oful']} with own words), OFUL {oful.mean()} at its best ridge, {oful.setting}, and explore-then-commit
{regret['main', 'explore-then-commit']} ({regret['own-words', 'explore-then-commit']}). Soft marks, which are not in the paper, have {regret['main', 'soft-marks']}.

The paper also rewards +1 for one topic and −1 for all others, without noise: there FF-OFUL has {regret['labels', 'ff-oful']} and OFUL
{labels.mean()} after {labels.entrant.rounds:,} rounds.""")
    figure.regrets("", "20 Newsgroups, binary rewards, with replacement", results["main"])
    beside_oful(figure, "The same with the words of θ* marked", results, "own-words")
    figure.regrets("labels", "20 Newsgroups, one topic wanted, no noise", results["labels"])
    figure.tuning("OFUL's regret by its ridge, logistic rewards", results["main"])
    figure.outcomes(results["main"])
    figure.outcomes(results["own-words"], "Own words marked")
    figure.outcomes(results["labels"], "One topic wanted, no noise")
    where = "logistic rewards, with replacement"
    beats(figure, "newsgroups-replacement-beats-oful", results, "main", "oful", where)
    beats(figure, "newsgroups-replacement-own-words-beats-oful", results, "own-words", "oful", where + ", the words of θ* marked")
    beats(figure, "newsgroups-replacement-beats-explore-then-commit", results, "main", "explore-then-commit", where)
    figure.ridge_inside("newsgroups-replacement-ridge-inside", oful)
    beats(figure, "newsgroups-labels-beats-oful", results, "labels", "oful", "one topic wanted, no noise, with replacement", "labels",
          f"Without noise one message of the topic is enough, since it may be shown again and again. At a ridge of {labels.setting} OFUL "
          "trusts what it has seen and does just that, while FF-OFUL still draws messages at random to find words.",
          "The paper does not say how noisy its labels are; here they have no noise.")
    figure.ridge_inside("newsgroups-labels-ridge-inside", labels)
