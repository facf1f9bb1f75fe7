"""What Inkling raises: each is a ValueError or an ArithmeticError. Errors of the system are an OSError."""

from __future__ import annotations


class FormatError(ValueError):
    """An argument or a file is not valid.

    Parameters
    ----------
    where : str
        Where it is: the name of an argument, a file, a place in a file.
    expectation : str
        What was expected there.

    Examples
    --------
    >>> import inkling as ink
    >>> try:
    ...     ink.Session(ink.Pool.from_text(["soil and rain"]), policy="fast")
    ... except ink.FormatError as error:
    ...     print(error.where)
    policy 'fast'
    """

    def __init__(self, where: str, expectation: str) -> None:
        super().__init__(where, expectation)
        self.where = where
        self.expectation = expectation

    def __str__(self) -> str:
        return f"{self.where}: {self.expectation}"


class CorruptFileError(FormatError):
    """A pool on disk is not what was written.

    Parameters
    ----------
    where : str
        The file.
    expectation : str
        What was expected there.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import inkling as ink
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "pool"
    >>> ink.Pool.from_text(["soil and rain"]).save(folder)
    >>> _ = (folder / "data.npy").write_bytes(b"")
    >>> try:
    ...     ink.Pool.open(folder)
    ... except ink.CorruptFileError as error:
    ...     print(pathlib.Path(error.where).name)
    data.npy
    """


class UnknownWordError(FormatError, KeyError):
    """A word that the pool does not have.

    Parameters
    ----------
    where : str
        The word.
    expectation : str
        The nearest words of the pool.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["soil and rain"])
    >>> try:
    ...     pool.feature("soils")
    ... except ink.UnknownWordError as error:
    ...     print(error)
    the word 'soils': expected a word of the pool; did you mean 'soil'?
    """


class NothingLeftError(FormatError):
    """There is no document left to choose.

    Parameters
    ----------
    where : str
        The method.
    expectation : str
        What it needs.

    Examples
    --------
    >>> import inkling as ink
    >>> session = ink.Session(ink.Pool.from_text(["soil and rain"])).rate(0, 1.0)
    >>> try:
    ...     session.choose()
    ... except ink.NothingLeftError as error:
    ...     print("all is read")
    all is read
    """


class NumericalError(ArithmeticError):
    """A result is not a finite number.

    Examples
    --------
    >>> import numpy as np
    >>> import inkling as ink
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.eye(2, dtype=np.float32))
    >>> session = ink.Session(ink.Pool.from_csr(rows, copy=False), "oful")
    >>> rows.data[:] = np.nan  # the pool borrows these values
    >>> try:
    ...     session.rate(0, 1.0).ranking()
    ... except ink.NumericalError as error:
    ...     print(error)
    a row holds nan at position 0; expected finite values
    """
