"""Simulated readers: worlds, trials of a policy in them, and what each policy loses against showing the best document each time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _core
from ._errors import FormatError
from ._pool import Pool
from ._progress import tqdm_if_installed
from ._settings import POLICIES, SimulatedSettings, TrialSettings, of_policy, refuse_unused, takes_settings

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from numpy.typing import NDArray


TUNING = tuple(2.0**power for power in range(-7, 11))  # as `inkling-bench simulate --tune`


class World:
    """A pool with a simulated reader: the truth behind the rewards, and which words are marked.

    It is a function of its arguments, the seed and the trial alone, the same on every machine.

    Parameters
    ----------
    pool : Pool, optional
        What is searched; without it a synthetic pool is made.
    documents, features, words : int
        Of a synthetic pool: its size, and how many words are drawn for a document.
    zipf : float, default 0.0
        Of a synthetic pool: word j is drawn with a probability in proportion to (j + 1)^-zipf.
    sphere : bool, default False
        Whether the documents of a synthetic pool are points of the unit sphere instead.
    reward : str, default "linear"
        One of linear (x.theta* with noise), document (the same, a document of the pool is theta*), logistic (+1 or -1 by the logistic
        of x.theta*) and label (+1 for the best of them, else -1).
    relevant : int, default 5
        How many words matter.
    norm : float, default 1.0
        The length of theta*.
    noise : float, default 0.1
        The scale of the noise in rewards.
    topic_share : float, default 0.2
        The share of the best documents, with the reward label.
    marks : str, default "oracle"
        With "oracle" a word that matters is marked with `mark_probability`, with "noisy" as many as `irrelevant_marks` others are
        marked likewise, with "none" no word is.
    mark_probability : float, default 0.1
        How likely a word that matters is marked in a document that holds it.
    irrelevant_marks : int, default 0
        How many words that do not matter are marked, too.
    random_state : int, Generator or None, default 0
        The seed.
    trial : int, default 0
        Another trial of the same seed is another world.

    Examples
    --------
    >>> import inkling as ink
    >>> ink.World(documents=100, features=20, relevant=3).relevant.size
    3
    """

    def __init__(
        self,
        pool: Pool | None = None,
        *,
        documents: int = 1000,
        features: int = 40,
        words: int = 8,
        zipf: float = 0.0,
        sphere: bool = False,
        reward: str = "linear",
        relevant: int = 5,
        norm: float = 1.0,
        noise: float = 0.1,
        topic_share: float = 0.2,
        marks: str = "oracle",
        mark_probability: float = 0.1,
        irrelevant_marks: int = 0,
        random_state: Any = 0,
        trial: int = 0,
    ) -> None:
        options = _core.WorldOptions(reward, marks)
        options.relevant = _checks.whole("relevant", relevant, 1, 2**31 - 1)
        options.irrelevant_marks = _checks.whole("irrelevant_marks", irrelevant_marks, 0, 2**31 - 1)
        for name, value in {"norm": norm, "noise": noise, "topic_share": topic_share, "mark_probability": mark_probability}.items():
            setattr(options, name, _checks.real(name, value))
        if not 0.0 < options.topic_share < 1.0:
            raise FormatError("topic_share", f"expected a number between 0 and 1, got {topic_share}")
        seed, number = _checks.seed_of(random_state), _checks.whole("trial", trial, 0, 2**63)
        if pool is not None:
            self._core = _core.pool_world(pool._core, options, seed, number)
            return
        sizes = {"documents": documents, "features": features, "words": words}
        count, length, drawn = (_checks.whole(name, value, 1, 2**31 - 1) for name, value in sizes.items())
        exponent = _checks.real("zipf", zipf)
        self._core = _core.synthetic_world(options, count, length, drawn, exponent, bool(sphere), seed, number)

    @classmethod
    def _of(cls, core: _core.World) -> World:
        world = cls.__new__(cls)
        world._core = core
        return world

    @property
    def relevant(self) -> NDArray[np.int32]:
        """The words that matter, ascending."""
        return self._core.relevant

    @property
    def expected(self) -> NDArray[np.float64]:
        """The expected reward of each document, in which regret is counted."""
        return self._core.expected

    def __repr__(self) -> str:
        return f"<World of {self._core.documents} documents over {self._core.features} words, of which {self.relevant.size} matter>"


@dataclass
class Trial:
    """One policy in one world, round by round. `inkling.run_trial` makes it.

    Parameters
    ----------
    documents : array of int
        What was shown in each round.
    explored : array of bool
        Whether it was drawn at random.
    rewards : array of float
        What the reader gave.
    regrets : array of float
        How much the round fell short of the best document or, without replacement, of the best sequence.
    radii : array of float
        The radius of the confidence set, NaN where the policy has none.
    marks : array of int
        The words that were marked for the first time, in order.
    mark_ends : array of int
        How many of `marks` there were after each round.
    regret : float
        The sum of `regrets`.
    reward : float
        The sum of `rewards`.
    curve : array of float
        The regret at 200 places or fewer, evenly spaced, the last round included.
    explored_rounds : int
        How many rounds were random.
    features_found : int
        How many words were marked, those before the first round included.
    all_found_at : int or None
        The round in which the last word that matters was marked.
    wanted : int or None
        How many wanted documents there were, where documents are wanted or not and each is shown once.
    found_at : array of int
        The rounds in which they were found.
    guesses : array of float
        Of how many are left, where that was asked for.
    words : list of tuple
        Of largest weight, with their weights, where that was asked for.
    seconds : float
        Of choosing and learning.
    slowest : float
        Of the slowest round.

    Examples
    --------
    >>> import inkling as ink
    >>> ink.run_trial(ink.World(), "random", rounds=10).documents.size
    10
    """

    documents: NDArray[np.int32]
    explored: NDArray[np.bool_]
    rewards: NDArray[np.float64]
    regrets: NDArray[np.float64]
    radii: NDArray[np.float64]
    marks: NDArray[np.int32]
    mark_ends: NDArray[np.int64]
    regret: float
    reward: float
    curve: NDArray[np.float64]
    explored_rounds: int
    features_found: int
    all_found_at: int | None
    wanted: int | None
    found_at: NDArray[np.int64]
    guesses: NDArray[np.float64]
    words: list[tuple[int, float]]
    seconds: float
    slowest: float


@takes_settings
def run_trial(
    world: World | Pool,
    policy: str,
    *,
    rounds: int,
    random_state: Any = 0,
    trial: int = 0,
    with_replacement: bool = True,
    n_jobs: int | None = 1,
    **settings: Unpack[TrialSettings],
) -> Trial:
    """Let a policy search a world: one trial of `inkling-bench simulate`, bit by bit.

    Other threads of Python run meanwhile.

    Parameters
    ----------
    world : World or Pool
        What is searched; for a pool, a world of it with this seed and trial.
    policy : str
        One of `inkling.POLICIES`.
    rounds : int
        How many documents are shown.
    random_state : int, Generator or None, default 0
        The seed.
    trial : int, default 0
        Another trial of the same seed has other draws.
    with_replacement : bool, default True
        Whether documents may be shown again.
    n_jobs : int, optional
        How many threads; the result is the same with any number.
    **settings
        Those of the policy, as of a Session. Without `first_rounds`, explore-then-commit is given the rounds after which every
        word that matters is marked with a probability of 0.95, half of them at most.

    Returns
    -------
    Trial
        All rounds.

    Examples
    --------
    >>> import inkling as ink
    >>> found = ink.run_trial(ink.World(noise=0.5), "ff-oful", rounds=100, noise=0.5)
    >>> bool(found.regret == found.curve[-1])
    True
    """
    if policy not in POLICIES:
        raise FormatError(f"policy {policy!r}", "expected one of " + ", ".join(POLICIES))
    refuse_unused(settings, [policy])
    seed = _checks.seed_of(random_state)
    number = _checks.whole("trial", trial, 0, 2**63)
    played = World(world, random_state=seed, trial=number) if isinstance(world, Pool) else world
    chosen: dict[str, Any] = {**settings}
    if "given" in chosen and isinstance(world, Pool):
        chosen["given"] = _features(world, chosen["given"])
    count = _checks.whole("rounds", rounds, 1, 2**40)
    entrant = _core.Entrant(_core.Preset(policy), _core.PolicyOptions(policy, chosen), count, seed, bool(with_replacement))
    return _played(played._core, entrant, number, _checks.threads_of(n_jobs))


def _played(world: _core.World, entrant: _core.Entrant, trial: int, threads: int) -> Trial:
    columns: dict[str, Any] = _core.run_trial(world, entrant, trial, threads)
    return Trial(**{**columns, "explored": columns["explored"].view(np.bool_)})


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
            trial = np.repeat(np.arange(len(curves)), self.rounds)
            number = np.tile(np.arange(1, self.rounds + 1), len(curves))
            columns = {"policy": policy, "trial": trial, "round": number}
            sums = {"regret": curves.ravel(), "reward": self.reward[policy].ravel()}
            frames.append(pd.DataFrame({**columns, **sums}))
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
                look = {"color": line.get_color(), "alpha": 0.2, "linewidth": 0}
                ax.fill_between(rounds, mean - error, mean + error, **look)
        ax.set_xlabel("round")
        ax.set_ylabel("regret")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        means = ", ".join(f"{policy} {curves[:, -1].mean():.4g}" for policy, curves in self.regret.items())
        return f"<Simulation of {self.rounds} rounds; mean regret: {means}>"


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
    **settings: Unpack[SimulatedSettings],
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
    count = _checks.whole("rounds", rounds, 1, 2**40)
    repeats = _checks.whole("trials", trials, 1, 2**31)
    seed = _checks.seed_of(random_state)
    for name in names:
        if name not in POLICIES:
            raise FormatError(f"policy {name!r}", "expected one of " + ", ".join(POLICIES))
    refuse_unused(settings, names)
    result = Simulation(count)
    reader: dict[str, Any] = {"reward": reward, "relevant": relevant, "noise": noise, "marks": marks, "mark_probability": mark_probability}
    same: dict[str, Any] = {"random_state": seed, "with_replacement": with_replacement, "n_jobs": n_jobs}
    chosen: dict[str, Any] = {**settings}
    if "given" in chosen:
        chosen["given"] = _features(pool, chosen["given"])
    for name in names:
        ridges: tuple[Any, ...] = TUNING if tune and name in _core.tuned_policies() else (chosen.get("ridge"),)
        for ridge in ridges:
            given = of_policy({"noise": noise, **chosen, "ridge": ridge}, name)
            played = []
            for number in _with_bar(range(repeats), progress):
                world = World(pool, **reader, random_state=seed, trial=number)
                played.append(run_trial(world, name, rounds=count, trial=number, **same, **given))
            regret = np.cumsum([one.regrets for one in played], axis=1)
            if name in result.regret and regret[:, -1].mean() >= result.regret[name][:, -1].mean():
                continue
            result.regret[name], result.reward[name] = regret, np.cumsum([one.rewards for one in played], axis=1)
            result.documents[name] = np.array([one.documents for one in played])
            if len(ridges) > 1:
                result.ridge[name] = ridge
    return result


def _features(pool: Pool, given: Iterable[Any]) -> list[int]:
    """Words or numbers of features as numbers, ascending."""
    return sorted(pool.feature(word) if isinstance(word, str) else word for word in given)


def _with_bar(trials: range, progress: bool | None) -> Iterable[int]:
    tqdm = tqdm_if_installed() if progress else None
    bar: Iterable[int] = trials if tqdm is None else tqdm(trials, unit=" trials")
    return bar
