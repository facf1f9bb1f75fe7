"""A session as lines of JSON, which `inkling score --events` reads, too: what a file and a pickle hold."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _core
from ._answers import Event


def lines_of(events: list[_core.LiveEvent], fingerprint: str, head: dict[str, Any]) -> list[dict[str, Any]]:
    """The head with what came after the last answer, and a line for each answer with what came before it."""
    note: dict[str, Any]
    lines: list[dict[str, Any]] = []
    waiting: list[list[Any]] = []
    forgotten: dict[int, int] = {}
    for place, event in enumerate(events):
        if event.kind == "forgot":
            forgotten[event.feature] = place
    for place, event in enumerate(events):
        if event.kind == "words":
            rated = [one for one in event.ratings if forgotten.get(one[0], -1) < place]
            if rated:
                note = {"before": waiting, "words": event.ratings}
                said = [_rating_text(one) for one in rated]
                lines.append({"features": said, "note": json.dumps(note)})
                waiting = []
                continue
        if event.kind != "observed":
            waiting.append(_compact(event))
            continue
        kept = [n for n, mark in enumerate(event.marks) if forgotten.get(mark, -1) < place]
        note = {"before": waiting}
        if len(kept) < len(event.marks):
            note["marks"] = [event.marks, event.confidences]
        marks = [
            {"feature": event.marks[n], "confidence": event.confidences[n]}
            if event.confidences
            else event.marks[n]
            for n in kept
        ]
        rated = [one for one in event.ratings if forgotten.get(one[0], -1) < place]
        if len(rated) < len(event.ratings):
            note["words"] = event.ratings
        marks += [_rating_text(one) for one in rated]
        lines.append(
            {
                "document": event.document,
                "reward": event.reward,
                "features": marks,
                "note": json.dumps(note),
            }
        )
        waiting = []
    return [{"pool": fingerprint, "note": json.dumps(head | {"after": waiting})}, *lines]


def tell(core: _core.Session, head: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    """Tells a new session what the lines hold. KeyError, IndexError or TypeError where they are none."""
    for line in lines:
        note = json.loads(line["note"])
        for compact in note["before"]:
            core.replay(_expanded(compact))
        core.replay(_observed(line, note))
    for compact in head["after"]:
        core.replay(_expanded(compact))
    core.streams = head["streams"]


def event_of(event: _core.LiveEvent) -> Event:
    forgot = event.kind == "forgot"
    reward = event.reward if event.kind == "observed" else np.nan
    document = -1 if forgot or event.kind == "words" else event.document
    words = {feature: rate for feature, rate, _ in event.ratings}
    return Event(event.kind, document, reward, [event.feature] if forgot else event.marks, words)


def _rating_text(rating: tuple[int, float, float]) -> dict[str, Any]:
    feature, rate, confidence = rating
    line: dict[str, Any] = {"feature": feature, "reward": rate}
    return line if confidence == 1.0 else line | {"confidence": confidence}


def _compact(event: _core.LiveEvent) -> list[Any]:
    if event.kind == "forgot":
        return ["forgot", event.feature]
    if event.kind == "skipped":
        return ["skipped", event.document]
    if event.kind == "words":
        return ["words", event.ratings]
    choice = event.choice
    return [
        "chosen",
        choice.document,
        choice.round,
        choice.explored,
        choice.among,
        choice.pscore,
        choice.radius,
        choice.mean,
        choice.width,
    ]


def _expanded(compact: list[Any]) -> _core.LiveEvent:
    event = _core.LiveEvent()
    event.kind = compact[0]
    if event.kind == "forgot":
        event.feature = compact[1]
        return event
    if event.kind == "words":
        event.say([], [], [tuple(one) for one in compact[1]])
        return event
    event.document = compact[1]
    if event.kind == "chosen":
        choice = _core.Choice()
        (
            choice.document,
            choice.round,
            choice.explored,
            choice.among,
            choice.pscore,
            choice.radius,
            choice.mean,
            choice.width,
        ) = compact[1:]
        event.choice = choice
    return event


def _observed(line: dict[str, Any], note: dict[str, Any]) -> _core.LiveEvent:
    event = _core.LiveEvent()
    ratings = [tuple(one) for one in note.get("words", ())]
    if "document" not in line:
        event.kind = "words"
        event.say([], [], ratings)
        return event
    event.kind = "observed"
    event.document, event.reward = line["document"], float(line["reward"])
    said = [one if isinstance(one, dict) else {"feature": one} for one in line["features"]]
    if "words" not in note:
        rated = [one for one in said if "reward" in one]
        ratings = [
            (int(one["feature"]), float(one["reward"]), float(one.get("confidence", 1.0))) for one in rated
        ]
    marked = [one for one in said if "reward" not in one]
    marks = [int(one["feature"]) for one in marked]
    confidences = [float(one.get("confidence", 1.0)) for one in marked]
    if "marks" in note:
        marks, confidences = note["marks"]
    event.say(marks, confidences, ratings)
    return event
