"""What Inkling raises: each is a ValueError or an ArithmeticError; what the system refuses is an OSError."""

from __future__ import annotations


class FormatError(ValueError):
    """Something given is not what it must be.

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
    """


class UnknownWordError(FormatError, KeyError):
    """A word that the pool does not have.

    Parameters
    ----------
    where : str
        The word.
    expectation : str
        The nearest words of the pool.
    """


class NothingLeftError(FormatError):
    """There is no document left to choose.

    Parameters
    ----------
    where : str
        What was asked for.
    expectation : str
        What would have been needed.
    """


class NumericalError(ArithmeticError):
    """A computation left the numbers it can trust."""
