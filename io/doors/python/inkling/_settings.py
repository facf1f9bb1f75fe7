"""What a policy can be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _checks, _core

POLICIES: tuple[str, ...] = tuple(_core.policy_names())
DEFAULT_POLICY: str = _core.default_policy

SETTINGS: dict[str, Any] = {
    "ridge": 1.0,
    "noise": 0.1,
    "norm_bound": 1.0,
    "delta": 0.1,
    "radius": "auto",
    "marked_precision": None,
    "unmarked_precision": None,
    "mark_probability": None,
    "first_rounds": 0,
    "given": [],
    "with_replacement": False,
    "expected_rounds": 0,
}


def policy_options(settings: Mapping[str, Any]) -> _core.PolicyOptions:
    """Those of the settings of a session that are given, checked, and the defaults. `given` are features."""
    told = SETTINGS | dict(settings)
    options = _core.PolicyOptions()
    for name in ("ridge", "noise", "norm_bound", "delta"):
        options.set(name.replace("_", "-"), _checks.real(name, told[name]))
    for name in ("marked_precision", "unmarked_precision", "mark_probability"):
        if told[name] is not None:
            options.set(name.replace("_", "-"), _checks.real(name, told[name]))
    options.set_radius(str(told["radius"]))
    options.first_rounds = _checks.whole("first_rounds", told["first_rounds"], 0, 2**62)
    options.expected_rounds = _checks.whole("expected_rounds", told["expected_rounds"], 0, 2**62)
    options.with_replacement = bool(told["with_replacement"])
    options.given = list(told["given"])
    options.check()
    return options
