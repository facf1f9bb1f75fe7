"""One line over all steps of a job: "counted 7 of 16, merged 0 of 1, built 0 of 16, 12 s"."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._task import Done

Counts = dict[str, tuple[int, int]]  # of each kind of step: done, of how many
PAST = {"fetch": "fetched", "count": "counted", "merge": "merged", "build": "built", "score": "scored", "verify": "verified"}


class ProgressLine:
    """Shows how far a job is, at most four times a second."""

    def __init__(self, progress: bool | Callable[[Counts], None] | None) -> None:
        self._report = progress if callable(progress) else None
        self._shows = progress is True or (progress is None and sys.stderr.isatty())
        self._counts: Counts = {}
        self._start = time.monotonic()
        self._next = 0.0
        self._width = 0

    def plan(self, kind: str, count: int = 1) -> None:
        done, of = self._counts.get(kind, (0, 0))
        self._counts[kind] = (done, of + count)

    def count(self, done: Done) -> None:
        before, of = self._counts.get(done.kind, (0, 0))
        self._counts[done.kind] = (before + 1, max(of, before + 1))
        if self._report is not None:
            self._report(dict(self._counts))
        self.show()

    def text(self) -> str:
        parts = [f"{PAST[kind]} {done} of {of}" for kind, (done, of) in self._counts.items() if kind in PAST]
        return ", ".join([*parts, f"{time.monotonic() - self._start:.0f} s"])

    def show(self) -> None:
        now = time.monotonic()
        if not self._shows or now < self._next:
            return
        self._next = now + 0.25
        self._write(self.text())

    def finish(self) -> None:
        if self._shows:
            self._write(self.text())
            sys.stderr.write("\n")

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)
