"""SciPy's matrices as the engine takes them: borrowed, or copied once."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _checks
from ._errors import FormatError


def canonical_csr(X: Any, copy: bool | str) -> Any:
    """The matrix itself if it can be borrowed, else a copy that can."""
    import scipy.sparse

    if not (isinstance(copy, (bool, np.bool_)) or copy == "auto"):
        raise FormatError(f"copy {copy!r}", "expected True, False or 'auto'")
    if not scipy.sparse.issparse(X):
        raise FormatError(
            "X", f"expected a SciPy CSR matrix, got {type(X).__name__}; scipy.sparse.csr_array(X) makes one"
        )
    if X.ndim != 2:
        raise FormatError("X", f"expected a matrix, got {X.ndim} dimensions")
    if X.dtype.kind not in "bfiu":
        raise FormatError("X.data", f"expected numbers, got {X.dtype}")
    _check_integers(X)
    obstacle = _obstacle(X)
    if obstacle is None and copy is not True:
        return X
    if obstacle is not None and copy is False:
        raise FormatError(f"X.{obstacle[0]}", f"expected {obstacle[1]} to borrow it; copy='auto' copies it")
    if X.shape[1] > _checks.MOST_DOCUMENTS:
        raise FormatError("X", f"expected at most {_checks.MOST_DOCUMENTS} columns")
    if X.format in ("csr", "csc"):
        _check_structure(X)
    with np.errstate(over="ignore"):
        rows = scipy.sparse.csr_array(X.tocsr(), copy=True).astype(np.float32)
    rows.sum_duplicates()
    rows.indices = rows.indices.astype(np.int32, copy=False)
    return rows


def _check_integers(X: Any) -> None:
    for name in ("indptr", "indices"):
        numbers = getattr(X, name, None)
        if isinstance(numbers, np.ndarray) and numbers.dtype.kind not in "iu":
            raise FormatError(f"X.{name}", f"expected integers, got {numbers.dtype}")


def _obstacle(X: Any) -> tuple[str, str] | None:
    if X.format != "csr":
        return "format", f"csr instead of {X.format}"
    if X.data.dtype != np.float32 or not X.data.flags.c_contiguous or not X.data.dtype.isnative:
        return "data", f"float32 values side by side instead of {X.data.dtype}"
    if X.indices.dtype != np.int32 or not X.indices.flags.c_contiguous:
        return "indices", f"int32 indices side by side instead of {X.indices.dtype}"
    if X.data.size != X.indices.size or (X.indptr.size and X.indptr[-1] != X.data.size):
        return "data", "as many values as the last of indptr says"
    _check_structure(X)
    if not X.has_canonical_format:
        return "indices", "sorted indices, each once in a row"
    return None


def _check_structure(X: Any) -> None:
    """Checks that SciPy's own routines will not read outside of the arrays."""
    offsets = X.indptr
    rows, columns = X.shape if X.format == "csr" else X.shape[::-1]
    # Compared, not subtracted: a difference of two numbers of 32 bits may overflow.
    is_list = offsets.ndim == 1 and offsets.size == rows + 1
    if not is_list or offsets[0] != 0 or np.any(offsets[1:] < offsets[:-1]):
        raise FormatError("X.indptr", "expected numbers that begin at 0 and never fall, one more than rows")
    held = min(X.indices.size, X.data.size)
    if offsets[-1] > held:
        raise FormatError("X.indptr", f"expected at most {held} at the end, got {offsets[-1]}")
    used = X.indices[: offsets[-1]]
    if used.size and (used.min() < 0 or used.max() >= columns):
        raise FormatError("X.indices", f"expected features from 0 to {columns - 1}")
