"""What rules for stopping are worth, in systematic reviews."""
from functools import partial

from inkling import _core

from lab.stop_rules import show_kinds
from lab.texts import screened_reviews
from lab.trials import Study

from beyond.stopping import reader

TITLE = "When to stop: systematic reviews"
PLACE = "Beyond the paper: rules for stopping"


def studies(run):
    made = []
    for data in screened_reviews(run):
        world = partial(_core.screening_world, data.pool._core, data.is_relevant, [], None, run.seed ^ _core.checksum(data.name))
        about = f"stopping in {data.name} {data.pool.fingerprint()} seed {run.seed}"
        rows = [("records", f"{data.pool.shape[0]:,}")]
        made.append(Study(data.name, world, about, run.share_of_trials(0.2), [reader(run, data.to_show)], 0, rows))
    return made


def show(figure, results, run):
    figure.text(f"""The rules of [the figure before](#stopping) in systematic reviews. Each search begins with one relevant and one irrelevant record,
{next(iter(results.studies.values())).trials} searches of each review.""")
    show_kinds(figure, {"systematic reviews": [one for study in results.studies for one in results[study]]}, run)
