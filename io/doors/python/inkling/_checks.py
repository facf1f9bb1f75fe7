"""Checks of arguments: a number for the engine, or an error that says what was expected."""

from __future__ import annotations

import math
import operator
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_DOCUMENTS = 2**31 - 1


def whole(name: str, value: Any, least: int, most: int) -> int:
    """An int within limits; floats are refused, NumPy's integers accepted."""
    try:
        number = operator.index(value)
    except TypeError:
        raise FormatError(name, f"expected a whole number, got {value!r}") from None
    if isinstance(value, (bool, np.bool_)) or not least <= number <= most:
        raise FormatError(name, f"expected a whole number from {least} to {most}, got {value!r}")
    return number


def document(value: Any, documents: int) -> int:
    """The row of a document."""
    try:
        number = operator.index(value)
    except TypeError:
        raise FormatError(f"document {value!r}", "expected the number of a row") from None
    if not 0 <= number < documents:
        raise FormatError(f"document {number}", f"expected a document from 0 to {documents - 1}")
    return number


def documents(values: Any, documents: int) -> NDArray[np.int32]:
    """The rows of documents; those of an array are checked at once."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu":
        if values.size == 0 or (values.min() >= 0 and values.max() < documents):
            return np.ascontiguousarray(values, dtype=np.int32)
    return np.array([document(value, documents) for value in values], dtype=np.int32)


def mask(name: str, given: Any, documents: int) -> NDArray[np.bool_]:
    """Which documents are meant, by a mask or by their rows."""
    values = np.asarray(given)
    if values.ndim != 1 or (values.size and values.dtype.kind not in "biu"):
        raise FormatError(name, "expected a mask or a list of documents")
    if values.dtype == np.bool_:
        return np.ascontiguousarray(values)
    if values.size and not (0 <= values.min() and values.max() < documents):
        raise FormatError(name, f"expected documents from 0 to {documents - 1}")
    found = np.zeros(documents, dtype=np.bool_)
    found[values.astype(np.int64)] = True
    return found


def real(name: str, value: Any) -> float:
    """A finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise FormatError(name, f"expected a number, got {value!r}") from None
    if not math.isfinite(number):
        raise FormatError(name, f"expected a finite number, got {value!r}")
    return number


def refuse_one_text(texts: Any) -> None:
    """One text in place of several would be read as its characters."""
    if isinstance(texts, (str, bytes)):
        raise FormatError("texts", "expected a list of texts, got one text")


def seed_of(random_state: Any) -> int:
    """64 bits from what scikit-learn calls a random state."""
    if random_state is None:
        return int.from_bytes(os.urandom(8), "little")
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**64, dtype=np.uint64))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**63, dtype=np.int64))
    return whole("random_state", random_state, 0, 2**64 - 1)


def threads_of(n_jobs: Any) -> int:
    """The number of threads that joblib would take; 0 for None."""
    if n_jobs is None:
        return 0
    number = whole("n_jobs", n_jobs, -1024, 1024)
    if number == 0:
        raise FormatError("n_jobs", "expected a number of threads, or -1 for all; got 0")
    if number > 0:
        return number
    from ._core import available_threads

    return max(1, available_threads() + 1 + number)


def bytes_of(memory: Any) -> int:
    """A number of bytes, or text such as "512M" or "2G"."""
    if not isinstance(memory, str):
        return whole("memory", memory, 1, 2**62)
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    text = memory.strip().upper().removesuffix("B")
    shift = units.get(text[-1:], 0)
    number = text[:-1] if shift else text
    if not number.isdecimal() or int(number) == 0 or int(number) > 2**40:
        raise FormatError("memory", f'expected bytes as a number or as text such as "1G", got {memory!r}')
    return int(number) << shift


def path_of(name: str, path: Any) -> str:
    """A path as text."""
    try:
        text = os.fspath(path)
    except TypeError:
        raise FormatError(name, f"expected a path, got {path!r}") from None
    text = os.fsdecode(text)
    if not text or "\0" in text:
        raise FormatError(name, f"expected a path, got {text!r}")
    return text
