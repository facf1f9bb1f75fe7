"""Inkling finds what a person wants in a large collection of documents, from ratings and marked words.

>>> import inkling as ink
>>> pool = ink.Pool.from_text(["dig the soil", "the sea is cold", "soil and compost", "a cold wind"])
>>> session = ink.Session(pool, random_state=1)
>>> choice = session.choose()
>>> session = session.observe(choice.document, 1, ["soil"])
>>> explanation = session.explain(session.choose().document)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._answers import Choice, Estimate, Event, Explanation
from ._errors import CorruptFileError, FormatError, NothingLeftError, NumericalError, UnknownWordError
from ._obp import to_obp
from ._pool import Pool, Token
from ._score import ScoreTable, score
from ._session import Session
from ._settings import DEFAULT_POLICY, POLICIES
from ._simulate import Simulation, simulate

if TYPE_CHECKING:
    from ._regressor import FeatureFeedbackRegressor

__version__: str = _core.version

__all__ = [
    "DEFAULT_POLICY",
    "POLICIES",
    "Choice",
    "CorruptFileError",
    "Estimate",
    "Event",
    "Explanation",
    "FeatureFeedbackRegressor",
    "FormatError",
    "NothingLeftError",
    "NumericalError",
    "Pool",
    "ScoreTable",
    "Session",
    "Simulation",
    "Token",
    "UnknownWordError",
    "score",
    "simulate",
    "to_obp",
]


def __getattr__(name: str) -> Any:
    """The estimator needs scikit-learn, which takes long to import: only when it is asked for."""
    if name == "FeatureFeedbackRegressor":
        from ._regressor import FeatureFeedbackRegressor

        return FeatureFeedbackRegressor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
