"""What the estimators of scikit-learn share: rows, and the marks in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator

from ._errors import FormatError

try:
    from sklearn.utils.validation import validate_data as validate_data
except ImportError:  # scikit-learn before 1.6

    def validate_data(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        return estimator._validate_data(*args, **kwargs)


if TYPE_CHECKING:
    import scipy.sparse as sp


class FeedbackEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that takes marks beside X and y, and sparse rows."""

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
