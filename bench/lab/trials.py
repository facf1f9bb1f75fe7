"""Studies: who plays in which worlds. Trials run in parallel, and each finished one is kept in a file."""
import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from functools import cache
from types import SimpleNamespace

import numpy as np
from inkling import _core
from inkling._settings import of_policy

from lab.estimates import difference, estimate, ratio, ridge_text

FIRST_TUNING_TRIAL = 1_000_000  # a trial that tunes must not count


@dataclass(frozen=True)
class Entrant:
    """A policy with its settings: a line of a plot."""

    name: str  # unique in its study
    policy: str
    rounds: int
    seed: int = 1
    settings: dict = field(default_factory=dict)  # those that the policy does not use are ignored
    with_replacement: bool = True
    ridges: tuple = ()  # the best one, in trials that do not count, plays
    subset_size: int | None = None
    end: tuple = ()  # share found, least rounds, rounds after that share was found
    guesses_every: int = 0
    words_at_standstill: int = 0
    program: object = None  # searches in place of a policy: a function of world and trial

    @property
    def ridge(self):
        return self.settings.get("ridge", 1.0)

    def at(self, ridge):
        return replace(self, settings={**self.settings, "ridge": ridge}, ridges=())

    def core(self):
        if self.policy in rivals():
            preset, options = _core.rival(self.policy), _core.PolicyOptions("random", {})
        else:
            preset, options = _core.Preset(self.policy), _core.PolicyOptions(self.policy, of_policy(self.settings, self.policy))
        entrant = _core.Entrant(preset, options, self.rounds, self.seed, self.with_replacement)
        entrant.subset_size, entrant.guesses_every = self.subset_size, self.guesses_every
        entrant.words_at_standstill = self.words_at_standstill
        if self.end:
            entrant.end(*self.end)
        return entrant


@cache
def rivals():
    """The policies of others, which a tree with the laboratory knows."""
    return frozenset(_core.rival_names()) if hasattr(_core, "rival_names") else frozenset()


@dataclass
class Study:
    """Every entrant of a trial meets the same world and draws, so a difference between them is not one between draws."""

    name: str
    world: object  # a function of the trial, called from any thread
    about: str  # everything that shapes the worlds: kept trials count only if it is unchanged
    trials: int
    entrants: list = field(default_factory=list)
    tuning_trials: int = 0  # for each ridge of an entrant that is tuned
    settings: list = field(default_factory=list)  # (name, value) of what shaped the worlds, as a reader sees it


@dataclass
class Result:
    """One entrant over all trials of a study, in order of trial."""

    entrant: Entrant  # as it played
    trials: list
    tuning: list = field(default_factory=list)  # (ridge, mean regret in the tuning trials)

    def by_trial(self, number):
        return [number(trial) for trial in self.trials] if callable(number) else [getattr(trial, number) for trial in self.trials]

    def mean(self, number="regret"):
        return estimate(self.by_trial(number))

    def minus(self, other, number="regret"):
        return difference(self.by_trial(number), other.by_trial(number))

    def over(self, other, number="regret"):
        return ratio(self.by_trial(number), other.by_trial(number))

    @property
    def setting(self):
        """The ridge as a table shows it."""
        if self.tuning:
            return ridge_text(self.entrant.ridge)
        return {"random": "-", "soft-marks": "by its rule"}.get(self.entrant.policy, ridge_text(self.entrant.ridge))

    def regret_until(self, until):
        """By trial, the regret summed up to a round, on straight lines between the places of the curve."""
        places = [0, *checkpoints(self.entrant.rounds)]
        after = next(n for n in range(1, len(places)) if places[n] >= until)
        start, end = places[after - 1], places[after]
        curves = ([0.0, *trial.curve] for trial in self.trials)
        return [curve[after - 1] + (curve[after] - curve[after - 1]) * (until - start) / (end - start) for curve in curves]


