"""Searches with ASReview's own package, by bench/peers/screen_with_asreview.py."""
import json
import os
import subprocess
from types import SimpleNamespace

from inkling import _core

from lab.trials import checkpoints

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
    """A trial as it is kept. Regret and reward follow from what was found: documents are worth 1 or -1, and a perfect search begins
    with all wanted ones."""
    start = _core.start_of_screening(data.is_relevant, seed, trial)
    said = answer(run, data.path, "--given", ",".join(map(str, start)), "--seed", str(trial))
    found, wanted = said["found_at"], sum(data.is_relevant) - 1
    if len(found) != wanted or found != sorted(set(found)) or not 1 <= found[0] <= found[-1] <= data.to_show:
        raise RuntimeError(f"screen_with_asreview.py: expected {wanted} ascending ranks from 1 to {data.to_show}, got {found}")
    shown, curve = found[-1], []
    for at in checkpoints(data.to_show):
        until = min(at, shown)
        curve.append(2.0 * (min(until, wanted) - sum(one <= until for one in found)))
    return {"regret": curve[-1], "reward": 2.0 * len(found) - shown, "explored": 0, "seconds": said["seconds"], "slowest": 0.0, "words": 0,
            "all_found_at": None, "wanted": wanted, "curve": curve, "found_at": found, "guesses": [], "shown": shown}
