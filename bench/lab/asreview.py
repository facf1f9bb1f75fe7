"""Systematic reviews as studies, also with ASReview's own package, by bench/peers/screen_with_asreview.py."""
import json
import os
import subprocess
import time
from functools import partial
from types import SimpleNamespace

from inkling import DEFAULT_POLICY, _core

from lab.review_readers import ReaderOfRead, found_by, marks_of_expert, marks_of_phrases, marks_of_question, telling_words, words_of_question
from lab.texts import screened_reviews
from lab.trials import Entrant, Study, checkpoints

ELAS = "asreview elas_u4"
# By name in tables: the end of the study's name, and who plays there.
METHODS = {"inkling": ("", DEFAULT_POLICY), "inkling, words of the question": ("-question", DEFAULT_POLICY),
           "inkling, marks of the question's words": ("-question-marks", DEFAULT_POLICY),
           "inkling, marks of the question and what was read": ("-read-marks", DEFAULT_POLICY),
           "inkling, phrases marked": ("-phrases", DEFAULT_POLICY),
           "inkling, marks by half of the labels": ("-half-marks", DEFAULT_POLICY),
           "inkling, 3 marks": ("-marks", DEFAULT_POLICY), "inkling, 20 words": ("-words", DEFAULT_POLICY),
           "autotar": ("", "autotar"), ELAS: ("-asreview", ELAS)}
SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "peers", "screen_with_asreview.py")


def answer(run, *arguments):
    """The object that the script printed last. Raises RuntimeError if it failed."""
    limits = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    try:
        done = subprocess.run([run.python, SCRIPT, *arguments], capture_output=True, text=True, check=True, env=os.environ | limits)
        return json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError) as error:
        raise RuntimeError(f"screen_with_asreview.py: {getattr(error, 'stderr', None) or error}") from error


def find_asreview(run):
    """The version of the package, or why it is missing."""
    if "asreview" not in run.cache:
        try:
            said = answer(run, "--version")
        except RuntimeError as error:
            said = {"skipped": str(error)}
        run.cache["asreview"] = SimpleNamespace(version=said.get("version", ""), missing=said.get("skipped", ""))
    return run.cache["asreview"]


def search_with(run, package, data, seed, world, trial):
    """A trial of ASReview's package."""
    start = _core.start_of_screening(data.is_relevant, seed, trial)
    said = answer(run, data.path, "--given", ",".join(map(str, start)), "--seed", str(trial))
    found, wanted = said["found_at"], sum(data.is_relevant) - 1
    if len(found) != wanted or found != sorted(set(found)) or not 1 <= found[0] <= found[-1] <= data.to_show:
        raise RuntimeError(f"screen_with_asreview.py: expected {wanted} ascending ranks from 1 to {data.to_show}, got {found}")
    return kept_search(data, found, said["seconds"])


def search_and_mark(data, seed, world, trial):
    """A trial of a reader whose marks depend on what was read before."""
    begun = time.perf_counter()
    found = found_by(ReaderOfRead(data), _core.start_of_screening(data.is_relevant, seed, trial), trial)
    return kept_search(data, found, time.perf_counter() - begun)


def kept_search(data, found, seconds):
    """A trial as it is kept. Regret and reward follow from what was found: documents are worth 1 or -1, and a perfect search begins
    with all wanted ones."""
    wanted, shown, curve = len(found), found[-1], []
    for at in checkpoints(data.to_show):
        until = min(at, shown)
        curve.append(2.0 * (min(until, wanted) - sum(one <= until for one in found)))
    return {"regret": curve[-1], "reward": 2.0 * len(found) - shown, "explored": 0, "seconds": seconds, "slowest": 0.0, "words": 0,
            "all_found_at": None, "wanted": wanted, "curve": curve, "found_at": found, "guesses": [], "shown": shown}


def review_studies(run):
    trials, package, made = run.share_of_trials(0.3 if run.quick else 0.2), find_asreview(run), []
    for data in screened_reviews(run):
        core, words = data.pool._core, telling_words(data, data.labels)
        marks = _core.marks_in_relevant(core, data.is_relevant, words, 3)
        seed = run.seed ^ _core.checksum(data.name)
        entrants = {name: run.entrant(name, data.to_show, run.label_noise, with_replacement=False, end=(1.0, 0, 0))
                    for name in (DEFAULT_POLICY, "autotar")}
        rows = [("records of the first review", f"{data.pool.shape[0]:,}"), ("relevant of them", f"{sum(data.is_relevant):,}"),
                ("features of its pool, made as inkling build makes it by default", f"{data.pool.shape[1]:,}")]

        def study(end, players, rated=(), marked=None, confidence=1.0, data=data, seed=seed, rows=rows):
            def world(trial):
                made = _core.screening_world(data.pool._core, data.is_relevant, marked, seed, trial)
                made.begin_with_words(list(rated), confidence)
                return made

            about = f"screening of {data.name} {data.pool.fingerprint()} {end} {words} seed {run.seed}"
            return Study(data.name + end, world, about, trials, players, 0, rows)

        made += [study("", list(entrants.values())), study("-marks", [entrants[DEFAULT_POLICY]], marked=marks),
                 study("-words", [entrants[DEFAULT_POLICY]], rated=words),
                 study("-phrases", [entrants[DEFAULT_POLICY]], marked=marks_of_phrases(data, run.seed)),
                 study("-half-marks", [entrants[DEFAULT_POLICY]], marked=marks_of_expert(data, run.seed))]
        if data.question:
            made += [study("-question", [entrants[DEFAULT_POLICY]], rated=words_of_question(data), confidence=_core.proposed_confidence),
                     study("-question-marks", [entrants[DEFAULT_POLICY]], marked=marks_of_question(data)),
                     study("-read-marks", [Entrant(DEFAULT_POLICY, DEFAULT_POLICY, data.to_show,
                                                   program=partial(search_and_mark, data, seed))])]
        if package.version:
            player = Entrant(ELAS, ELAS, data.to_show, program=partial(search_with, run, package, data, seed))
            made.append(study("-asreview", [player]))
    return made
