"""Words as a person says them: marks with confidences, and ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from . import _checks
from ._errors import FormatError

Marks = Iterable["str | int"] | Mapping["str | int", float] | str
Ratings = Iterable["str | int"] | Mapping["str | int", "float | tuple[float, float]"]
FeatureOf = Callable[["str | int"], int]
Rated = list[tuple[int, float, float]]  # feature, rating, confidence


def words_of_document(
    marks: Marks, confidences: Iterable[float] | None, words: Ratings, feature_of: FeatureOf
) -> tuple[list[int], list[float], Rated]:
    """Marks, their confidences or none, and ratings; a word is in one of the two."""
    if isinstance(marks, str):
        raise FormatError("marks", f"expected a list of words, got the text {marks!r}")
    if isinstance(marks, Mapping) and confidences is None:
        confidences = marks.values()
    named: Any = marks.tolist() if isinstance(marks, np.ndarray) else marks
    features = [feature_of(mark) for mark in named]
    sure = [] if confidences is None else [_checks.real("confidence", value) for value in confidences]
    if sure and len(sure) != len(features):
        raise FormatError("confidences", "expected one for each mark, or none")
    rated = rated_words(words, feature_of) if words else []
    repeated = set(features).intersection(feature for feature, _, _ in rated)
    if repeated:
        raise FormatError(f"feature {min(repeated)}", "expected a mark or a rating, got both")
    return features, sure, rated


def rated_words(words: Ratings, feature_of: FeatureOf) -> Rated:
    """A list, where each is good, or a dict to ratings, with confidences or without."""
    if isinstance(words, str):
        raise FormatError("words", f"expected a list of words or a dict to ratings, got the text {words!r}")
    pairs = words.items() if isinstance(words, Mapping) else [(word, 1.0) for word in words]
    rated = [(feature_of(word), *_checks.rating(f"the rating of {word!r}", said)) for word, said in pairs]
    if len({feature for feature, _, _ in rated}) < len(rated):
        raise FormatError("words", "expected each word once")
    return rated
