"""The arguments that make a pool, checked: recipe, texts, names, words."""

from __future__ import annotations

import inspect
import json
import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypedDict

import numpy as np

from . import _checks, _core
from ._errors import FormatError


class RecipeOptions(TypedDict, total=False):
    """How texts become a matrix, as `Pool.from_text` says; `recipe_of` has the defaults."""

    like_scikit_learn: bool
    lowercase: bool
    strip_accents: str | None
    token_pattern: str | None
    stop_words: str | Iterable[str] | None
    ngram_range: tuple[int, int] | None
    min_df: float
    min_df_runs: int | None
    max_df: float | None
    max_features: int | None
    vocabulary: Iterable[str] | None
    like: Any
    sublinear_tf: bool | None
    binary: bool
    use_idf: bool
    smooth_idf: bool
    norm: str | None
    keep_text: bool
    keep_duplicates: bool
    same_by: str | Iterable[str] | None
    vectors: Any
    memory: int | str
    n_jobs: int | None


def recipe_of(
    title_weight: Any = None,
    *,
    like_scikit_learn: bool = False,
    lowercase: bool = True,
    strip_accents: str | None = None,
    token_pattern: str | None = None,
    stop_words: Any = None,
    ngram_range: Any = None,
    min_df: Any = 1,
    min_df_runs: Any = None,
    max_df: Any = None,
    max_features: Any = None,
    vocabulary: Any = None,
    like: Any = None,
    sublinear_tf: bool | None = None,
    binary: bool = False,
    use_idf: bool = True,
    smooth_idf: bool = True,
    norm: Any = "l2",
    keep_text: bool = True,
    keep_duplicates: bool = False,
    same_by: Any = None,
    vectors: Any = None,
    memory: Any = "1G",
    n_jobs: Any = None,
) -> _core.Recipe:
    """An argument that is None keeps the default of the engine."""
    given = dict(locals())
    recipe = _core.Recipe()
    if vectors is not None:
        bring_vectors(recipe, vectors)
    if like is not None:
        _refuse_beside_like(given)
        if not hasattr(like, "_core"):
            raise FormatError("like", f"expected an inkling.Pool, got {type(like).__name__}")
        recipe.like(like._core)
        recipe.memory, recipe.threads = _checks.bytes_of(memory), _checks.threads_of(n_jobs)
        return recipe
    if like_scikit_learn:
        recipe.like_scikit_learn()
    recipe.lowercase(bool(lowercase))
    if strip_accents not in (None, "unicode", "ascii"):
        raise FormatError(f"strip_accents {strip_accents!r}", "expected 'unicode', 'ascii' or None")
    recipe.strip_accents("keep" if strip_accents is None else strip_accents)
    if token_pattern is not None:
        recipe.tokens(*tokens_of(token_pattern))
    recipe.stop_words(stop_words_of(stop_words))
    if ngram_range is not None:
        recipe.ngrams(*ngrams_of(ngram_range))
    if title_weight is not None:
        recipe.title_weight(_checks.whole("title_weight", title_weight, 1, _core.MOST_TITLE_WEIGHT))
    recipe.min_df(*share_of("min_df", min_df))
    if min_df_runs is not None:
        recipe.min_df_runs(_checks.whole("min_df_runs", min_df_runs, 1, 2**31 - 1))
    if max_df is not None:
        recipe.max_df(*share_of("max_df", max_df))
    if max_features is not None:
        recipe.max_features(_checks.whole("max_features", max_features, 1, 2**31 - 1))
    if vocabulary is not None:
        words = [text_of("vocabulary", number, word) for number, word in enumerate(vocabulary)]
        if not words:
            raise FormatError("vocabulary", "expected at least one word, got none")
        recipe.vocabulary(words)
    if binary or sublinear_tf is not None:
        recipe.weight("binary" if binary else "sublinear" if sublinear_tf else "raw")
    recipe.idf("none" if not use_idf else "smooth" if smooth_idf else "plain")
    if norm not in ("l1", "l2", None):
        raise FormatError(f"norm {norm!r}", "expected 'l2', 'l1' or None")
    recipe.norm("none" if norm is None else norm)
    recipe.keep_text(bool(keep_text))
    if same_by is not None or keep_duplicates:
        recipe.same_by("none" if keep_duplicates else rules_of(same_by))
    recipe.memory = _checks.bytes_of(memory)
    recipe.threads = _checks.threads_of(n_jobs)
    return recipe


