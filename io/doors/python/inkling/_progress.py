"""How far a build is: told by tqdm where it is installed, or to a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PHASES = ("reading", "weighing", "columns", "done")


@contextmanager
def teller_of(
    progress: bool | Callable[[str, int, int], None] | None,
) -> Iterator[Callable[..., None] | None]:
    """What a build calls every 50 ms with (phase, done, total, documents); None for nothing."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        told: Any = progress
        yield lambda phase, done, total, documents: told(PHASES[phase], done, total)
    else:
        yield from _bars()


def _bars() -> Iterator[Callable[..., None] | None]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bar = tqdm(unit=" documents")

    def tell(phase: int, done: int, total: int, documents: int) -> None:
        bar.set_description(PHASES[phase], refresh=False)
        bar.n = documents
        bar.refresh()

    try:
        yield tell
    finally:
        bar.close()
