#!/usr/bin/env python3
"""asreview_extension.py FILE...: reviews in ASReview with its default model elas_u4 and with our extension, `asreview-inkling`.

A file holds JSON lines with title, abstract and included. Both begin with the same relevant and the same irrelevant record, and end when
all relevant ones are found. Prints the loss and the time of a cycle. Needs asreview, and the extension (pip install -e
io/doors/python/asreview).
"""

import gzip
import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from asreview import ActiveLearningCycle, ActiveLearningCycleData
from asreview.metrics import loss
from asreview.models.models import AI_MODEL_CONFIGURATIONS
from asreview.simulation.simulate import Simulate

MODELS = {
    "elas_u4": next(one["value"] for one in AI_MODEL_CONFIGURATIONS if one["name"] == "elas_u4"),
    "inkling": ActiveLearningCycleData(querier="max", classifier="inkling", feature_extractor="inkling-words"),
}


def review(path, model):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    labels = np.array([int(one["included"]) for one in records])
    chance = np.random.default_rng(7)
    known = [int(chance.choice(np.flatnonzero(labels == label))) for label in (1, 0)]
    cycle = ActiveLearningCycle.from_meta(MODELS[model])
    X = cycle.transform(pd.DataFrame({name: [one.get(name) or "" for one in records] for name in ("title", "abstract")}))
    run = Simulate(X, pd.Series(labels), [cycle], skip_transform=True, print_progress=False)
    run.label(known)
    begin = time.perf_counter()
    run.review()
    read = run._results["label"].tolist()[2:]
    return loss(read + [0] * (len(labels) - 2 - len(read))), 1e3 * (time.perf_counter() - begin) / len(read)


if __name__ == "__main__":
    found = {model: [] for model in MODELS}
    for path in map(Path, sys.argv[1:]):
        for model in MODELS:
            found[model].append(review(path, model))
        said = ", ".join(f"{model} {found[model][-1][0]:.4f} at {found[model][-1][1]:.1f} ms a cycle" for model in MODELS)
        print(f"{path.name.split('.')[0]}: loss {said}", flush=True)
    ratios = [statistics.mean(a[n] / b[n] for a, b in zip(found["inkling"], found["elas_u4"], strict=True)) for n in (0, 1)]
    print(f"inkling / elas_u4, mean of {len(found['inkling'])}: loss {ratios[0]:.3f}, time {ratios[1]:.2f}")