def _refuse_beside_like(given: Mapping[str, Any]) -> None:
    """A pool that is followed decides all but what a build takes."""
    own = ("like", "vectors", "memory", "n_jobs")
    parameters = inspect.signature(recipe_of).parameters
    others = [name for name, value in given.items() if name not in own and value != parameters[name].default]
    if others:
        raise FormatError("like", f"expected no {' and no '.join(others)} beside it: the other pool has them")


def tokens_of(pattern: Any) -> tuple[str, int]:
    """The rule and the least length of words that a pattern of scikit-learn means, of those that the engine has."""
    found = re.fullmatch(r"(?:\(\?u\))?(?:\\b)?(?P<each>\\w|\[a-z\])(?:(?P<more>(?P=each)*)\+|\{(?P<least>[1-9]\d{0,2}),\})(?:\\b)?", str(pattern))
    if found is None:
        raise FormatError(
            f"token_pattern {pattern!r}",
            r"expected words of some length, such as r'(?u)\b\w\w+\b' or r'[a-z]{3,}'; "
            "for other tokens count them yourself (scikit-learn's CountVectorizer) and use Pool.from_csr",
        )
    each = found["each"]
    least = int(found["least"]) if found["least"] else 1 + len(found["more"]) // len(each)
    return ("words" if each == r"\w" else "letters"), least


def bring_vectors(recipe: _core.Recipe, given: Any) -> None:
    """A path of a .npy file, or anything that NumPy makes a matrix of, with a row for each document."""
    if isinstance(given, (str, os.PathLike)):
        recipe.vectors_in_file(_checks.path_of("vectors", given))
        return
    matrix = np.ascontiguousarray(given)
    if matrix.ndim != 2:
        raise FormatError("vectors", f"expected two dimensions, a row for each document; found {matrix.ndim}")
    recipe.vectors("vectors", matrix.dtype.str, matrix.reshape(-1).view(np.uint8), *matrix.shape)


def rules_of(given: Any) -> str:
    return given if isinstance(given, str) else ",".join(map(str, given)) or "none"


def ngrams_of(given: Any) -> tuple[int, int]:
    try:
        first, last = given
    except (TypeError, ValueError):
        raise FormatError("ngram_range", f"expected two numbers, got {given!r}") from None
    least = _checks.whole("ngram_range", first, -(2**31), 2**31 - 1)
    return least, _checks.whole("ngram_range", last, 1, 2**31 - 1)


def stop_words_of(given: Any) -> list[str]:
    if given is None:
        return []
    if isinstance(given, str):
        if given != "english":
            raise FormatError(f"stop_words {given!r}", "expected 'english', a list of words or None")
        return _core.english_stop_words()
    words = [text_of("stop_words", number, word) for number, word in enumerate(given)]
    return sorted(set(words))


def share_of(name: str, value: Any) -> tuple[bool, float]:
    """A float is a share, an int a number of documents, as in scikit-learn."""
    if isinstance(value, (bool, np.bool_)):
        raise FormatError(name, f"expected a number of documents or a share, got {value!r}")
    if isinstance(value, (float, np.floating)):
        if not 0.0 <= value <= 1.0:
            raise FormatError(name, f"expected a share from 0.0 to 1.0, got {value!r}")
        return True, float(value)
    return False, float(_checks.whole(name, value, 0, 2**31 - 1))


