"""Simulated readers: what each policy loses against showing the best document each time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _core
from ._errors import FormatError
from ._pool import Pool
from ._settings import POLICIES, of_policy, refuse_unused

if TYPE_CHECKING:
    from numpy.typing import NDArray


TUNING = tuple(2.0**power for power in range(-7, 11))  # as `inkling-bench simulate --tune`


@dataclass
class Simulation:
    """The results of simulated readers.

    `inkling.simulate` makes them. Each array has a line for each trial and a column for each round.

    Parameters
    ----------
    rounds : int
        How many rounds each reader took.
    regret : dict of str to array
        By policy, summed up to each round.
    reward : dict of str to array
        By policy, summed up to each round.
    documents : dict of str to array
        By policy, those that were shown.
    ridge : dict of str to float
        The best one, for policies that were tuned.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost"])
    >>> ink.simulate(pool, "random", rounds=3, trials=2, relevant=2).documents["random"].shape
    (2, 3)
    """

    rounds: int
    regret: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    reward: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    documents: dict[str, NDArray[np.int32]] = field(default_factory=dict)
    ridge: dict[str, float] = field(default_factory=dict)

    def to_frame(self) -> Any:
        """Return all of it as a table of pandas.

        Returns
        -------
        DataFrame
            Its columns are policy, trial, round, regret and reward.
        """
        import pandas as pd

        frames = []
        for policy, curves in self.regret.items():
            trials = len(curves)
            frames.append(
                pd.DataFrame(
                    {
                        "policy": policy,
                        "trial": np.repeat(np.arange(trials), self.rounds),
                        "round": np.tile(np.arange(1, self.rounds + 1), trials),
                        "regret": curves.ravel(),
                        "reward": self.reward[policy].ravel(),
                    }
                )
            )
        return pd.concat(frames, ignore_index=True)

    def plot(self, ax: Any = None) -> Any:
        """Draw the mean regret with its standard error against rounds, by matplotlib.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default new axes.

        Returns
        -------
        Axes
            The axes.
        """
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.subplots()[1]
        rounds = np.arange(1, self.rounds + 1)
        for policy, curves in self.regret.items():
            mean = curves.mean(axis=0)
            (line,) = ax.plot(rounds, mean, label=policy)
            if len(curves) > 1:
                error = curves.std(axis=0, ddof=1) / math.sqrt(len(curves))
                ax.fill_between(
                    rounds, mean - error, mean + error, color=line.get_color(), alpha=0.2, linewidth=0
                )
        ax.set_xlabel("round")
        ax.set_ylabel("regret")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        means = ", ".join(f"{policy} {curves[:, -1].mean():.4g}" for policy, curves in self.regret.items())
        return f"<Simulation of {self.rounds} rounds; mean regret: {means}>"


class _Reader:
    """The simulated reader of `inkling-bench simulate`, with its random streams: the same rewards and marks."""

    def __init__(
        self,
        pool: Pool,
        reward: str,
        relevant: int,
        noise: float,
        marks: str,
        probability: float,
        seed: int,
        trial: int,
    ) -> None:
        self.pool = pool
        self.noise = noise
        self.kind = reward
        self.probability = probability if marks == "oracle" else 0.0
        offsets, self.features, self.values = pool._core.rows()
        self.offsets = offsets.tolist()
        truth = np.zeros(pool.shape[1])
        random = _core.RandomStream(seed, trial, _core.RandomRole.target)
        words = _drawn(np.flatnonzero(pool.document_frequency).tolist(), relevant, random)
        weights = [random.normal() for _ in words]
        norm = math.sqrt(math.fsum(weight * weight for weight in weights))
        truth[words] = np.array(weights) / norm
        self.relevant = words
        self.expected = _products(self.offsets, self.features, self.values, truth)
        if reward == "logistic":
            self.expected = 2.0 / (1.0 + np.exp(-self.expected)) - 1.0
        elif reward == "label":
            members = math.ceil(0.2 * len(self.expected))
            least = np.partition(self.expected, len(self.expected) - members)[len(self.expected) - members]
            self.expected = np.where(self.expected >= least, 1.0, -1.0)
        self.is_markable = np.zeros(pool.shape[1], dtype=bool)
        self.is_markable[words] = True
        self.noises = _core.RandomStream(seed, trial, _core.RandomRole.reward)
        self.coins = _core.RandomStream(seed, trial, _core.RandomRole.marks)
        self.means = self.expected.tolist()

    def answer(self, document: int) -> tuple[float, list[int]]:
        """The reward, and the words that are marked."""
        mean = self.means[document]
        if self.kind == "logistic":
            reward = 1.0 if self.noises.uniform() < 0.5 * (1.0 + mean) else -1.0
        else:
            reward = mean + (self.noise if self.kind == "linear" else 0.0) * self.noises.normal()
        if self.probability == 0.0:
            return reward, []
        held = self.features[self.offsets[document] : self.offsets[document + 1]]
        candidates = held[self.is_markable[held]].tolist()
        return reward, [feature for feature in candidates if self.coins.uniform() < self.probability]


def _drawn(candidates: list[int], count: int, random: _core.RandomStream) -> list[int]:
    if count > len(candidates):
        raise FormatError(
            "relevant", f"expected at most {len(candidates)}, the words that some document holds"
        )
    for n in range(count):
        other = n + random.below(len(candidates) - n)
        candidates[n], candidates[other] = candidates[other], candidates[n]
    return sorted(candidates[:count])


def _products(
    offsets: list[int], features: Any, values: Any, truth: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Each row times the truth, summed in the order of the row."""
    terms = values.astype(np.float64) * truth[features]
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    sums: NDArray[np.float64] = np.bincount(rows, weights=terms, minlength=len(offsets) - 1).astype(
        np.float64
    )
    return sums


