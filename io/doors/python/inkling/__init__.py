"""Inkling finds what a person wants in a large collection of documents, from ratings and marked words.

>>> import inkling as ink
>>> pool = ink.Pool.from_text(["dig the soil", "the sea is cold", "soil and compost", "a cold wind"])
>>> session = ink.Session(pool, random_state=1)
>>> choice = session.next()
>>> session = session.rate(choice.document, 1, ["soil"])
>>> explanation = session.why(session.next().document)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from ._answers import Choice, Event, Explanation, GoodLeft
    from ._classifier import FeatureFeedbackClassifier
    from ._errors import CorruptFileError, FormatError, NothingLeftError, NumericalError, UnknownWordError
    from ._evaluate import Evaluation, Value, evaluate
    from ._obp import to_obp
    from ._pool import Pool, Token
    from ._regressor import FeatureFeedbackRegressor
    from ._score import ScoreTable, score
    from ._session import Session
    from ._settings import DEFAULT_POLICY, POLICIES
    from ._simulate import Simulation, Trial, World, run_trial, simulate
    from ._words import WordFeedback

__version__: str = _core.version

__all__ = [
    "DEFAULT_POLICY",
    "POLICIES",
    "Choice",
    "CorruptFileError",
    "Evaluation",
    "Event",
    "Explanation",
    "FeatureFeedbackClassifier",
    "FeatureFeedbackRegressor",
    "FormatError",
    "GoodLeft",
    "NothingLeftError",
    "NumericalError",
    "Pool",
    "ScoreTable",
    "Session",
    "Simulation",
    "Token",
    "Trial",
    "UnknownWordError",
    "Value",
    "WordFeedback",
    "World",
    "evaluate",
    "run_trial",
    "score",
    "simulate",
    "to_obp",
]


_MODULES = {
    "_answers": ("Choice", "Event", "Explanation", "GoodLeft"),
    "_classifier": ("FeatureFeedbackClassifier",),
    "_errors": ("CorruptFileError", "FormatError", "NothingLeftError", "NumericalError", "UnknownWordError"),
    "_evaluate": ("Evaluation", "Value", "evaluate"),
    "_obp": ("to_obp",),
    "_pool": ("Pool", "Token"),
    "_regressor": ("FeatureFeedbackRegressor",),
    "_score": ("ScoreTable", "score"),
    "_session": ("Session",),
    "_settings": ("DEFAULT_POLICY", "POLICIES"),
    "_simulate": ("Simulation", "Trial", "World", "run_trial", "simulate"),
    "_words": ("WordFeedback",),
}


def __getattr__(name: str) -> Any:
    """Imports a module only when a name that needs it is used: NumPy takes 0.1 s to import, and scikit-learn much more."""
    for module, names in _MODULES.items():
        if name in names:
            found = getattr(import_module(f".{module}", __name__), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
