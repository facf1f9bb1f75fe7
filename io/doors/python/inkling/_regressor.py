"""The model alone, as an estimator of scikit-learn: ridge regression on the marked features."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted, check_random_state

from . import _core
from ._errors import FormatError
from ._estimator import FeedbackEstimator, arrays_of, validate_data

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

MARKS = ("gate", "soft", "ignore")
LARGE = 2000  # from so many features on, few rows are learned in the dual form


class FeatureFeedbackRegressor(RegressorMixin, FeedbackEstimator):  # type: ignore[misc]
    """Ridge regression on the marked features only.

    If `fit` gets no marks, all features are in use; the same holds for `partial_fit` until a part has some. There is no intercept. Values are float32 inside, sums are float64.

    Parameters
    ----------
    marks : str, default "gate"
        What marks mean. With "gate" (FF-OFUL) a feature is in use from the first row on in which it is marked; with "soft" all
        are in use, with `unmarked_precision` until they are marked and `marked_precision` from then on; with "ignore" all are
        in use alike.
    ridge : float, default 1.0
        The prior precision of every feature.
    noise : float, default 0.1
        The scale of the noise in y.
    norm_bound : float, default 1.0
        A bound on the norm of the true weights.
    delta : float, default 0.1
        How likely the bound of `ucb` may fail.
    marked_precision : float, optional
        With "soft", of marked features; by default the ridge.
    unmarked_precision : float, optional
        With "soft", of the others; by default 100 times the ridge.

    Notes
    -----
    `predict(X, return_std=True)` gives the standard deviation of the posterior, as GaussianProcessRegressor does with
    the kernel (noise ** 2 / ridge) * DotProduct(0) and alpha = noise ** 2.

    Examples
    --------
    >>> import numpy as np
    >>> from inkling import FeatureFeedbackRegressor
    >>> X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    >>> model = FeatureFeedbackRegressor().fit(X, [1.0, 0.0], marks=np.array([[1, 0, 0], [0, 0, 0]]))
    >>> model.predict(X).tolist()
    [0.5, 0.0]
    """

    _KEEPS = "_history"
    _model: _core.Model

    def __init__(
        self,
        *,
        marks: str = "gate",
        ridge: float = 1.0,
        noise: float = 0.1,
        norm_bound: float = 1.0,
        delta: float = 0.1,
        marked_precision: float | None = None,
        unmarked_precision: float | None = None,
    ) -> None:
        self.marks = marks
        self.ridge = ridge
        self.noise = noise
        self.norm_bound = norm_bound
        self.delta = delta
        self.marked_precision = marked_precision
        self.unmarked_precision = unmarked_precision

    def fit(self, X: Any, y: Any, marks: Any = None) -> FeatureFeedbackRegressor:
        """Learn all rows.

        Parameters
        ----------
        X : array or sparse matrix
            Rows by features.
        y : array
            The target of each row.
        marks : array, sparse matrix or list of lists, optional
            Of X's shape with entries in (0, 1], or a list of words or columns for each row.

        Returns
        -------
        FeatureFeedbackRegressor
            The estimator itself.
        """
        return self._learn(X, y, marks, True)

    def partial_fit(self, X: Any, y: Any, marks: Any = None) -> FeatureFeedbackRegressor:
        """Learn more rows: the same as `fit` on all rows so far.

        Parameters
        ----------
        X : array or sparse matrix
            As in `fit`.
        y : array
            As in `fit`.
        marks : array, sparse matrix or list of lists, optional
            As in `fit`.

        Returns
        -------
        FeatureFeedbackRegressor
            The estimator itself.
        """
        return self._learn(X, y, marks, not hasattr(self, "_model"))

    def _learn(self, X: Any, y: Any, marks: Any, is_first: bool) -> FeatureFeedbackRegressor:
        self._check_settings()
        how = {"accept_sparse": "csr", "dtype": np.float64, "y_numeric": True, "reset": is_first}
        X, y = validate_data(self, X, y, **how)
        rows = arrays_of(X)
        if is_first:
            self._start(X.shape[0], X.shape[1], marks)
        offsets, features, confidences = self._marks_of(marks, X.shape)
        if marks is not None and self._kind == "ignore" and self.marks == "gate":
            self._begin_to_gate()
        precisions = np.empty(0)
        if self._kind == "soft":
            least, most = self._precisions()
            precisions = most ** (1.0 - confidences) * least**confidences
        if self._kind == "ignore":
            offsets, features = np.zeros(X.shape[0] + 1, dtype=np.int64), np.empty(0, dtype=np.int32)
        self._learn_lesson(rows, np.array(y, dtype=np.float64), offsets, features, precisions)
        return self

    def _start(self, count: int, columns: int, marks: Any) -> None:
        self._kind = "ignore" if marks is None and self.marks == "gate" else self.marks
        least = self._precisions()[1] if self._kind == "soft" else float(self.ridge)
        self._settings = (columns, least, self._kind != "gate" and columns > LARGE and count < columns)
        self._history: list[Any] = []
        self._make()

    def _begin_to_gate(self) -> None:
        """Learns all earlier rows again, with marks from the first row on."""
        self._kind = "gate"
        self._settings = (*self._settings[:2], False)
        self._make()

    def _empty_model(self) -> _core.Model:
        model = _core.Model(*self._settings)
        if self._kind != "gate":
            model.start_with_all()
        return model

    def _teach(self, *lesson: Any) -> None:
        rows, *rest = lesson
        self._model.learn(*rows, *rest)

    def _precisions(self) -> tuple[float, float]:
        ridge = float(self.ridge)
        marked = ridge if self.marked_precision is None else float(self.marked_precision)
        unmarked = 100.0 * ridge if self.unmarked_precision is None else float(self.unmarked_precision)
        return marked, unmarked

    def _check_settings(self) -> None:
        if self.marks not in MARKS:
            raise FormatError(f"marks {self.marks!r}", "expected one of " + ", ".join(MARKS))
        bound = {"noise": self.noise, "norm_bound": self.norm_bound, "delta": self.delta}
        _core.PolicyOptions("ff-oful", {"ridge": self.ridge, **bound})
        marked, unmarked = self._precisions()
        _core.PolicyOptions("soft-marks", {"marked_precision": marked, "unmarked_precision": unmarked})
        if not marked <= unmarked:
            raise FormatError("marked_precision", "expected a number of at most unmarked_precision")

    def _predictions(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rows = arrays_of(self._fitted_rows(X))
        return self._model.predict(*rows)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict the expected y of each row.

        Parameters
        ----------
        X : array or sparse matrix
            Rows by features.
        return_std : bool, default False
            Whether to return the standard deviation of the posterior, too.

        Returns
        -------
        array or pair of arrays
            The means, or the means and the deviations.
        """
        means, widths = self._predictions(X)
        return (means, self.noise * widths) if return_std else means

    def ucb(self, X: Any) -> NDArray[np.float64]:
        """Bound the expected y of each row: mean + radius * width.

        Parameters
        ----------
        X : array or sparse matrix
            Rows by features.

        Returns
        -------
        array
            With probability 1 - delta no expected y is larger.
        """
        means, widths = self._predictions(X)
        return means + self.radius_ * widths

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = None) -> NDArray[np.float64]:
        """Draw from the posterior, as Thompson sampling does.

        Parameters
        ----------
        X : array or sparse matrix
            Rows by features.
        n_samples : int, default 1
            How many draws.
        random_state : int, RandomState or None, optional
            The seed.

        Returns
        -------
        array
            A column for each draw.
        """
        X = self._fitted_rows(X)
        seed = int(check_random_state(random_state).randint(0, 2**31 - 1))
        random = _core.RandomStream(seed, 0, _core.RandomRole.target)
        means = self.predict(X)
        draws = [means + self.noise * (X @ self._model.deviation(random)) for _ in range(n_samples)]
        return np.column_stack(draws)

    @property
    def coef_(self) -> sp.csr_array:
        """The learned weights, one row, with an entry for each feature in use."""
        return self._coef()

    @property
    def radius_(self) -> float:
        """The factor of the width in `ucb`."""
        check_is_fitted(self, "_model")
        radius = self._model.radius(float(self.noise), float(self.norm_bound), float(self.delta))
        return radius if math.isfinite(radius) else math.inf
