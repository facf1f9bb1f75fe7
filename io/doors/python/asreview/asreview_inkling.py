"""Inkling in ASReview: its default policy as a classifier, and its words as a feature extractor."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from inkling import FeatureFeedbackClassifier, Pool
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin

__all__ = ["METADATA", "Inkling", "InklingWords"]


class InklingWords(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Words, and pairs of words, weighed as Inkling weighs them; those of a title count more than once.

    Parameters
    ----------
    columns : list of str, default ["title", "abstract"]
        What is read of a record, the title first.
    """

    name = "inkling-words"
    label = "Inkling's words"

    def __init__(self, columns: Any = ("title", "abstract")) -> None:
        self.columns = columns

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Make a matrix of records by words."""
        columns = list(self.columns)
        return Pool.from_frame(X[columns].fillna(""), text=columns).X


class Inkling(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A ridge regression that learns each record as it is labelled.

    ASReview gives `fit` all labelled records in every cycle. Those that were learned in the cycle before are not learned again.
    All records together are the background: a record that nobody has read is presumed to be irrelevant.
    """

    name = "inkling"
    label = "Inkling"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Inkling:
        """Take the labelled records; weights of a balancer are ignored, because the rarer label weighs more anyway."""
        self.classes_ = np.array([0, 1])
        self._rows, self._labels = sp.csr_array(X), np.asarray(y, dtype=int)
        return self

    def decision_function(self, X: Any) -> Any:
        """Score records that are not labelled."""
        pool = sp.csr_array(X)
        count, records = len(self._labels), len(self._labels) + pool.shape[0]
        known = self._known(records)
        if known == 0:
            self._model = FeatureFeedbackClassifier(background=sp.vstack([self._rows, pool], format="csr"))
        if known < count:
            self._model.partial_fit(self._rows[known:], self._labels[known:], classes=self.classes_)
        self._learned = self._rows, self._labels, records
        return pool @ self._model.coef_.toarray()[0] + self._model.intercept_[0]

    def _known(self, records: int) -> int:
        """How many of the labelled records were learned; 0 where others were, or in another collection."""
        rows, labels, before = getattr(self, "_learned", (None, None, 0))
        if records != before or rows.shape[1] != self._rows.shape[1]:
            return 0
        learned, given = ((X.indptr, X.indices, X.data, y) for X, y in ((rows, labels), (self._rows, self._labels)))
        return len(labels) if all(map(_begins_with, given, learned)) else 0

    def predict(self, X: Any) -> Any:
        """Say which records are relevant."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


# What ASReview LAB calls them.
METADATA = {
    "classifiers": {Inkling.name: {"label": Inkling.label}},
    "feature_extractors": {InklingWords.name: {"label": InklingWords.label}},
}


def _begins_with(given: Any, learned: Any) -> bool:
    return np.array_equal(given[: len(learned)], learned)
