"""What the estimators of scikit-learn share: rows, the marks in them, and a model that is made of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ._errors import FormatError

try:
    from sklearn.utils.validation import validate_data as validate_data
except ImportError:  # scikit-learn before 1.6

    def validate_data(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        return estimator._validate_data(*args, **kwargs)


if TYPE_CHECKING:
    import scipy.sparse as sp


class FeedbackEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that takes marks beside X and y, and sparse rows.

    What it learned is made again from its rows: in a copy, and where learning was stopped within its work.
    """

    _KEEPS: str  # the name of the list of all rows so far, as `_teach` takes them
    _model: Any

    def _empty_model(self) -> Any:
        """The model before its first row."""
        raise NotImplementedError

    def _teach(self, *lesson: Any) -> None:
        self._model.learn(*lesson)

    def _make(self) -> None:
        """A model of what was learned so far; rows that came in parts are learned together."""
        self._model = self._empty_model()
        for lesson in getattr(self, self._KEEPS):
            self._teach(*lesson)

    def _learn_lesson(self, *lesson: Any) -> None:
        try:
            self._teach(*lesson)
        except BaseException:  # Ctrl-C, too: it may have learned some of the rows
            self._make()
            raise
        getattr(self, self._KEEPS).append(lesson)

    def _fitted_rows(self, X: Any) -> Any:
        """Rows to predict, checked."""
        check_is_fitted(self, "_model")
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)

    def _coef(self) -> sp.csr_array:
        import scipy.sparse

        check_is_fitted(self, "_model")
        features, weights = self._model.weights()
        shape = (1, self.n_features_in_)
        return scipy.sparse.csr_array((weights, features, np.array([0, len(features)])), shape=shape)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_model", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, self._KEEPS):
            self._make()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["2darray", "sparse"]}

    def _marks_of(self, marks: Any, shape: tuple[int, int]) -> tuple[Any, Any, Any]:
        import scipy.sparse

        if marks is None:
            return np.zeros(shape[0] + 1, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0)
        if isinstance(marks, np.ndarray) and marks.ndim == 2:
            marks = scipy.sparse.csr_array(marks)
        if not scipy.sparse.issparse(marks):
            marks = self._listed(marks, shape)
        if marks.shape != shape:
            raise FormatError("marks", f"expected the shape of X, {shape}, got {marks.shape}")
        table = scipy.sparse.csr_array(marks, copy=True)
        table.sum_duplicates()
        table.eliminate_zeros()
        data = table.data.astype(np.float64)
        if data.size and not (np.all(data > 0.0) and np.all(data <= 1.0)):
            raise FormatError("marks", "expected entries from 0 to 1: how sure each mark is")
        return table.indptr.astype(np.int64), table.indices.astype(np.int32), data

    def _listed(self, marks: Any, shape: tuple[int, int]) -> sp.csr_array:
        import scipy.sparse

        lists = list(marks)
        if len(lists) != shape[0]:
            raise FormatError("marks", f"expected {shape[0]} lists, one for each row, got {len(lists)}")
        columns: list[int] = []
        offsets = [0]
        for words in lists:
            columns += sorted({self._column(word, shape[1]) for word in words})
            offsets.append(len(columns))
        return scipy.sparse.csr_array((np.ones(len(columns)), columns, offsets), shape=shape)

    def _column(self, word: Any, columns: int, where: str = "marks") -> int:
        if isinstance(word, str):
            found = np.flatnonzero(np.asarray(getattr(self, "feature_names_in_", ())) == word)
            if not found.size:
                raise FormatError(f"{where}: the word {word!r}", "expected the name of a column of X")
            return int(found[0])
        if not isinstance(word, (int, np.integer)) or not 0 <= word < columns:
            raise FormatError(f"{where}: {word!r}", f"expected a column from 0 to {columns - 1}")
        return int(word)


def arrays_of(X: Any) -> tuple[Any, Any, Any]:
    import scipy.sparse

    largest = float(np.finfo(np.float32).max)
    if X.shape[1] > 2**31 - 1:
        raise FormatError("X", f"expected at most {2**31 - 1} columns, got {X.shape[1]}")
    rows = scipy.sparse.csr_array(X, copy=True)
    rows.sum_duplicates()
    if rows.data.size and np.max(np.abs(rows.data)) > largest:
        raise FormatError("X", f"expected values of at most {largest:.3g} in size")
    return rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data.astype(np.float32)
