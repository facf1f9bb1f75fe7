"""What the default policy learns, as an estimator of scikit-learn: which rows are good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

from . import _checks, _core
from ._errors import FormatError
from ._estimator import FeedbackEstimator, arrays_of, validate_data
from ._pool import Pool

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray


class FeatureFeedbackClassifier(ClassifierMixin, FeedbackEstimator):  # type: ignore[misc]
    """The default policy `inkling` as a classifier of two classes, which learns from marked words, too.

    It has the scores of a `Session` with the same answers: a ridge regression on all columns with a base rate, in which a mark in
    a good row is a row of its word alone, and the rarer class weighs more. The second of `classes_` is the good one. To learn
    n rows takes time by the square of n at least, and memory by the square of n.

    Parameters
    ----------
    background : Pool, array or sparse matrix, optional
        Documents that are mostly not good, with the columns of X: their average is presumed to be not good, as a search presumes
        it of its pool. Without them nothing is presumed.
    words : dict, optional
        What is looked for and what is not: ratings of words or columns, from -1 to 1 and not 0.

    Attributes
    ----------
    classes_ : array
        Both classes; the second is the good one.
    coef_ : sparse array
        The learned weights, one row.
    intercept_ : array
        The base rate.

    Examples
    --------
    >>> import numpy as np
    >>> from inkling import FeatureFeedbackClassifier
    >>> X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    >>> model = FeatureFeedbackClassifier().fit(X, ["good", "bad", "good"], marks=[[0], [], []])
    >>> model.classes_.tolist(), model.predict([[1.0, 0.0, 0.0]]).tolist()
    (['bad', 'good'], ['good'])
    """

    def __init__(self, *, background: Any = None, words: Mapping[str | int, float] | None = None) -> None:
        self.background = background
        self.words = words

    classes_: NDArray[Any]
    _KEEPS = "_lessons"
    _model: _core.Classifier

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "binary_only": True}

    def fit(self, X: Any, y: Any, marks: Any = None) -> FeatureFeedbackClassifier:
        """Learn all rows.

        Parameters
        ----------
        X : array or sparse matrix
            Rows by features.
        y : array
            The class of each row, one of two.
        marks : array, sparse matrix or list of lists, optional
            What made rows good: of X's shape with entries in (0, 1], or a list of words or columns for each row. Marks in rows
            that are not good say nothing.

        Returns
        -------
        FeatureFeedbackClassifier
            The estimator itself.
        """
        return self._learn(X, y, None, marks, True)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, marks: Any = None) -> FeatureFeedbackClassifier:
        """Learn more rows: the same as `fit` on all rows so far, up to rounding.

        Parameters
        ----------
        X : array or sparse matrix
            As in `fit`.
        y : array
            As in `fit`.
        classes : array, optional
            Both classes; needed in the first call if y has only one of them.
        marks : array, sparse matrix or list of lists, optional
            As in `fit`.

        Returns
        -------
        FeatureFeedbackClassifier
            The estimator itself.
        """
        return self._learn(X, y, classes, marks, not hasattr(self, "_model"))

    def _learn(self, X: Any, y: Any, classes: Any, marks: Any, is_first: bool) -> FeatureFeedbackClassifier:
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=is_first)
        found = self._classes_of(y, classes) if is_first else self.classes_
        unknown = ~np.isin(y, found)
        if unknown.any():
            raise ValueError(f"y: expected only the classes {found.tolist()}, got {np.unique(y[unknown]).tolist()}")
        rows, marked = arrays_of(X), self._marks_of(marks, X.shape)
        rewards, marks = (y == found[1]).astype(np.float64), (*marked[:2], marked[2].astype(np.float32))
        if is_first:
            average, rated = self._average_of_background(X.shape[1]), self._ratings(X.shape[1])
            self.classes_, self._average, self._rated = found, average, rated
            self._lessons: list[Any] = []
            self._make()
        self._learn_lesson(rows, rewards, marks)
        return self

    def _classes_of(self, y: NDArray[Any], classes: Any) -> NDArray[Any]:
        check_classification_targets(y)
        found = np.unique(y if classes is None else classes)
        kind = type_of_target(found)
        if found.size > 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}: "
                f"expected two classes in y, got {found.size}"
            )
        if found.size < 2:
            raise ValueError(f"y: expected two classes, got one class, {found.tolist()}; partial_fit takes `classes`")
        return found

    def _average_of_background(self, columns: int) -> tuple[NDArray[np.int32], NDArray[np.float32]] | None:
        import scipy.sparse

        pool = self.background
        if pool is None:
            return None
        if not isinstance(pool, Pool):
            pool = Pool.from_csr(scipy.sparse.csr_array(pool))
        if pool.shape[1] != columns:
            raise FormatError("background", f"expected the {columns} columns of X, got {pool.shape[1]}")
        return _core.average_of(pool._core)

    def _ratings(self, columns: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        ratings = {self._column(word, columns, "words"): rate for word, rate in (self.words or {}).items()}
        for word, rate in ratings.items():
            if not -1.0 <= _checks.real(f"words: {word!r}", rate) <= 1.0 or rate == 0:
                raise FormatError(f"words: {word!r}", f"expected a rating from -1 to 1 that is not 0, got {rate!r}")
        return np.array(list(ratings), dtype=np.int32), np.array(list(ratings.values()), dtype=np.float64)

    def _empty_model(self) -> _core.Classifier:
        model = _core.Classifier(self.n_features_in_, self._average)
        if len(self._rated[0]):
            model.rate_words(*self._rated)
        return model

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows: from about -1 for not good to about 1 for good.

        Parameters
        ----------
        X : array or sparse matrix
            Rows by features.

        Returns
        -------
        array
            The expected reward of each row on the scale of a search.
        """
        rows = arrays_of(self._fitted_rows(X))
        return self._model.means(rows)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Say how likely each class is: 1 / (1 + exp(-2 score)) for the good one, in the order of the scores.

        It is not calibrated, because the rarer class weighs more; CalibratedClassifierCV calibrates it.

        Parameters
        ----------
        X : array or sparse matrix
            Rows by features.

        Returns
        -------
        array
            A column for each of `classes_`.
        """
        good = 1.0 / (1.0 + np.exp(-2.0 * self.decision_function(X)))
        return np.column_stack([1.0 - good, good])

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row: the good one where its score is above 0.

        Parameters
        ----------
        X : array or sparse matrix
            Rows by features.

        Returns
        -------
        array
            The classes.
        """
        scores = self.decision_function(X)
        classes: NDArray[Any] = self.classes_[(scores > 0.0).astype(int)]
        return classes

    @property
    def coef_(self) -> sp.csr_array:
        """The learned weights, one row, with an entry for each that is not 0."""
        return self._coef()

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """The base rate."""
        check_is_fitted(self, "_model")
        return np.array([self._model.base_mean()])
