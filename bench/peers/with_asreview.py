#!/usr/bin/env python3
"""with_asreview.py POOL TOPIC [OPTION]...: a search with the package ASReview and its default model, elas_u4.

POOL is a pool that keeps its texts and labels (`inkling build --keep-text`), or a file of JSON lines with the
members `text` and `label`. TOPIC is the label that is wanted. It prints one JSON object: how many of the documents
shown were wanted after 25, 100, 200, 400 and 768 of them (`found`), and the milliseconds a choice, with training.

The features are the package's own, of words and pairs of words, made anew from the texts; with --features pool,
those of the pool. Documents are rated in the rounds of the package's own `Simulate`. The first document is given
and not counted. ASReview trains only on both sides: until a document of the other side was shown, documents are
drawn at random, or taken in the order of the pool with --start top-down, as the package itself does.

Needs: pip install asreview
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

import race

version = race.needs('asreview')
import numpy as np
import pandas as pd
import scipy.sparse as sp
from asreview.learner import ActiveLearningCycle
from asreview.models.models import get_ai_config
from asreview.simulation.simulate import Simulate

COUNTS = (25, 100, 200, 400, 768)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('pool', metavar='POOL')
    parser.add_argument('topic', metavar='TOPIC')
    parser.add_argument('--inkling', default='inkling', metavar='PROGRAM', help='reads the pool')
    parser.add_argument('--first', type=int, metavar='ROW', help='the document that is given; else one drawn')
    parser.add_argument('--rounds', type=int, default=768, metavar='N')
    parser.add_argument('--seed', type=int, default=1, metavar='N')
    parser.add_argument('--features', choices=('own', 'pool'), default='own')
    parser.add_argument('--start', choices=('random', 'top-down'), default='random')
    return parser.parse_args()


def lines_of_pool(given):
    """What `inkling show` says of each document. Few at a time: an argument list has an end."""
    run = lambda *words: subprocess.run([given.inkling, *words], check=True, stdout=subprocess.PIPE).stdout
    documents = json.loads(run('info', given.pool, '--json'))['documents']
    lines = []
    for first in range(0, documents, 1000):
        rows = map(str, range(first, min(first + 1000, documents)))
        lines += run('show', given.pool, *rows, '--words', '0', '--json').decode().splitlines()
    return lines


def documents_of(given):
    """Each with its members `label` and, where features are made of it, `text`."""
    if os.path.isdir(given.pool):
        lines = lines_of_pool(given)
    else:
        with open(given.pool, encoding='utf-8') as file:
            lines = file.read().splitlines()
    documents = [json.loads(line) for line in lines]
    for member in ('label', 'text') if given.features == 'own' else ('label',):
        if any(member not in document for document in documents):
            raise SystemExit(f'{given.pool}: expected each document to have the member "{member}", found one '
                             'without; a pool has both where it was built of labelled documents with --keep-text')
    return documents


def matrix_of_pool(given):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'pool.npz')
        subprocess.run([given.inkling, 'export', given.pool, '--to', 'npz', '--out', path], check=True)
        return sp.load_npz(path).tocsr().astype(np.float64)


def first_document(given, labels):
    wanted = np.flatnonzero(labels)
    if not len(wanted):
        raise SystemExit(f'{given.pool}: expected documents with the label "{given.topic}", found none')
    if given.first is None:
        return int(np.random.default_rng(given.seed).choice(wanted))
    if not 0 <= given.first < len(labels):
        raise SystemExit(f'--first: expected a row from 0 to {len(labels) - 1}, got {given.first}')
    return given.first


def label_until_both_sides(search, labels, first, given):
    """In the package a cycle of its own does this; here not, as that one takes no sparse features."""
    others = np.delete(np.arange(len(labels)), first)
    if given.start == 'random':
        np.random.default_rng(given.seed).shuffle(others)
    search.label([first])
    for document in others[:given.rounds]:
        search.label([int(document)])
        if labels[document] != labels[first]:
            return


def main():
    given = arguments()
    documents = documents_of(given)
    labels = np.array([document['label'] == given.topic for document in documents], int)
    first = first_document(given, labels)
    model = ActiveLearningCycle.from_meta(get_ai_config('elas_u4')['value'])
    begin = time.perf_counter()
    if given.features == 'own':
        texts = [document['text'] for document in documents]
        features = model.transform(pd.DataFrame({'title': '', 'abstract': texts}))
    else:
        features = matrix_of_pool(given)
    made = time.perf_counter()
    np.random.seed(given.seed)  # LinearSVC draws from the generator of the process
    rounds = min(given.rounds, len(labels) - 1)
    search = Simulate(features, labels, model, stopper=rounds + 1, skip_transform=True, print_progress=False)
    label_until_both_sides(search, labels, first, given)
    search.review()
    end = time.perf_counter()
    shown = search._results['label'].to_numpy(dtype=int)[1:]
    print(json.dumps({
        'name': 'asreview elas_u4', 'about': f'{version}, {given.features} features', 'documents': len(labels),
        'features': int(features.shape[1]), 'wanted': int(labels.sum()), 'first': first,
        'rounds': len(shown), 'found': {str(n): int(shown[:n].sum()) for n in COUNTS if n <= len(shown)},
        'milliseconds_a_choice': round(1000 * (end - made) / len(shown), 3),
        'seconds_for_features': round(made - begin, 3)}), flush=True)


main()
