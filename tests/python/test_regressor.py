"""The estimator is what scikit-learn expects of one."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("sklearn")
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, DotProduct
from sklearn.linear_model import Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from inkling import FeatureFeedbackRegressor, FormatError


def rows(count: int, features: int, seed: int = 0) -> np.ndarray:
    """Values that float32 holds exactly, half of them 0."""
    chance = np.random.default_rng(seed)
    return (chance.integers(-8, 9, (count, features)) * chance.integers(0, 2, (count, features))) / 8.0


@parametrize_with_checks([FeatureFeedbackRegressor(), FeatureFeedbackRegressor(marks="soft")])
def test_it_is_an_estimator_of_scikit_learn(estimator, check) -> None:  # type: ignore[no-untyped-def]
    check(estimator)


@pytest.mark.parametrize("features", [5, 60, 2500])
@pytest.mark.parametrize("marked", [True, False])
def test_rows_learned_in_parts_are_as_learned_at_once(features: int, marked: bool) -> None:
    X = rows(40, features, 3)
    y = X[:, :5].sum(axis=1)
    marks = (rows(40, features, 4) > 0.8).astype(float) * (np.arange(features) < 40) if marked else None
    once = FeatureFeedbackRegressor().fit(X, y, marks)
    parts = FeatureFeedbackRegressor()
    for begin in (0, 1, 7, 30):
        end = {0: 1, 1: 7, 7: 30, 30: 40}[begin]
        parts.partial_fit(X[begin:end], y[begin:end], None if marks is None else marks[begin:end])
    new = rows(30, features, 5)
    for one, other in zip(once.predict(new, return_std=True), parts.predict(new, return_std=True), strict=True):
        assert np.allclose(one, other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("features", [20, 2500])
def test_marks_that_come_with_a_later_part_count_as_if_they_had_been_expected(features: int) -> None:
    X = rows(20, features, 8)
    y = X[:, :5].sum(axis=1)
    marks = np.zeros_like(X)
    marks[13, 2] = 1
    once = FeatureFeedbackRegressor().fit(X, y, marks)
    parts = FeatureFeedbackRegressor().partial_fit(X[:10], y[:10]).partial_fit(X[10:], y[10:], marks[10:])
    assert np.allclose(parts.predict(X), once.predict(X), rtol=1e-9, atol=1e-12)
    again = pickle.loads(pickle.dumps(parts))
    assert again.predict(X).tolist() == parts.predict(X).tolist()


def test_sparse_rows_with_indices_of_64_bits_are_the_same_rows() -> None:
    import scipy.sparse as sp

    X = rows(20, 6, 9)
    sparse = sp.csr_array(X)
    sparse.indices, sparse.indptr = sparse.indices.astype(np.int64), sparse.indptr.astype(np.int64)
    model = FeatureFeedbackRegressor().fit(sparse, X[:, 0])
    assert np.allclose(model.predict(sparse), FeatureFeedbackRegressor().fit(X, X[:, 0]).predict(X))


@pytest.mark.parametrize("ridge", [0.2, 1.0, 30.0])
@pytest.mark.parametrize("noise", [0.1, 1.5])
def test_it_is_the_gaussian_process_on_the_marked_words(ridge: float, noise: float) -> None:
    X, new = rows(50, 12, 1), rows(40, 12, 2)
    y = X @ np.linspace(-1, 1, 12) + 0.1 * np.random.default_rng(3).standard_normal(50)
    words = [1, 4, 5, 9]
    marks = np.zeros_like(X)
    marks[7, words[:2]] = 1
    marks[30, words[2:]] = 0.5
    model = FeatureFeedbackRegressor(ridge=ridge, noise=noise).fit(X, y, marks)
    kernel = ConstantKernel(noise**2 / ridge, "fixed") * DotProduct(0.0, "fixed")
    process = GaussianProcessRegressor(kernel, alpha=noise**2, optimizer=None).fit(X[:, words], y)
    mean, deviation = model.predict(new, return_std=True)
    expected_mean, expected_deviation = process.predict(new[:, words], return_std=True)
    assert np.allclose(mean, expected_mean, atol=1e-6)
    assert np.allclose(deviation, expected_deviation, atol=1e-6)


def test_without_marks_it_is_ridge_regression_also_where_features_are_many() -> None:
    for features in (10, 2500):
        X = rows(30, features, 6)
        y = X.sum(axis=1)
        model = FeatureFeedbackRegressor(ridge=0.7).fit(sp.csr_matrix(X), y)
        ridge = Ridge(0.7, fit_intercept=False).fit(X, y)
        assert np.allclose(model.predict(X), ridge.predict(X), atol=1e-8)
        assert np.allclose(model.coef_.toarray().ravel(), ridge.coef_, atol=1e-8)


def test_soft_marks_are_two_ridges() -> None:
    X = rows(30, 6, 7)
    y = X.sum(axis=1)
    model = FeatureFeedbackRegressor(marks="soft", marked_precision=0.5, unmarked_precision=8.0)
    model.fit(X, y, [[2], [4, 2], *[[]] * 28])
    precisions = np.array([8, 8, 0.5, 8, 0.5, 8])
    assert np.allclose(model.coef_.toarray().ravel(), np.linalg.solve(X.T @ X + np.diag(precisions), X.T @ y))


def test_marks_are_a_matrix_or_words_of_a_frame() -> None:
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(rows(10, 3, 8), columns=["soil", "sea", "salt"])
    y = np.arange(10.0)
    marks = sp.csr_array(np.array([[1, 0, 1], *[[0, 0, 0]] * 9]))
    one = FeatureFeedbackRegressor().fit(X, y, marks)
    other = FeatureFeedbackRegressor().fit(X, y, [["soil", "salt"], *[[]] * 9])
    assert one.coef_.toarray().tolist() == other.coef_.toarray().tolist()
    assert one.coef_.toarray()[0, 1] == 0.0


def test_bounds_and_draws_spread_around_the_mean() -> None:
    X, new = rows(40, 6, 9), rows(5, 6, 10)
    model = FeatureFeedbackRegressor(noise=0.5).fit(X, X[:, 0])
    mean, deviation = model.predict(new, return_std=True)
    assert np.allclose(model.ucb(new), mean + model.radius_ * deviation / 0.5)
    draws = model.sample_y(new, 4000, random_state=1)
    assert np.allclose(draws.mean(axis=1), mean, atol=0.05)
    assert np.allclose(draws.std(axis=1), deviation, rtol=0.1, atol=1e-6)


def test_copies_learn_on() -> None:
    X = rows(20, 4, 11)
    model = FeatureFeedbackRegressor().fit(X[:10], X[:10, 0], np.ones((10, 4)))
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(X).tolist() == model.predict(X).tolist()
    for one in (model, again):
        one.partial_fit(X[10:], X[10:, 0])
    assert again.predict(X).tolist() == model.predict(X).tolist()
    assert not hasattr(clone(model), "_model")


@pytest.mark.parametrize(
    ("settings", "marks"),
    [
        ({"marks": "hard"}, None), ({"ridge": 0.0}, None), ({"ridge": float("nan")}, None), ({"delta": 1.0}, None),
        ({"noise": -1}, None), ({"marks": "soft", "marked_precision": -1.0}, None), ({}, np.ones((3, 3))),
        ({}, np.full((4, 2), 1.5)), ({}, -np.ones((4, 2))), ({}, [[0]] * 3), ({}, [[2]] * 4), ({}, [["soil"]] * 4),
    ],
)  # fmt: skip
def test_wrong_settings_and_marks_are_named(settings: dict[str, object], marks: object) -> None:
    with pytest.raises(FormatError):
        FeatureFeedbackRegressor(**settings).fit(rows(4, 2), np.arange(4.0), marks)
