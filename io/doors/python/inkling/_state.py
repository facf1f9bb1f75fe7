"""What is read of a search: what was learned, what happened, what is left."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np

from . import _checks, _core
from ._answers import Event, Explanation, GoodLeft
from ._errors import FormatError
from ._pool import Pool
from ._words import WordFeedback

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._session import Session

OF_CHOICE = ("radius", "mean", "width", "propensity")
LOG = np.dtype(
    [("kind", "U8"), ("round", "i8"), ("document", "i4"), ("reward", "f8"), ("words", "i4")]
    + [("explored", "?"), *((name, "f8") for name in OF_CHOICE)]
)
RANKED = np.dtype([("document", "i4"), ("mean", "f8"), ("width", "f8"), ("score", "f8")])
WORDS = np.dtype(
    [("word", "O"), ("feature", "i4"), ("weight", "f8"), ("deviation", "f8")]
    + [("times_marked", "i8"), ("times_rated", "i8")]
)


class SearchState:
    """A `Session` as far as it is only read."""

    pool: Pool
    _core: _core.Session

    @property
    def policy(self) -> str:
        """The name of the policy."""
        return self._core.facts.policy

    @property
    def name(self) -> str:
        """Its name in the file that keeps it."""
        return self._core.facts.name

    @property
    def random_state(self) -> int:
        """A search of the same pool, policy, settings and `random_state` shows the same documents."""
        return self._core.facts.seed

    def copies(self) -> dict[int, int]:
        """Return the documents that are not offered because each is one record with another.

        Returns
        -------
        dict of int to int
            By row of a copy, the row that is offered in its place; without those that `separate` took apart.
        """
        return dict(zip(*self._core.copies(), strict=True))

    @overload
    def expectations(
        self, documents: Iterable[int] | None = None, *, return_std: Literal[False] = False
    ) -> NDArray[np.float64]: ...
    @overload
    def expectations(
        self, documents: Iterable[int] | None = None, *, return_std: Literal[True]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def expectations(self, documents: Iterable[int] | None = None, *, return_std: bool = False) -> Any:
        """Give the expected reward of documents.

        Parameters
        ----------
        documents : iterable of int, optional
            Their rows; by default all.
        return_std : bool, default False
            Whether to return their widths, too.

        Returns
        -------
        array or pair of arrays
            The means, or the means and the widths.
        """
        rows = None if documents is None else _checks.documents(documents, self.pool._core.documents)
        if not return_std:
            return self._core.means(rows)
        return self._core.expectations() if rows is None else self._core.expectations_of(rows)

    def score_texts(self, texts: Iterable[str]) -> NDArray[np.float64]:
        """Give the expected reward of texts that are not in the pool.

        Parameters
        ----------
        texts : iterable of str
            The texts. Words that the pool does not have say nothing. The pool must have been made from text.

        Returns
        -------
        array
            The means, on the scale of `expectations`.

        Examples
        --------
        >>> import inkling as ink
        >>> session = ink.Session(ink.Pool.from_text(["the cold sea", "soil and compost"]), random_state=1)
        >>> good, other = session.query({"soil": 1}).score_texts(["soil and rain", "the sea"])
        >>> bool(good > other)
        True
        """
        means: NDArray[np.float64] = self.pool.transform(texts) @ self.weights + self.base_rate
        return means

    @property
    def weights(self) -> NDArray[np.float64]:
        """What was learned of each feature of the pool: 0 of those that are not in use."""
        features, found = self._core.weights()
        weights = np.zeros(self.pool.shape[1])
        weights[features] = found
        return weights

    @property
    def base_rate(self) -> float:
        """The part of every mean that no word has."""
        return self._core.base_rate

    def ranking(self, k: int = 10, *, by: str = "score") -> NDArray[np.void]:
        """Rank the documents that are not rated, best first, as the request `ranking` does.

        As long as no word is in use there is no order, and no line.

        Parameters
        ----------
        k : int, default 10
            How many.
        by : str, default "score"
            One of score, mean and width.

        Returns
        -------
        structured array
            A line for each: document, mean, width and score, by which `next` chooses. It is mean + radius * width; the
            policies of Thompson draw it, and with inkling, as long as words were rated and nothing good was found, it is how
            many of these words the document holds, and among equals the mean.
        """
        if by not in ("score", "mean", "width"):
            raise FormatError(f"by {by!r}", "expected score, mean or width")
        most = _checks.whole("k", k, 0, 2**62)
        columns = self._core.ranking(most if by == "score" else len(self.pool))
        ranked = np.empty(len(columns[0]), dtype=RANKED)
        ranked["document"], ranked["mean"], ranked["width"], ranked["score"] = columns
        if by == "score":
            return ranked
        return ranked[np.lexsort((ranked["document"], -ranked[by]))[:most]]

    def why(self, document: int) -> Explanation:
        """Explain word by word why the document has its score.

        Parameters
        ----------
        document : int
            Its row.

        Returns
        -------
        Explanation
            Its words with their contributions.
        """
        return Explanation(cast("Session", self), _checks.document(document, self.pool.shape[0]))

    def words(self, k: int | None = None, *, by: str = "weight") -> NDArray[np.void]:
        """Return what was learned about words.

        Parameters
        ----------
        k : int, optional
            How many; by default all.
        by : str, default "weight"
            What is largest first: weight or deviation, in size, times_marked or times_rated.

        Returns
        -------
        structured array
            A line for each: word, feature, weight, deviation, how often it was marked or rated, how many rated documents hold it.
        """
        if by not in ("weight", "deviation", "times_marked", "times_rated"):
            raise FormatError(f"by {by!r}", "expected weight, deviation, times_marked or times_rated")
        features, weights = self._core.weights()
        marked = np.zeros(self.pool.shape[1], dtype=np.int64)
        rated = np.zeros(self.pool.shape[1], dtype=np.int64)
        X = self.pool.X
        for event in self._core.events():
            if event.kind in ("rated", "marked"):
                np.add.at(marked, [word[0] for word in event.words], 1)
            if event.kind == "rated":
                rated[X.indices[X.indptr[event.document] : X.indptr[event.document + 1]]] += 1
        words = np.zeros(len(features), dtype=WORDS)
        words["feature"], words["weight"] = features, weights
        words["times_marked"], words["times_rated"] = marked[features], rated[features]
        if by == "deviation":  # of every word, which takes longer
            words["deviation"] = self._core.deviations(features)
        order = np.lexsort((words["feature"], -np.abs(words[by])))
        words = words[order if k is None else order[: _checks.whole("k", k, 0, 2**62)]]
        words["deviation"] = self._core.deviations(np.ascontiguousarray(words["feature"]))
        words["word"] = [self.pool.word(feature) for feature in words["feature"].tolist()]
        return words

    def _weights(self) -> dict[int, float]:
        features, weights = self._core.weights()
        return dict(zip(features.tolist(), weights.tolist(), strict=True))

    def progress(self) -> dict[str, Any]:
        """Say how far the search is, as the request `progress` answers.

        Returns
        -------
        dict
            What was rated; a guess and a certain bound of what is left, with what a lower bound costs; how well rules for
            stopping work.
        """
        answer: dict[str, Any] = json.loads(self._core.progress())
        return answer

    def good_left(self, threshold: float = 0.5, confidence: float = 0.95) -> GoodLeft:
        """Bound how many good documents may be left, by the random draws.

        The bound holds with its confidence at all times at once, if a document always gets the same rating. A draw without a
        rating counts as good.

        Parameters
        ----------
        threshold : float, default 0.5
            The least rating of a good document.
        confidence : float, default 0.95
            How sure the bound is, between 0 and 1.

        Returns
        -------
        GoodLeft
            How many are left, about and at most.
        """
        if not 0.0 < _checks.real("confidence", confidence) < 1.0:
            raise FormatError(f"confidence {confidence!r}", "expected a number between 0 and 1")
        return GoodLeft(*self._core.good_left(_checks.real("threshold", threshold), confidence))

    def log(self) -> NDArray[np.void]:
        """Return the events that hold, as an array.

        Returns
        -------
        structured array
            A line for each: its kind, the document, how it was chosen with its probability (`propensity`), and its reward.
        """
        rounds = 0
        lines = []
        for event in self._core.events():
            choice = event.choice
            if event.kind == "shown" and choice is not None:
                rounds = max(rounds, choice.round)
            number, explored = (rounds, False) if choice is None else (choice.round, choice.explored)
            reward = event.reward if event.kind == "rated" else np.nan
            others = (_number(choice, name) for name in OF_CHOICE)
            lines.append((event.kind, number, event.document, reward, len(event.words), explored, *others))
        return np.array(lines, dtype=LOG)

    def events(self) -> list[Event]:
        """Return the events that hold, in order.

        Returns
        -------
        list of Event
            The events.
        """
        return [event_of(event) for event in self._core.events()]

    @property
    def rounds(self) -> int:
        """How many documents were shown."""
        return sum(event.kind == "shown" for event in self._core.events())

    @property
    def remaining(self) -> int:
        """How many documents can still be chosen."""
        return self._core.remaining

    @property
    def radius(self) -> float | None:
        """The factor of the width in a score, now; None for a policy without one."""
        return self._core.radius

    @property
    def on_offer(self) -> list[int]:
        """Documents that were chosen, and neither rated nor skipped yet."""
        return [choice.document for choice in self._core.on_offer()]

    @property
    def features_in_use(self) -> NDArray[np.int32]:
        """The features that the policy learns on."""
        return self._core.weights()[0]


def event_of(event: _core.HeldEvent) -> Event:
    reward = event.reward if event.kind == "rated" else np.nan
    words = [(event.feature,)] if event.kind == "forgot" else event.words
    return Event(event.kind, event.document, reward, [WordFeedback(*word) for word in words])


def _number(choice: _core.Choice | None, name: str) -> float:
    value: float | None = None if choice is None else getattr(choice, name)
    return np.nan if value is None else value
