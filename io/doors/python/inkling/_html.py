"""A pool, a choice and an explanation as a notebook shows them."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._pool import Pool
    from ._answers import Choice, Explanation
    from ._session import Session

MOST_CHARACTERS = 4000
GOOD = 0.5  # a rating from which on a document is good


def tinted(pool: Pool, document: int, weights: Mapping[int, float]) -> str:
    """A text with its words tinted by weight: green for a positive weight, red for a negative one."""
    if not pool._has_texts():
        return ""
    text = pool.text(document)[:MOST_CHARACTERS]
    largest = max((abs(weight) for weight in weights.values()), default=0.0) or 1.0
    pieces = []
    for token in pool.tokens(text):
        piece = escape(text[token.begin : token.end])
        weight = weights.get(token.feature, 0.0) if token.feature is not None else 0.0
        if weight != 0.0:
            colour = "46, 125, 50" if weight > 0 else "198, 40, 40"
            piece = f'<span style="background: rgba({colour}, {0.15 + 0.45 * abs(weight) / largest:.2f})">{piece}</span>'
        pieces.append(piece)
    return f'<div style="white-space: pre-wrap; max-width: 50em">{"".join(pieces)}</div>'


def head(pool: Pool, document: int) -> str:
    """Title, authors, year and links of its record; without the title if the text begins with it."""
    title, authors, year, links = pool._core.head(document)
    if pool._has_texts() and pool.text(document).startswith(title):
        title = ""
    lines = [f"<b>{escape(title)}</b>", escape(" · ".join(filter(None, (authors, year))))]
    lines += [f'<a href="{escape(link)}">{escape(link)}</a>' for link in links]
    return "".join(f"<div>{line}</div>" for line in lines if line not in ("", "<b></b>"))


def pool_html(pool: Pool) -> str:
    """Its size, and its first documents."""
    shown = range(min(3, len(pool)) if pool._has_texts() else 0)
    lines = [f"<li>{escape(pool.text(document)[:200])}</li>" for document in shown]
    listed = f"<ol start='0'>{''.join(lines)}</ol>" if lines else ""
    documents, features = pool.shape
    return f"<b>Pool</b> {documents:,} documents × {features:,} features, {pool.nnz:,} values{listed}"


def choice_html(choice: Choice) -> str:
    """The document, and how it was chosen."""
    how = "drawn at random" if choice.explored else "the best by what was learned"
    pool, document = choice._session.pool, choice.document
    return f"<b>Document {document}</b>, {how}{head(pool, document)}{tinted(pool, document, choice._session._weights())}"


def explanation_html(explanation: Explanation) -> str:
    """Its words with their contributions, and the tinted text."""
    rows: list[Any] = []
    columns = ("value", "weight", "contribution", "deviation", "width_share")
    for part in explanation.words[:20]:
        numbers = "".join(f"<td style='text-align: right'>{part[name]:.3g}</td>" for name in columns)
        rows.append(f"<tr><td>{escape(str(part['word']))}</td>{numbers}</tr>")
    names = "".join(f"<th>{name}</th>" for name in ("word", *columns[:-1], "share of width"))
    weights = {int(part["feature"]): float(part["weight"]) for part in explanation.words}
    return (
        f"<b>Document {explanation.document}</b>: mean {explanation.mean:.3g}"
        f"{f' ({explanation.base:.3g} for every document)' if explanation.base else ''}"
        f"{f' ({explanation.vector:+.3g} by its vector)' if explanation.vector else ''}, width {explanation.width:.3g}"
        f"{head(explanation._pool, explanation.document)}<table><tr>{names}</tr>{''.join(rows)}</table>"
        f"{tinted(explanation._pool, explanation.document, weights)}"
    )


def session_html(session: Session) -> str:
    """How far it is, what was learned, and the curve of what was found."""
    progress = session.progress()
    rated, good = progress["rated"], progress["good"]
    said = f"<b>Search</b> by {escape(session.policy)}: {rated:,} of {progress['documents']:,} documents rated, {good:,} of them good"
    words = [f"{escape(str(one['word']))} ({one['weight']:+.2g})" for one in session.words(12) if one["weight"] != 0.0]
    learned = f"<div>{' · '.join(words)}</div>" if words else ""
    return f"<div>{said}</div>{curve(session)}{learned}"


def curve(session: Session) -> str:
    """A picture of how many good documents were found, against how many were rated; empty where none was."""
    rewards = [event.reward for event in session.events() if event.kind == "rated"]
    found = np.cumsum([0, *(reward >= GOOD for reward in rewards)])
    if found[-1] == 0:
        return ""
    width, height = 320, 120
    at = found * (height / found[-1])
    step = max(1, len(found) // width)
    points = " ".join(f"{n * width / len(rewards):.1f},{height - at[n]:.1f}" for n in [*range(0, len(found), step), len(rewards)])
    return (
        f'<svg width="{width}" height="{height}" viewBox="-2 -2 {width + 4} {height + 4}" role="img" '
        f'aria-label="{found[-1]} good documents among {len(rewards)} rated">'
        f'<path d="M0 {height}H{width}" stroke="currentColor" stroke-opacity="0.3" fill="none"/>'
        f'<polyline points="{points}" stroke="#2e7d32" stroke-width="2" fill="none"/></svg>'
    )
