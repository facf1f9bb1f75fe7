"""What a rule in a row is worth in small collections: parts of systematic reviews."""
import math

from inkling import _core

from lab.estimates import estimate
from lab.searches import setting_of, sizes_of
from lab.stop_rules import endings, without_good
from lab.texts import screened_reviews
from lab.trials import Study

from beyond.stopping import reader

TITLE = "When to stop: small collections"
PLACE = "Beyond the paper: rules for stopping"
SIZES = (100, 200, 400, 800)
SHARES = (0.25, 0.35, 0.5)


def studies(run):
    made = []
    for size in SIZES:
        for data in screened_reviews(run):
            setting, labels, wanted = setting_of(size), data.labels.tolist(), data.names.index("1")
            documents = min(size, sum(sizes_of(data, [wanted], setting)[0])) - 1

            def world(trial, data=data, labels=labels, setting=setting, wanted=wanted):
                return _core.search_world(data.pool._core, labels, None, setting, wanted, run.seed, trial)

            about = f"stopping in parts of {size} of {data.name} {data.pool.fingerprint()} seed {run.seed}"
            made.append(Study(f"{size} of {data.name}", world, about, run.share_of_trials(0.4), [reader(run, documents)], 0))
    return made


def show(figure, results, run):
    figure.text("""Each search begins with one relevant record of a random part of a systematic review, and a rule ends it after so many bad ones in a row:
a share of the part, at least 10 and at most 200.""")
    rows = []
    for size in SIZES:
        searches = [one for study in results.studies if study.startswith(f"{size} of ") for one in results[study]]
        for share in SHARES:
            reached, found, read, _, running = endings(searches, without_good(max(10, min(200, math.ceil(size * share)))))
            rows.append([size, f"{share:.0%}", len(found), f"{estimate(reached).mean:.0f}", f"{estimate(found).mean:.1f}",
                         f"{estimate(read).mean:.1f}", running])
    figure.table("How searches of small collections end (means)", ["records", "in a row", "searches", "95 % found in %", "found %", "read %",
                 "never stopped"], rows, first_number=0, open_=True)
