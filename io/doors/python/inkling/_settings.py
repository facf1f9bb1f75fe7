"""The settings of policies, from the engine's table: their docstrings and checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar

from . import _core
from ._errors import FormatError

POLICIES: tuple[str, ...] = tuple(_core.policy_names())
DEFAULT_POLICY: str = _core.default_policy


class SimulatedSettings(TypedDict, total=False):
    """The types of the settings in the table, for type checkers: those that no argument of `simulate` has."""

    ridge: float | None
    norm_bound: float | None
    delta: float | None
    radius: Literal["automatic", "ellipsoid", "posterior"] | None
    marked_precision: float | None
    unmarked_precision: float | None
    vectors: float | None
    first_rounds: int | None
    given: Iterable[str | int] | None
    epoch_constant: float | None
    forced_exploration: bool | None
    expected_rounds: int | None


class TrialSettings(SimulatedSettings, total=False):
    """Those that no argument of `run_trial` has."""

    noise: float | None
    mark_probability: float | None


class PolicySettings(TrialSettings, total=False):
    """All of them."""

    with_replacement: bool | None


Taker = TypeVar("Taker", bound=Callable[..., Any])


class Setting(NamedTuple):
    """A row of the table."""

    name: str
    default: Any  # None if a rule decides
    help: str
    policies: list[str]  # those that use it
    of_model: bool  # how a policy learns, not how it plays its rounds


SETTINGS: dict[str, Setting] = {row[0]: Setting(*row) for row in _core.policy_settings()}


def takes_settings(function: Taker) -> Taker:
    """Adds the possible **settings to the docstring of a function, before its examples."""
    before, examples, after = inspect.cleandoc(function.__doc__ or "").partition("Examples\n---")
    rows = SETTINGS.values()
    lines = [f"- {one.name} = {one.default}: {one.help} ({', '.join(one.policies)})" for one in rows]
    notes = ["Notes", "-----", "Settings, and the policies that use each:", "", *lines, ""]
    function.__doc__ = "\n".join([before.rstrip(), "", *notes, examples + after, ""])
    return function


def refuse_unused(settings: Iterable[str], policies: Iterable[str]) -> None:
    """Raises TypeError for a name that no setting has, FormatError for a setting that none of the policies uses."""
    names = list(policies)
    for name in settings:
        if name not in SETTINGS:
            raise TypeError(f"unexpected setting {name!r}{_core.nearest_setting(name)}")
        if not set(names) & set(SETTINGS[name].policies):
            raise FormatError(name, f"expected with the policy {' or '.join(SETTINGS[name].policies)}")


def options_of(policy: str, settings: Any, feature_of: Callable[[Any], int]) -> _core.PolicyOptions:
    """The settings as the engine takes them: words in them are features."""
    chosen = {**settings}
    if chosen.get("given") is not None:
        chosen["given"] = [feature_of(word) for word in chosen["given"]]
    return _core.PolicyOptions(policy, chosen)


def of_policy(settings: dict[str, Any], policy: str) -> dict[str, Any]:
    """The settings that the policy uses."""
    return {name: value for name, value in settings.items() if policy in SETTINGS[name].policies}
