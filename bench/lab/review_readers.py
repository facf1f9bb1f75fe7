"""What readers of a review say: those without hindsight, and those for whom a machine that knows every label chose the words."""
import re

import numpy as np
from inkling import Session, _core
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from lab.estimates import difference, estimate, median

MOST = 3  # words that a reader marks in a record


def telling_words(data, labels, most=20):
    """The words that tell the relevant records best. Features of several words are left out, because a person names single words."""
    words = _core.telling_words(data.pool._core, labels.tolist(), data.names.index("1"))
    names = data.pool.get_feature_names_out()
    return [word for word in words if " " not in names[word]][:most]


def marked(data, choose):
    """What a reader marks in each relevant record, whose features `choose` gets."""
    rows, offsets, features = data.pool.X, [0], []
    for record, relevant in enumerate(data.is_relevant):
        features += sorted(choose(rows.indices[rows.indptr[record]:rows.indptr[record + 1]].tolist())) if relevant else []
        offsets.append(len(features))
    return _core.MarkedWords(rows.shape[1], offsets, features)


def words_of_question(data):
    """Those that the product proposes."""
    return _core.words_of_sentences(data.pool.path, [data.question])[0]


def marks_of_question(data):
    """In each relevant record the words of the question that it holds, the rarest first."""
    holders, own = np.bincount(data.pool.X.indices, minlength=data.pool.shape[1]), set(words_of_question(data))
    return marked(data, lambda row: sorted(own.intersection(row), key=lambda word: holders[word])[:MOST])


def marks_of_expert(data, seed):
    """A reader who knows the field: the words that tell another half of the labels, drawn at random."""
    other = np.random.default_rng([seed, len(data.labels)]).random(len(data.labels)) < 0.5
    words = telling_words(data, np.where(other, data.labels, -1).astype(np.int32))
    return _core.marks_in_relevant(data.pool._core, data.is_relevant, words, MOST)


def marks_of_phrases(data, seed):
    """As annotators mark: half of the telling words of a record, one in five of them another word, and two function words with each."""
    draw, names = np.random.default_rng([seed, len(data.labels)]), data.pool.get_feature_names_out()
    telling = set(telling_words(data, data.labels))
    common = {feature for feature, name in enumerate(names) if name in ENGLISH_STOP_WORDS or re.fullmatch(r"\d+", name)}

    def phrases(row):
        said = {word if draw.random() < 0.8 else int(draw.choice(row)) for word in row if word in telling and draw.random() < 0.5}
        beside = [word for word in row if word in common]
        return said | set(draw.choice(beside, min(len(beside), 2 * len(said)), replace=False).tolist())

    return marked(data, phrases)


class ReaderOfRead:
    """Marks, in each relevant record, words that are in the question, the rarest first, or that spoke in the records read so far: that
    two relevant ones hold, and a tenth more of the relevant ones than of the others."""

    def __init__(self, data):
        self.data, self.words, holders = data, data.pool.shape[1], np.bincount(data.pool.X.indices, minlength=data.pool.shape[1])
        self.question = sorted(words_of_question(data) if data.question else [], key=lambda word: holders[word])
        self.is_single = np.array([" " not in name for name in data.pool.get_feature_names_out()])
        self.holding, self.read = np.zeros((2, self.words)), [0, 0]  # of others and of relevant ones

    def answer(self, record):
        rows, relevant = self.data.pool.X, int(self.data.is_relevant[record])
        row = rows.indices[rows.indptr[record]:rows.indptr[record + 1]]
        marks = self.marks(row) if relevant else []
        self.holding[relevant, row] += 1
        self.read[relevant] += 1
        return float(relevant), marks

    def marks(self, row):
        held = set(row.tolist())
        others, relevant = (self.holding[side, row] / max(self.read[side], 1) for side in (0, 1))
        spoke = row[self.is_single[row] & (self.holding[1, row] >= 2) & (relevant - others > 0.1)]
        more = dict(zip(row.tolist(), (relevant - others).tolist()))
        own = [word for word in self.question if word in held]
        return [*own, *sorted(set(spoke.tolist()) - set(own), key=lambda word: -more[word])][:MOST]


def found_by(reader, start, trial):
    """The ranks at which the default policy finds the relevant records, until all are found, with what the reader says of each."""
    session, found, rank = Session(reader.data.pool, random_state=trial, n_jobs=1), [], 0
    for record in start:
        session.rate(record, *reader.answer(record))
    while len(found) < sum(reader.data.is_relevant) - 1:
        record, rank = session.next().document, rank + 1
        rate, marks = reader.answer(record)
        session.rate(record, rate, marks)
        if rate > 0:
            found.append(rank)
    return found


def reader_row(name, by_review):
    """Of a table: how a reader's searches compare with those without marks; `by_review` gives a measure of each review."""
    own, plain = by_review(name, "loss"), by_review("inkling", "loss")
    shares = [one / other for one, other in zip(own, plain)]
    level = sum(one <= other + 0.005 for one, other in zip(own, plain))
    return [name, estimate(shares), f"{median(shares):.3f}", f"{level} of {len(own)}",
            difference(by_review(name, "useless of 25"), by_review("inkling", "useless of 25"))]
