#!/usr/bin/env python3
"""screen_with_asreview.py RECORDS --given ROW,ROW...: a systematic review with ASReview's package, model elas_u4.

RECORDS has one JSON object a line, as it is or packed by gzip, with `title`, `abstract` and `included` (0 or 1). The
records of these rows, counted from 0, are given and not counted; they must be of both sides. Then one record after the
other is shown until all that are included are found. It prints one JSON object: in which rounds they were shown
(`found_at`) and the seconds of choosing and training. `./dev beyond reviews` runs it, once for a search.

Features, balance, classifier and choice are the package's own. The loop is not its `Simulate`, which chooses the same
records and takes half as long again for its table of results.

Needs: pip install asreview
"""
import argparse
import gzip
import json
import os
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('records', metavar='RECORDS', nargs='?')
    parser.add_argument('--given', metavar='ROW,ROW', type=lambda rows: [int(row) for row in rows.split(',')])
    parser.add_argument('--seed', type=int, default=1, metavar='N', help="of the classifier's draws")
    parser.add_argument('--version', action='store_true', help='only print the version of the package')
    given = parser.parse_args()
    if not given.version and not (given.records and given.given):
        parser.error('expected RECORDS and --given')
    return given


def version():
    """Or the end of this program, with one line that says that the package is not installed."""
    try:
        import asreview
        import sklearn
    except ImportError:
        print(json.dumps({'skipped': 'asreview is not installed: pip install asreview'}), flush=True)
        raise SystemExit(0) from None
    return f'asreview {asreview.__version__}, scikit-learn {sklearn.__version__}'


def records_of(path):
    with (gzip.open if path.endswith('.gz') else open)(path, 'rt', encoding='utf-8-sig') as file:
        return [json.loads(line) for line in file if line.strip()]


def search(records, given):
    """The rounds in which records that are included were shown, and the seconds of all rounds."""
    import numpy as np
    import pandas as pd
    from asreview.learner import ActiveLearningCycle
    from asreview.models.models import get_ai_config
    model = ActiveLearningCycle.from_meta(get_ai_config('elas_u4')['value'])
    columns = ('title', 'abstract')
    features = model.transform(pd.DataFrame({name: [record.get(name) or '' for record in records]
                                             for name in columns}))
    labels = np.array([record['included'] for record in records])
    np.random.seed(given.seed)  # LinearSVC draws from the generator of the process
    shown, left = list(given.given), np.ones(len(labels), bool)
    left[shown] = False
    found_at = []
    begin = time.perf_counter()
    while labels[left].any():
        model.fit(features[shown], labels[shown])
        scores = model.classifier.decision_function(features)
        rows = np.flatnonzero(left)
        best = int(rows[model.querier.query(scores[rows])[0]])
        shown.append(best)
        left[best] = False
        if labels[best]:
            found_at.append(len(shown) - len(given.given))
    return found_at, time.perf_counter() - begin


def main():
    given = arguments()
    records = None if given.version else records_of(given.records)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # a package that asreview imports writes a cache into the current folder
        found = version()
        if given.version:
            print(json.dumps({'version': found}))
            return
        found_at, seconds = search(records, given)
    print(json.dumps({'found_at': found_at, 'seconds': round(seconds, 3)}), flush=True)


main()
