"""Worlds of real text, in the 500 or 1,000 dimensions in which the paper can afford OFUL, or in all, and the people who read them."""
import hashlib
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp
from inkling import Pool, _core

from lab import texts
from lab.trials import Study

ROW_LENGTHS = {"unit": "1, over the features kept", "selected": "1, over all features", "raw": "that of its TF-IDF weights"}
NO_TRIAL = 2_000_000  # the trial of the random words of a space, which are the same in all trials of a run


def drawn(candidates, count, random):
    """So many of them, without replacement, ascending."""
    candidates = list(candidates)
    for n in range(count):
        other = n + random.below(len(candidates) - n)
        candidates[n], candidates[other] = candidates[other], candidates[n]
    return sorted(candidates[:count])


def reduced(rows, kept, unit=True):
    """These columns; rows of length 1, summed in the order of the row, or as they are."""
    rows = sp.csr_array(rows)[:, kept]
    rows.sort_indices()
    if not unit:
        return rows.astype(np.float32)
    row_of = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    values = rows.data.astype(np.float64)
    squares = np.bincount(row_of, weights=values * values, minlength=rows.shape[0])
    length = np.where(squares > 0.0, np.sqrt(squares), 1.0)
    return sp.csr_array(((values / length[row_of]).astype(np.float32), rows.indices, rows.indptr), shape=rows.shape)


def space(run, data, wanted, features):
    """The wanted words and others at random, `features` in all; rows as the run has them."""
    random = _core.RandomStream(run.seed, NO_TRIAL, _core.RandomRole.pool)
    count = max(len(wanted), min(features, data.pool.shape[1]))
    others = np.setdiff1d(np.arange(data.pool.shape[1]), wanted)
    kept = np.union1d(wanted, drawn(others.tolist(), count - len(wanted), random)).astype(int)
    rows = reduced(data.raw() if run.rows == "raw" else data.pool.X, kept, unit=run.rows == "unit")
    return SimpleNamespace(pool=Pool.from_csr(rows), kept=kept, data=data)


def whole(data):
    return SimpleNamespace(pool=data.pool, kept=np.arange(data.pool.shape[1]), data=data)


def newsgroups_space(run, features):
    data = texts.newsgroups(run)
    return texts.once(run, f"newsgroups in {features} {run.rows}", lambda: space(run, data, data.words_of_all, features))


def reviews_space(run, features):
    data = texts.reviews(run)
    return texts.once(run, f"reviews in {features} {run.rows}", lambda: space(run, data, data.words, features))


def numbers_in(space_, words):
    """The numbers in the space of those words that it keeps."""
    return np.flatnonzero(np.isin(space_.kept, words)).tolist()


def topic_of(run, data, trial):
    return _core.RandomStream(run.seed, trial, _core.RandomRole.target).below(len(data.names))


def label_world(space_, topic, words, rates, marked=None):
    """+1 for the documents of a topic, -1 for the others."""
    wanted = np.where(space_.data.labels == topic, 1.0, -1.0).tolist()
    return _core.made_world(space_.pool._core, "label", wanted, 0.0, words, rates, marked)


def topic_world(run, space_, trial):
    """One topic wanted; the topic's oracle words marked with probability p."""
    topic = topic_of(run, space_.data, trial)
    return label_world(space_, topic, numbers_in(space_, space_.data.words[topic]), (run.mark_probability, 0.0))


