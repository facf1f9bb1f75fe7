"""The settings of a run: how long, how often, and what the paper leaves open."""
import os
import sys
import time
from dataclasses import dataclass, field

from lab.trials import Entrant

GRID = tuple(2.0**power for power in range(-7, 11))  # over which the paper tunes OFUL


@dataclass
class Run:
    """Values that the paper does not give are called open."""

    folder: str
    quick: bool = False  # every other ridge and a quarter of each horizon: the shapes, not the figures
    trials: int = 100  # the paper's
    tuning_trials: int = 10
    seed: int = 1
    noise: float = 0.5  # R of rewards x.theta* + noise; open
    norm_bound: float = 1.0  # S, and the norm of theta*; open
    logistic_norm: float = 5.0  # the same where a logistic makes rewards +1 or -1; open
    label_noise: float = 0.1  # R given to policies if a label is the reward, which has no noise; open
    delta: float = 0.1  # open
    words: int = 8  # drawn for a synthetic document; open
    mark_probability: float = 0.1  # p, the paper's
    rounds: int | None = None  # in place of each figure's own horizon
    data: str = "build/datasets"
    threads: int = 1
    python: str = "python3"  # has ASReview's package
    pool: str | None = None  # of a user, for the searches
    rows: str = "unit"  # of real text: of length 1 over the words kept; "selected": over all words; "raw": TF-IDF without a norm; open
    target: str = "article"  # theta* where messages are rated: a message, or "classifier", which tells its topic from the rest; open
    topic_words: str | None = None  # a file of words that people marked, in place of a simulated person
    planned: int = 0  # rounds
    done: int = 0
    cache: dict = field(default_factory=dict)  # the data of the run, by name

    def horizon(self, usual):
        return self.rounds or (max(1, usual // 4) if self.quick else usual)

    def ridges(self, step=1):
        return GRID[:: 2 * step if self.quick else step]

    def share_of_trials(self, share):
        """This share of the trials, but not fewer than two, which show a spread."""
        return max(min(self.trials, 2), int(share * self.trials + 0.5))

    def entrant(self, policy, rounds, noise=None, name=None, **more):
        """An entrant with the run's seed, that is given the noise (by default that of the run), S and delta."""
        settings = {"noise": self.noise if noise is None else noise, "norm_bound": self.norm_bound, "delta": self.delta}
        settings |= more.pop("settings", {})
        return Entrant(name or policy, policy, rounds, self.seed, settings, **more)

    def kept(self, *names):
        """A folder below the run's, which is made."""
        path = os.path.join(self.folder, "kept", *names)
        os.makedirs(path, exist_ok=True)
        return path

    @staticmethod
    def note(text):
        print(f"lab: {text}", file=sys.stderr)

    def progress(self, rounds):
        self.done += rounds
        now = time.monotonic()
        if sys.stderr.isatty() and self.planned and now > self.cache.get("next", 0):
            self.cache["next"] = now + 0.5
            print(f"\r{100 * self.done / self.planned:.0f} % of {self.planned:,} rounds ", end="", file=sys.stderr, flush=True)
