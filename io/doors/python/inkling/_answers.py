"""What a session returns: a choice, an event, an explanation, how many good documents are left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._words import WordFeedback

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._session import Session


PARTS: list[tuple[str, str]] = [
    ("word", "O"),
    ("feature", "i4"),
    *((name, "f8") for name in ("value", "weight", "contribution", "deviation", "width_share")),
]


class Choice:
    """A document on offer, and how it was chosen.

    `Session.next` and `Session.choose` make them. `explored` says whether it was drawn at random, out of how many (`among`), with
    which probability (`propensity`; None if it is not known). `mean`, `width` and `radius` are those when it was chosen, or None.

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
    >>> choice = ink.Session(pool, random_state=1).next()
    >>> choice.round, choice.explored, choice.among
    (1, True, 3)
    """

    __slots__ = ("_session", "among", "document", "explored", "mean", "propensity", "radius", "round", "width")

    document: int
    round: int
    explored: bool
    among: int
    propensity: float | None  # None if it is not known, as with Thompson sampling
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
        """The fields of its record: title, authors, year, DOI and others."""
        found: dict[str, Any] = self._session.pool.fields(self.document)
        return found

    def __repr__(self) -> str:
        how = "at random" if self.explored else "chosen"
        if not self.explored and self.mean is not None and self.width is not None:
            how = f"mean {self.mean:.4g}, width {self.width:.4g}"
        return f"<Choice of document {self.document} in round {self.round}: {how}>"

    def _repr_html_(self) -> str:
        from ._html import choice_html

        return choice_html(self)


class Event(NamedTuple):
    """An event of a session that holds.

    Parameters
    ----------
    kind : str
        As the request `events` has it: shown, rated, marked (words, of a document or apart from any), forgot (a word was
        unmarked), skipped, sampled, noted, aimed or closed.
    document : int
        The document; -1 if it is about none.
    reward : float
        How good it was; nan of other kinds than rated.
    words : list of WordFeedback
        Its marks and ratings of words; of the kind forgot, the word that was taken out.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> ink.Session(pool, random_state=1).rate(0, 1.0, [2]).events()
    [Event(kind='rated', document=0, reward=1.0, words=[WordFeedback(feature=2, rate=None, confidence=1.0)])]
    """

    kind: str
    document: int
    reward: float
    words: list[WordFeedback]


class Explanation:
    """Why a document has its score.

    `Session.why` makes them. `words` is an array with a line for each word in use that the document holds. Their contributions,
    `base`, which is the same for every document, and `vector`, the part of the document's vector, add up to the mean.

    Parameters
    ----------
    session : Session
        The session.
    document : int
        The document.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> session = ink.Session(pool, random_state=1).rate(0, 1, ["soil"])
    >>> session.why(2).words["word"].tolist()
    ['soil', 'and', 'compost']
    """

    def __init__(self, session: Session, document: int) -> None:
        self._pool = session.pool
        self.document = document
        self.mean, self.width, self.base, self.vector, self.radius, parts = session._core.why(document)
        names = [(session.pool.word(part[0]), *part) for part in parts]
        self.words: NDArray[np.void] = np.array(names, dtype=PARTS)

    @property
    def score(self) -> float:
        """Mean + radius * width."""
        return self.mean + (self.radius or 0.0) * self.width

    def __repr__(self) -> str:
        words = ", ".join(f"{part['word']} {part['contribution']:+.3g}" for part in self.words[:5])
        return f"<Explanation of document {self.document}: mean {self.mean:.4g} = {words or 'nothing known'}>"

    def _repr_html_(self) -> str:
        from ._html import explanation_html

        return explanation_html(self)


class GoodLeft(NamedTuple):
    """How many good documents are left.

    Parameters
    ----------
    about : float
        The estimate by the random draws.
    at_most : int
        The bound, which holds with this confidence.
    confidence : float
        As requested.
    draws : int
        How many documents were drawn at random.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> ink.Session(pool, random_state=1).good_left().at_most
    3
    """

    about: float
    at_most: int
    confidence: float
    draws: int