def message_world(run, space_, reward, own_words, probability, trial):
    """A message drawn for the trial is theta*, or the weights of the classifier that tells its topic: rewards are x.theta* with noise, or
    +1 and -1 by its logistic. The reader marks the oracle's words of its topic, or the words of theta* that are in the space."""
    rows, random = space_.pool.X, _core.RandomStream(run.seed, trial, _core.RandomRole.target)
    while True:
        message = random.below(rows.shape[0])
        row = slice(*rows.indptr[message:message + 2])
        if row.start < row.stop:
            break
    topic, values, support = space_.data.labels[message], rows.data[row].astype(np.float64), rows.indices[row].tolist()
    of_topic = numbers_in(space_, space_.data.words[topic])
    if run.target == "classifier":
        values, support = space_.data.weights[topic], of_topic
    length = np.sqrt(np.bincount(np.zeros(len(values), dtype=int), weights=values * values)[0])
    truth = np.zeros(rows.shape[1])
    truth[support] = (run.logistic_norm if reward == "logistic" else run.norm_bound) * values / length
    words = support if own_words else of_topic
    return _core.made_world(space_.pool._core, reward, truth.tolist(), run.noise, words, (probability, 0.0), None)


def review_world(run, space_, marked, trial):
    """The reader wants good reviews or bad ones, and marks the words that people highlighted in them."""
    data = space_.data
    return label_world(space_, topic_of(run, data, trial), numbers_in(space_, data.words), (0.0, 0.0), marked)


def person_space(run, features):
    """The oracle's words or, if a list was read, all words that people gave; and others at random."""
    data = texts.newsgroups(run)
    given = texts.topic_words(run, data)
    return newsgroups_space(run, features) if given is None else space(run, data, np.unique(np.concatenate(given)), features)


def person_world(run, space_, rates, given, trial):
    """One topic wanted. A simulated person marks its oracle words, and other words, as often as the readers of the reviews did; or the
    words that people gave, as often as those marked deciding ones."""
    topic = topic_of(run, space_.data, trial)
    words = space_.data.words if given is None else given
    return label_world(space_, topic, numbers_in(space_, words[topic]), rates if given is None else (rates[0], 0.0))


def text_study(run, name, kind, space_, world, entrants, settings, tuning=True):
    about = f"{kind} in {len(space_.kept)} features: {hash_of(space_.kept)} {run.rows} {run.target} {run.seed} {run.mark_probability} {run.noise} {run.norm_bound} " \
            f"{run.logistic_norm}"
    return Study(name, world, about, run.trials, entrants, run.tuning_trials if tuning else 0, settings)


def hash_of(numbers):
    return hashlib.sha256(np.asarray(numbers, dtype=np.int64).tobytes()).hexdigest()[:16]


def topic_study(run, name, space_, entrants, tuning=True):
    """In topic worlds. Its settings say what the oracle is and how many words it chose."""
    rows = [("features", f"{space_.data.pool.shape[1]:,}"), ("the oracle", space_.data.facts)]
    return text_study(run, name, "topic", space_, lambda trial: topic_world(run, space_, trial), entrants, rows, tuning)


def review_study(run, entrants, tuning=True):
    """Of film reviews, each shown once."""
    space_ = reviews_space(run, 500)
    data = space_.data
    highlights = reduced(data.highlights, space_.kept, unit=False)
    marked = _core.MarkedWords(len(space_.kept), highlights.indptr.tolist(), highlights.indices.tolist())
    rows = [("reviews", f"{data.pool.shape[0]:,}"),
            ("features", f"{len(data.words)} of the oracle and {500 - len(data.words)} at random, of {data.pool.shape[1]:,}"),
            ("the oracle", data.facts),
            ("of the oracle's words in a review, its readers highlighted", f"{100 * data.rates[0]:.1f} %"),
            ("of its other words", f"{100 * data.rates[1]:.1f} %"), ("length of a row", ROW_LENGTHS[run.rows])]
    return text_study(run, "reviews", "reviews", space_, lambda trial: review_world(run, space_, marked, trial), entrants, rows, tuning)


def shown_once(run, data, policy, usual_rounds, **more):
    """An entrant that is given the noise of rewards that are +1 or -1, and may not show a document again."""
    rounds = min(run.horizon(usual_rounds), data.pool.shape[0])
    return run.entrant(policy, rounds, run.label_noise, with_replacement=False, **more)