def text_of(name: str, number: int, text: Any) -> str:
    if not isinstance(text, str):
        raise FormatError(f"{name}[{number}]", f"expected text, got {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FormatError(f"{name}[{number}]", "expected text without half a surrogate pair") from None
    return text


def size_of(texts: Iterable[str]) -> int:
    """The size of the texts in characters, or 0 if they come one by one."""
    return sum(len(text) for text in texts if isinstance(text, str)) if isinstance(texts, Collection) else 0


def documents_of(
    texts: Iterable[str],
    ids: Iterable[str] | None,
    labels: Iterable[str | None] | None,
    fields: Iterable[Mapping[str, Any] | None] | None = None,
) -> Iterator[tuple[str, str, str, str, int]]:
    """Tuples for the engine: text, id, label, fields as JSON, and how many bytes of the text are its title."""
    missing = object()
    given = {"ids": ids, "labels": labels, "fields": fields}
    others = {name: None if values is None else iter(values) for name, values in given.items()}
    number = -1
    for number, text in enumerate(iter(texts)):
        here = {name: None if values is None else next(values, missing) for name, values in others.items()}
        for name, value in here.items():
            if value is missing:
                raise FormatError(name, "expected one for each text, got fewer")
        if not isinstance(text, str):
            raise FormatError(f"texts[{number}]", f"expected text, got {type(text).__name__}")
        yield (
            text,
            "" if ids is None else text_of("ids", number, here["ids"]),
            "" if here["labels"] is None else text_of("labels", number, here["labels"]),
            *fields_of(number, text, here["fields"]),
        )
    for name, values in others.items():
        if values is not None and next(values, missing) is not missing:
            raise FormatError(name, f"expected one for each of {number + 1} texts, got more")


def fields_of(number: int, text: str, given: Any) -> tuple[str, int]:
    """The fields as JSON without empty ones, and the bytes of the title if the text begins with it, else 0."""
    if given is None:
        return "", 0
    if not isinstance(given, Mapping):
        raise FormatError(f"fields[{number}]", f"expected names and values, got {type(given).__name__}")
    values = {text_of("fields", number, name): plain_value(value) for name, value in given.items()}
    kept = {name: value for name, value in values.items() if value is not None}
    title = kept.get("title")
    is_title = isinstance(title, str) and title != "" and text.startswith(title + "\n")
    line = json.dumps(kept, ensure_ascii=True, allow_nan=False) if kept else ""
    return line, len(str(title).encode()) if is_title else 0


def plain_value(value: Any) -> Any:
    """A value for JSON: numbers of NumPy as numbers, NaN as None, bytes as UTF-8, dates and the like as text."""
    if value is None or type(value) in (str, int, bool):  # most are
        return value
    if isinstance(value, np.ndarray):
        value = list(value)
    if isinstance(value, (list, tuple)):
        return [plain_value(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): plain_value(one) for name, one in value.items()}
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise FormatError("bytes", "expected text as UTF-8, found other bytes") from None
    if isinstance(value, (np.datetime64, np.timedelta64)) and isinstance(value.item(), int):
        value = value.astype(f"{value.dtype.kind}8[us]")  # Python's own have no nanoseconds
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    text = str(value)
    return None if text in ("NaT", "<NA>") else text


def strings_of(name: str, given: Iterable[str] | None, count: int) -> list[str] | None:
    if given is None:
        return None
    if isinstance(given, str):
        raise FormatError(name, "expected a list, got one text")
    strings = [text_of(name, number, text) for number, text in enumerate(given)]
    if len(strings) != count:
        raise FormatError(name, f"expected {count}, one for each document, got {len(strings)}")
    return strings


def names_of(vocabulary: Any, features: int) -> list[str] | None:
    if vocabulary is None:
        return None
    if isinstance(vocabulary, Mapping):
        names: list[Any] = [None] * features
        for word, feature in vocabulary.items():
            number = _checks.whole(f"vocabulary[{word!r}]", feature, 0, features - 1)
            if names[number] is not None:
                expectation = f"expected a feature of its own, got that of {names[number]!r}"
                raise FormatError(f"vocabulary[{word!r}]", expectation)
            names[number] = word
        if None in names:
            expectation = f"expected a word for each of {features} features; {names.index(None)} has none"
            raise FormatError("vocabulary", expectation)
        vocabulary = names
    if isinstance(vocabulary, str):
        raise FormatError("vocabulary", "expected a list of words, got one text")
    words = [text_of("vocabulary", number, word) for number, word in enumerate(vocabulary)]
    if len(words) != features:
        raise FormatError("vocabulary", f"expected {features} words, one for each feature, got {len(words)}")
    if len(set(words)) != len(words):
        seen: set[str] = set()
        for word in words:
            if word in seen:
                raise FormatError("vocabulary", f"expected each word once, got {word!r} again")
            seen.add(word)
    return words