def _best_first(expected: NDArray[np.float64]) -> list[int]:
    order: list[int] = np.argsort(-expected, kind="stable").tolist()
    return order


def simulate(
    pool: Pool,
    policies: str | Iterable[str],
    *,
    rounds: int,
    trials: int = 10,
    reward: str = "linear",
    relevant: int = 5,
    marks: str = "oracle",
    noise: float = 0.1,
    mark_probability: float = 0.1,
    with_replacement: bool = True,
    random_state: Any = 0,
    tune: bool = False,
    progress: bool | None = None,
    n_jobs: int | None = None,
    **settings: Any,
) -> Simulation:
    """Let simulated readers search a pool with each policy: the readers of `inkling-bench simulate`.

    A reader's truth is a few words with random weights.

    Parameters
    ----------
    pool : Pool
        What is searched.
    policies : str or iterable of str
        Of `inkling.POLICIES`.
    rounds : int
        How many documents each reader sees.
    trials : int, default 10
        How many readers.
    reward : str, default "linear"
        One of linear (with noise), logistic and label (the best fifth of the documents).
    relevant : int, default 5
        How many words matter.
    marks : str, default "oracle"
        With "oracle" a word that matters is marked with `mark_probability`, with "none" no word is.
    noise : float, default 0.1
        The scale of the noise in rewards.
    mark_probability : float, default 0.1
        How likely a word that matters is marked in a document that holds it.
    with_replacement : bool, default True
        Whether documents may be shown again.
    random_state : int, Generator or None, default 0
        The seed.
    tune : bool, default False
        Whether policies that learn from all words are run with 18 ridges from 2^-7 to 2^10, of which the best is kept.
    progress : bool, optional
        Whether to show a bar of tqdm.
    n_jobs : int, optional
        How many threads.
    **settings
        For each policy that uses them, as those of a Session.

    Returns
    -------
    Simulation
        Regret and rewards.

    Examples
    --------
    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the cold sea", "soil and compost", "cold wind"])
    >>> ink.simulate(pool, ["random", "ff-oful"], rounds=20, trials=2, relevant=2).regret["random"].shape
    (2, 20)
    """
    names = [policies] if isinstance(policies, str) else list(policies)
    if reward not in ("linear", "logistic", "label"):
        raise FormatError(f"reward {reward!r}", "expected linear, logistic or label")
    if marks not in ("oracle", "none"):
        raise FormatError(f"marks {marks!r}", "expected oracle or none")
    count = _checks.whole("rounds", rounds, 1, 2**40)
    if not with_replacement and count > pool.shape[0]:
        raise FormatError(
            "rounds", f"expected at most {pool.shape[0]}, the documents of the pool, without replacement"
        )
    repeats = _checks.whole("trials", trials, 1, 2**31)
    words = _checks.whole("relevant", relevant, 1, 2**31 - 1)
    scale = _checks.real("noise", noise)
    chance = _checks.real("mark_probability", mark_probability)
    seed = _checks.seed_of(random_state)
    for name in names:
        if name not in POLICIES:
            raise FormatError(f"policy {name!r}", "expected one of " + ", ".join(POLICIES))
    refuse_unused(settings, names)
    result = Simulation(count)

    def readers() -> Iterable[tuple[int, _Reader]]:
        for trial in _with_bar(range(repeats), progress):
            yield trial, _Reader(pool, reward, words, scale, marks, chance, seed, trial)

    for name in names:
        options = of_policy(
            {"noise": scale, **settings, "with_replacement": with_replacement, "expected_rounds": count}, name
        )
        if name == "explore-then-commit":
            options.setdefault("first_rounds", (count + 1) // 2)
        ridges: tuple[Any, ...] = TUNING if tune and name in _core.tuned_policies() else (options.get("ridge"),)
        for ridge in ridges:
            curves = _Curves(repeats, count)
            for trial, reader in readers():
                given = of_policy({**options, "ridge": ridge}, name)
                if name == "oful-subset":
                    given.setdefault("given", reader.relevant)
                curves.take(trial, *_run(pool, name, reader, count, seed, trial, n_jobs, given))
            if name not in result.regret or curves.regret[:, -1].mean() < result.regret[name][:, -1].mean():
                result.regret[name], result.reward[name] = curves.regret, curves.reward
                result.documents[name] = curves.documents
                if len(ridges) > 1:
                    result.ridge[name] = ridge
    return result


class _Curves:
    """The results of one policy, by trial."""

    def __init__(self, trials: int, rounds: int) -> None:
        self.regret = np.empty((trials, rounds))
        self.reward = np.empty((trials, rounds))
        self.documents = np.empty((trials, rounds), dtype=np.int32)

    def take(self, trial: int, losses: list[float], gains: list[float], shown: list[int]) -> None:
        self.regret[trial], self.reward[trial] = np.cumsum(losses), np.cumsum(gains)
        self.documents[trial] = shown


def _run(
    pool: Pool,
    policy: str,
    reader: _Reader,
    rounds: int,
    seed: int,
    trial: int,
    n_jobs: int | None,
    settings: dict[str, Any],
) -> tuple[list[float], list[float], list[int]]:
    if "given" in settings:
        settings["given"] = [pool.feature(word) if isinstance(word, str) else word for word in settings["given"]]
    core = _core.Policy(
        pool._core, policy, _core.PolicyOptions(policy, settings), seed, trial, _checks.threads_of(n_jobs)
    )
    replaces = settings["with_replacement"]
    order = _best_first(reader.expected)
    losses, gains, shown = [], [], []
    for number in range(rounds):
        document = core.choose()
        shown.append(document)
        best = order[0 if replaces else number]  # without replacement the best sequence shows no document twice either
        losses.append(reader.means[best] - reader.means[document])
        gain, marked = reader.answer(document)
        gains.append(gain)
        core.observe(document, gain, marked)
    return losses, gains, shown


def _with_bar(trials: range, progress: bool | None) -> Iterable[int]:
    if not progress:
        return trials
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return trials
    bar: Iterable[int] = tqdm(trials, unit=" trials")
    return bar
