"""Words of a request: marks and ratings, each with its confidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from . import _checks
from ._errors import FormatError

Words = Iterable["str | int | Mapping[str, Any]"] | Mapping["str | int", float]
FeatureOf = Callable[["str | int"], int]


class WordFeedback(NamedTuple):
    """What a person said about one word, with a document or apart from any.

    Parameters
    ----------
    feature : int
        The word.
    rate : float or None, default None
        The rating of the word itself, from -1 to 1; None for a mark.
    confidence : float, default 1.0
        How sure it is, in (0, 1].

    Examples
    --------
    >>> from inkling import WordFeedback
    >>> WordFeedback(7, -1.0)
    WordFeedback(feature=7, rate=-1.0, confidence=1.0)
    """

    feature: int
    rate: float | None = None
    confidence: float = 1.0


def words_of(words: Words, feature_of: FeatureOf) -> list[WordFeedback]:
    """Words as a request has them, or a dict of words to ratings. The first mention of a word counts."""
    if isinstance(words, str):
        raise FormatError("words", f"expected a list of words or a dict to ratings, got the text {words!r}")
    if isinstance(words, Mapping):
        words = [{"word": word, "rate": rate} for word, rate in words.items()]
    first: dict[int, WordFeedback] = {}
    for number, given in enumerate(words):
        word = _word_of(f"words[{number}]", given, feature_of)
        first.setdefault(word.feature, word)
    return list(first.values())


def words_apart(words: Words, feature_of: FeatureOf) -> list[WordFeedback]:
    """Words without a document: at least one, and a word alone is rated 1."""
    rated = [word if word.rate is not None else word._replace(rate=1.0) for word in words_of(words, feature_of)]
    if not rated:
        raise FormatError("words", "expected at least one word")
    return rated


def _word_of(name: str, given: Any, feature_of: FeatureOf) -> WordFeedback:
    if not isinstance(given, Mapping):
        return WordFeedback(feature_of(given))
    if "word" not in given or len(given) == 1 or not given.keys() <= {"word", "rate", "confidence"}:
        raise FormatError(name, "expected the members word, and rate, confidence or both")
    rate = _checks.real(f"{name}.rate", given["rate"]) if "rate" in given else None
    return WordFeedback(feature_of(given["word"]), rate, _checks.real(f"{name}.confidence", given.get("confidence", 1.0)))
