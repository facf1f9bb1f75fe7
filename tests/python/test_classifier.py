"""The default policy as an estimator of scikit-learn: what it expects of one, and the scores of a search."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("sklearn")
import sklearn
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import inkling as ink
from inkling import FeatureFeedbackClassifier, FeatureFeedbackRegressor, FormatError


@parametrize_with_checks([FeatureFeedbackClassifier()])
def test_it_is_an_estimator_of_scikit_learn(estimator, check) -> None:  # type: ignore[no-untyped-def]
    check(estimator)


def random_rows(chance: np.random.Generator, count: int, columns: int) -> sp.csr_array:
    """Some of them empty or equal to earlier ones."""
    dense = chance.integers(1, 9, (count, columns)) * (chance.random((count, columns)) < 0.3) / 8.0
    dense[chance.random(count) < 0.05] = 0.0
    if count > 3:
        dense[chance.integers(0, count, 2)] = dense[0]
    return sp.csr_array(dense.astype(np.float32))


def test_it_has_the_scores_of_a_search_with_the_same_answers_however_they_come() -> None:
    for trial in range(int(os.environ.get("INKLING_TRIALS", "150"))):
        chance = np.random.default_rng(trial)
        columns = int(chance.choice([3, 12, 40, 300]))  # a model of more than 256 keeps the rows
        X = random_rows(chance, int(chance.integers(8, 30)), columns)
        count = int(chance.integers(2, X.shape[0] + 1))
        rows = chance.permutation(X.shape[0])[:count]
        y = np.r_[0, 1, chance.integers(0, 2, count - 2)]
        marks = [chance.choice(columns, int(chance.integers(0, min(columns, 7))), replace=False).tolist() for _ in rows]
        words = {int(word): float(chance.uniform(-1, 1)) for word in chance.choice(columns, int(chance.integers(0, 3)), replace=False)}
        session = ink.Session(ink.Pool.from_csr(X), random_state=1)
        if words:
            session.query(words)
        for row, rate, marked in zip(rows.tolist(), y.tolist(), marks, strict=True):
            session.rate(row, rate, marked)
        once = FeatureFeedbackClassifier(background=X, words=words).fit(X[rows], y, marks)
        parts = FeatureFeedbackClassifier(background=X, words=words)
        for begin, end in zip([0, *(cuts := sorted(chance.integers(0, count, 2).tolist()))], [*cuts, count], strict=True):
            if begin < end:
                parts.partial_fit(X[rows[begin:end]], y[begin:end], classes=[0, 1], marks=marks[begin:end])
        unseen = random_rows(chance, 20, columns)
        expected = session.expectations()
        dense = np.zeros(columns)
        weights = session.words()
        dense[weights["feature"]] = weights["weight"]
        on_unseen = unseen @ dense + session.why(0).base
        again = pickle.loads(pickle.dumps(parts))
        for model in (once, parts, again):
            assert np.allclose(model.decision_function(X), expected, rtol=1e-9, atol=1e-9), trial
            assert np.allclose(model.decision_function(unseen), on_unseen, rtol=1e-9, atol=1e-9), trial
            assert np.allclose(model.coef_ @ unseen.T.toarray() + model.intercept_, on_unseen, atol=1e-9)
        assert np.array_equal(once.predict(unseen), (once.decision_function(unseen) > 0).astype(int))


def texts_of_two_topics(seed: int, count: int = 120) -> tuple[list[str], np.ndarray]:
    chance = np.random.default_rng(seed)
    good = chance.random(count) < 0.25
    topic = [["soil", "compost", "root", "dig"], ["sea", "wave", "salt", "wind"]]
    common = ["the", "a", "day", "week", "long", "cold", "warm", "near"]
    texts = [" ".join([*chance.choice(topic[0 if is_good else 1], 2), *chance.choice(topic[int(chance.integers(0, 2))], 1), *chance.choice(common, 6)]) for is_good in good]
    return texts, good.astype(int)


def test_it_works_in_a_pipeline_and_a_grid_with_marks_by_metadata_routing() -> None:
    texts, y = texts_of_two_topics(1)
    vectors = TfidfVectorizer().fit(texts)
    column = vectors.vocabulary_["soil"]
    marks = sp.csr_array([[float(good and name == column and "soil" in text) for name in range(len(vectors.vocabulary_))] for text, good in zip(texts, y, strict=True)])
    X = vectors.transform(texts)
    with sklearn.config_context(enable_metadata_routing=True):
        model = FeatureFeedbackClassifier().set_fit_request(marks=True)
        grid = GridSearchCV(model, {"words": [None, {column: 1.0}]}, scoring="average_precision", cv=3)
        grid.fit(X, y, marks=marks)
    assert np.isfinite(grid.cv_results_["mean_test_score"]).all() and grid.best_score_ > 0.8
    assert not np.allclose(grid.best_estimator_.decision_function(X), clone(model).fit(X, y).decision_function(X))  # marks arrived
    plain = make_pipeline(TfidfVectorizer(), FeatureFeedbackClassifier()).fit(texts, y)
    new, truth = texts_of_two_topics(2)
    assert average_precision_score(truth, plain.decision_function(new)) > 0.9
    assert np.allclose(plain.predict_proba(new).sum(axis=1), 1.0)


def test_marks_and_words_move_scores_where_they_should() -> None:
    texts, y = texts_of_two_topics(3, 30)
    vectors = TfidfVectorizer()
    X = vectors.fit_transform(texts)
    column = vectors.vocabulary_["compost"]
    row = sp.csr_array(([1.0], ([0], [column])), shape=(1, X.shape[1]))
    plain = FeatureFeedbackClassifier().fit(X, y).decision_function(row)[0]
    good, bad = int(np.flatnonzero(y == 1)[0]), int(np.flatnonzero(y == 0)[0])
    marked = [[column] if n == good else [] for n in range(len(texts))]
    in_bad = [[column] if n == bad else [] for n in range(len(texts))]
    assert FeatureFeedbackClassifier().fit(X, y, marked).decision_function(row)[0] > plain + 0.01
    assert FeatureFeedbackClassifier().fit(X, y, in_bad).decision_function(row)[0] == plain
    assert FeatureFeedbackClassifier(words={column: -1}).fit(X, y).decision_function(row)[0] < plain - 0.01


@pytest.mark.parametrize(
    ("settings", "y", "more", "message"),
    [
        ({}, [0, 1, 2, 1], {}, "Only binary"),
        ({}, [1, 1, 1, 1], {}, "one class"),
        ({}, [0, 1, 1, 1], {"marks": [[9], [], [], []]}, "expected a column from 0 to 2"),
        ({}, [0, 1, 1, 1], {"marks": [[0]]}, "expected 4 lists"),
        ({"words": {0: 2.0}}, [0, 1, 1, 1], {}, "expected a rating from -1 to 1"),
        ({"words": {"soil": 1.0}}, [0, 1, 1, 1], {}, "expected the name of a column"),
        ({"background": np.eye(5)}, [0, 1, 1, 1], {}, "expected the 3 columns of X"),
    ],
)
def test_what_it_cannot_learn_is_refused_with_what_was_expected(settings: dict[str, object], y: list[int], more: dict[str, object], message: str) -> None:
    X = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], dtype=float)
    with pytest.raises((ValueError, FormatError), match=message):
        FeatureFeedbackClassifier(**settings).fit(X, y, **more)  # type: ignore[arg-type]


def test_a_new_class_in_a_later_part_is_refused_and_the_model_stays_as_it_was() -> None:
    X = np.eye(3)
    model = FeatureFeedbackClassifier().partial_fit(X, ["a", "b", "a"])
    before = model.decision_function(X).tolist()
    with pytest.raises(ValueError, match="got \\['c'\\]"):
        model.partial_fit(X[:1], ["c"])
    assert model.decision_function(X).tolist() == before


@pytest.mark.parametrize("kind", [FeatureFeedbackClassifier, FeatureFeedbackRegressor])
def test_a_model_that_was_stopped_within_its_work_is_as_before(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    X, y = random_rows(chance, 30, 300), np.arange(30) % 2
    scores = "decision_function" if kind is FeatureFeedbackClassifier else "predict"
    model = kind().partial_fit(X[:20], y[:20])
    before = getattr(model, scores)(X)
    learned = model._model

    class Stopped:
        def learn(self, *_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(model, "_model", Stopped())
    with pytest.raises(KeyboardInterrupt):
        model.partial_fit(X[20:], y[20:])
    assert model._model is not learned and np.allclose(getattr(model, scores)(X), before)
    assert np.allclose(getattr(model.partial_fit(X[20:], y[20:]), scores)(X), getattr(kind().fit(X, y), scores)(X))
