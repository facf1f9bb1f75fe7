"""How far a build is: a bar of tqdm, if it is installed, or calls of a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[str, int, int], None]  # of the phase, how much is done, how much there is
ProgressOption = bool | Progress | None
PHASES = ("reading", "weighing", "columns", "done")


@contextmanager
def reporter_of(progress: ProgressOption) -> Iterator[Callable[..., None] | None]:
    """The function that a build calls every 50 ms with (phase, done, total, documents), or None."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        report: Any = progress
        yield lambda phase, done, total, documents: report(PHASES[phase], done, total)
    else:
        yield from _bars()


def tqdm_if_installed() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def _bars() -> Iterator[Callable[..., None] | None]:
    tqdm = tqdm_if_installed()
    if tqdm is None:
        yield None
        return
    bar = tqdm(unit=" documents")

    def report_bar(phase: int, done: int, total: int, documents: int) -> None:
        bar.set_description(PHASES[phase], refresh=False)
        bar.n = documents
        bar.refresh()

    try:
        yield report_bar
    finally:
        bar.close()