def checkpoints(rounds, points=200):
    count = min(rounds, points)
    return [rounds * n // count for n in range(1, count + 1)]


KEPT = {"regret": "regret", "reward": "reward", "explored": "explored_rounds", "seconds": "seconds", "slowest": "slowest",
        "words": "features_found", "all_found_at": "all_found_at", "wanted": "wanted"}


def play(study, entrants, number):
    """One trial of all entrants, as it is kept."""
    world = study.world(number)
    results = []
    for entrant in entrants:
        if entrant.program:
            results.append(entrant.program(world, number))
            continue
        played = _core.run_trial(world, entrant.core(), number, 1)
        kept = {name: played[source] for name, source in KEPT.items()}
        kept |= {name: played[name].tolist() for name in ("curve", "found_at", "guesses")}
        results.append(kept | {"shown": len(played["documents"])})
    return results


@cache
def program():
    """Which build this is: trials of another one are not taken over."""
    with open(_core.__file__, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def sealed(line, header):
    """The line with a checksum that covers the first line, too: so lines of other files are recognised."""
    return f"{line}\t{hashlib.sha256((header + line).encode()).hexdigest()[:16]}"


def finished_trials(path, header, note):
    """The trials of earlier runs with this header, and the file rewritten with them alone. A line that is cut off, changed or there twice
    is left out, and `note` says so; a file of other settings is left out whole."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            first, *lines = file.read().split("\n")[:-1] or [""]
    except FileNotFoundError:
        first, lines = "", []
    finished, kept = {}, [header]
    for line in lines if first == header else ():
        text = line.rpartition("\t")[0]
        trial = json.loads(text) if line == sealed(text, header) else {"trial": None}
        if trial["trial"] is not None and trial["trial"] not in finished:
            finished[trial["trial"]] = trial["results"]
            kept.append(line)
    if first == header and len(kept) <= len(lines):
        note(f"{path}: {len(lines) + 1 - len(kept)} lines damaged or there twice: left out, and trials that are missing run again")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write("\n".join(kept) + "\n")
    os.replace(path + ".new", path)
    return finished


def run_trials(study, entrants, numbers, path, run):
    """The trials of these numbers by entrant; those that the file holds are not run again."""
    about = [program(), study.about] + [repr(replace(entrant, program=bool(entrant.program))) for entrant in entrants]
    header = json.dumps({"trials_of": hashlib.sha256("\n".join(about).encode()).hexdigest(), "about": study.about})
    finished = finished_trials(path, header, run.note)
    missing = [number for number in numbers if number not in finished]
    rounds = sum(entrant.rounds for entrant in entrants)
    run.progress(rounds * (len(numbers) - len(missing)))
    with open(path, "a", encoding="utf-8") as file, ThreadPoolExecutor(run.threads) as workers:
        pending = {workers.submit(play, study, entrants, number): number for number in missing}
        try:
            for done in as_completed(pending):
                number = pending[done]
                finished[number] = done.result()
                file.write(sealed(json.dumps({"trial": number, "results": finished[number]}), header) + "\n")
                file.flush()
                run.progress(rounds)
        except BaseException:
            workers.shutdown(wait=False, cancel_futures=True)
            raise
    return [[SimpleNamespace(**finished[number][n]) for number in numbers] for n in range(len(entrants))]


def run_study(study, figure, run):
    """First the trials that tune, then those that count. The outcome is the same at any number of threads and however often the
    run was stopped, except for times."""
    path = os.path.join(run.kept("trials"), f"{figure}-{study.name}")
    results = [Result(entrant, []) for entrant in study.entrants]
    candidates = [(result, ridge) for result in results for ridge in result.entrant.ridges]
    if candidates:
        entrants = [replace(result.entrant.at(ridge), name=f"{result.entrant.name} at {ridge}") for result, ridge in candidates]
        numbers = range(FIRST_TUNING_TRIAL, FIRST_TUNING_TRIAL + study.tuning_trials)
        for (result, ridge), trials in zip(candidates, run_trials(study, entrants, numbers, path + "-tuning.jsonl", run)):
            result.tuning.append((ridge, Result(None, trials).mean()))
        for result in results:
            if result.tuning:
                result.entrant = result.entrant.at(min(result.tuning, key=lambda tried: tried[1].mean)[0])
    entrants = [result.entrant for result in results]
    for result, trials in zip(results, run_trials(study, entrants, range(study.trials), path + ".jsonl", run)):
        result.trials = trials
    return results


def rounds_of(study):
    """All that the study plays."""
    return sum(entrant.rounds * (study.trials + study.tuning_trials * len(entrant.ridges)) for entrant in study.entrants)
