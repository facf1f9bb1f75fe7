"""What a session answers with: a choice, an explanation, an estimate, a line of its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._session import Session


PARTS: list[tuple[str, str]] = [
    ("word", "O"),
    ("feature", "i4"),
    *((name, "f8") for name in ("value", "weight", "contribution", "uncertainty", "width_share")),
]


class Choice:
    """A document that was chosen, and how.

    `Session.choose` makes them. `explored` says whether it was at random, out of how many (`among`), with which probability
    (`pscore`; None where nobody knows it); `mean`, `width` and `radius` are those of that time, where there are such.

    Parameters
    ----------
    core : object
        What the engine chose.
    session : Session
        The session that chose.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> choice = ink.Session(pool, random_state=1).choose()
    >>> choice.round, choice.explored, choice.among
    (1, True, 3)
    """

    __slots__ = ("_session", "among", "document", "explored", "mean", "pscore", "radius", "round", "width")

    document: int
    round: int
    explored: bool
    among: int
    pscore: float | None  # None where nobody knows (Thompson sampling)
    mean: float | None
    width: float | None
    radius: float | None

    def __init__(self, core: _core.Choice, session: Session) -> None:
        for name in self.__slots__[1:]:
            setattr(self, name, getattr(core, name))
        self._session = session

    @property
    def text(self) -> str:
        """The document as it was read."""
        return self._session.pool.text(self.document)

    @property
    def fields(self) -> dict[str, Any]:
        """What its record held beside the text: title, authors, year, DOI, ..."""
        found: dict[str, Any] = self._session.pool.fields(self.document)
        return found

    def __repr__(self) -> str:
        how = (
            "at random"
            if self.explored
            else f"mean {self.mean:.4g}, width {self.width:.4g}"
            if self.mean is not None and self.width is not None
            else "chosen"
        )
        return f"<Choice of document {self.document} in round {self.round}: {how}>"

    def _repr_html_(self) -> str:
        from ._html import choice_html

        return choice_html(self)


class Event(NamedTuple):
    """An event of a session that holds.

    Parameters
    ----------
    kind : str
        One of chosen, observed, forgot, skipped, words, sampled, or marked: words that another door added to a document.
    document : int
        The document; -1 where there is none.
    reward : float
        How good it was; nan of other kinds.
    marks : list of int
        Features that were marked.
    words : dict of int to float
        Ratings of words: of a document or, where the kind is words, apart from any.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> ink.Session(pool, random_state=1).observe(0, 1.0, [2]).events()
    [Event(kind='observed', document=0, reward=1.0, marks=[2], words={})]
    """

    kind: str
    document: int
    reward: float
    marks: list[int]
    words: dict[int, float]


class Explanation:
    """Why a document has the score it has.

    `Session.explain` makes them. `words` is an array with a line for each word in use that the document holds. Their
    contributions and `base`, which every document has, add up to the mean.

    Parameters
    ----------
    session : Session
        The session that is asked.
    document : int
        The document.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> session = ink.Session(pool, random_state=1).observe(0, 1, ["soil"])
    >>> session.explain(2).words["word"].tolist()
    ['soil', 'and', 'compost']
    """

    def __init__(self, session: Session, document: int) -> None:
        self._pool = session.pool
        self.document = document
        self.mean, self.width, self.base, self.radius, parts = session._core.explain(document)
        names = [(session.pool.word(part[0]), *part) for part in parts]
        self.words: NDArray[np.void] = np.array(names, dtype=PARTS)

    @property
    def ucb(self) -> float:
        """The score: mean + radius * width."""
        return self.mean + (self.radius or 0.0) * self.width

    def __repr__(self) -> str:
        words = ", ".join(f"{part['word']} {part['contribution']:+.3g}" for part in self.words[:5])
        return f"<Explanation of document {self.document}: mean {self.mean:.4g} = {words or 'nothing known'}>"

    def _repr_html_(self) -> str:
        from ._html import explanation_html

        return explanation_html(self)


class Estimate(NamedTuple):
    """How many good documents are left.

    Parameters
    ----------
    about : float
        What the draws make likely.
    at_most : int
        The bound, which holds with this confidence.
    confidence : float
        As it was asked for.
    draws : int
        How many documents were drawn at random.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> ink.Session(pool, random_state=1).estimate_remaining().at_most
    3
    """

    about: float
    at_most: int
    confidence: float
    draws: int
