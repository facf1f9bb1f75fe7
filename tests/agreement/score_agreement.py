#!/usr/bin/python3
"""Shows that `inkling score --all --format npy` gives what NumPy computes from the same events: means, widths and
scores within 1e-9, the same contributions of words, the same best documents. With ff-oful the marked features are in use;
with oful all are; with soft-marks all are, and marks of any confidence set their prior precisions.

  score_agreement.py PROGRAM                                generated pools and events
  score_agreement.py PROGRAM --pool POOL --events EVENTS    one of your own, of any size

Exit code 77: NumPy is not installed.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)

TOLERANCE = 1e-9
RIDGE, NOISE, NORM_BOUND, DELTA = 1.0, 0.1, 1.0, 0.1
UNMARKED, MARKED = 4.0, 0.25
POLICIES = {
    'ff-oful': [], 'oful': [],
    # With these options none of the policy's defaults is used, and a word that is not marked says nothing.
    'soft-marks': ['--unmarked-precision', str(UNMARKED), '--marked-precision', str(MARKED),
                   '--mark-probability', '1e-9']}


class Pool:
    """A pool's rows and words, mapped."""

    def __init__(self, path):
        def mapped(name):
            return np.load(os.path.join(path, name), mmap_mode='r')
        self.indptr, self.indices, self.data = mapped('indptr.npy'), mapped('indices.npy'), mapped('data.npy')
        self.features = len(mapped('by_feature/indptr.npy')) - 1
        self.columns = [mapped('by_feature/' + name) for name in ('indptr.npy', 'indices.npy', 'data.npy')]
        self.original = np.arange(len(self.indptr) - 1)
        if os.path.exists(os.path.join(path, 'documents/copies.npy')):
            self.original[mapped('documents/copies.npy')] = mapped('documents/originals.npy')
        self.words = {}
        if os.path.exists(os.path.join(path, 'vocabulary.txt')):
            with open(os.path.join(path, 'vocabulary.txt'), encoding='utf-8', newline='\n') as file:
                self.words = {word: j for j, word in enumerate(file.read().split('\n')[:-1])}

    def documents(self):
        return len(self.indptr) - 1

    def dense_columns(self, features):
        """The columns of these features as a dense matrix, read one by one from the layout by feature."""
        begins, rows, values = self.columns
        matrix = np.zeros((self.documents(), len(features)))
        for position, feature in enumerate(features):
            part = slice(begins[feature], begins[feature + 1])
            matrix[rows[part], position] = values[part]
        return matrix


def read_events(path, pool):
    with open(path, encoding='utf-8') as file:
        for line in file:
            if line.strip():
                event = json.loads(line)
                marks = [mark if isinstance(mark, dict) else {'feature': mark, 'confidence': 1.0}
                         for mark in event.get('features') or []]
                yield event['document'], event['reward'], {
                    pool.words[mark['feature']] if isinstance(mark['feature'], str) else mark['feature']:
                    mark['confidence'] for mark in reversed(marks)}


def one_of_each_text(events, pool):
    """Events with each answer about a copy moved to the first document of its text, of which the last rating counts."""
    told = [(int(pool.original[document]), reward, marks) for document, reward, marks in events]
    last = {document: n for n, (document, _, _) in enumerate(told)}
    return [event for n, event in enumerate(told) if last[event[0]] == n]


def prior_of(policy, pool, events):
    """The features in use and the prior precision of each."""
    marks = [item for _, _, marked in events for item in marked.items()]
    if policy == 'ff-oful':
        features = list(dict.fromkeys(feature for feature, _ in marks))
        return features, np.full(len(features), RIDGE)
    if policy == 'oful':
        return range(pool.features), np.full(pool.features, RIDGE)
    doubt = np.ones(pool.features)
    for feature, confidence in marks:
        doubt[feature] *= 1 - confidence
    return range(pool.features), 1 / ((1 - doubt) / MARKED + doubt / UNMARKED)


def expected_scores(policy, pool, events, block=1 << 18):
    """Mean, width and ucb of every document: one ridge regression on the features in use."""
    features, precisions = prior_of(policy, pool, events)
    x = pool.dense_columns(features)
    played = x[[document for document, _, _ in events]]
    rewards = np.array([reward for _, reward, _ in events], dtype=float)
    gram = np.diag(precisions) + played.T @ played
    theta = np.linalg.solve(gram, played.T @ rewards)
    log_det_ratio = np.linalg.slogdet(gram)[1] - np.sum(np.log(precisions))
    radius = NOISE * np.sqrt(log_det_ratio + 2 * np.log(1 / DELTA)) + np.sqrt(RIDGE) * NORM_BOUND
    if policy == 'soft-marks':
        radius = NOISE * np.sqrt(np.log(len(events) + 2))
    mean, width = x @ theta, np.empty(len(x))
    for begin in range(0, len(x), block):
        rows = x[begin:begin + block]
        width[begin:begin + block] = np.sqrt(np.einsum('ij,ij->i', rows, np.linalg.solve(gram, rows.T).T))
    return mean, width, mean + radius * width


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, f'{" ".join(command)}: {result.stderr}'


def score(program, pool, events, out, *options):
    run(program, 'score', pool, '--events', events, '--out', out, *options)


def compare(name, policy, program, pool_path, events_path, folder):
    pool = Pool(pool_path)
    events = one_of_each_text(read_events(events_path, pool), pool)
    mean, width, ucb = expected_scores(policy, pool, events)
    chosen = ['--policy', policy] + POLICIES[policy]
    out = os.path.join(folder, 'scores.npy')
    for options in ([], ['--io', 'read'], ['--layout', 'rows'], ['--layout', 'postings'], ['--threads', '1']):
        score(program, pool_path, events_path, out, '--all', '--format', 'npy', *chosen, *options)
        scores = np.load(out)
        assert np.array_equal(scores['document'], np.arange(len(mean))), f'{name}: other rows'
        worst = max(float(np.max(np.abs(scores[field] - expected), initial=0.0))
                    for field, expected in (('mean', mean), ('width', width), ('ucb', ucb)))
        assert worst <= TOLERANCE, f'{name} {policy} {options}: scores differ by {worst}'
    plays = np.bincount([document for document, _, _ in events], minlength=len(mean))[pool.original]
    assert np.array_equal(scores['played'], plays), f'{name}: other plays'
    score(program, pool_path, events_path, out, '--top', '20', '--format', 'npy', *chosen)
    remaining = np.flatnonzero(plays == 0)
    best = remaining[np.argsort(-scores['ucb'][remaining], kind='stable')][:20]
    assert np.array_equal(np.load(out)['document'], best), f'{name}: other documents are the best'
    print(f'{name}, {policy}: {len(mean)} documents, {len(events)} events, greatest difference {worst:.1e}')


def check_generated(program):
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(4):
            rng = random.Random(seed)
            words = [f'w{n:03d}' for n in range(rng.choice([5, 60, 400]))]
            texts = [rng.choices(words, weights=[1 / (n + 1) for n in range(len(words))], k=rng.choice([0, 2, 30]))
                     for _ in range(500)]
            corpus, pool, events = (os.path.join(folder, f'{name}{seed}') for name in ('corpus', 'pool', 'events'))
            with open(corpus, 'w', encoding='utf-8') as file:
                file.writelines(' '.join(text) + '\n' for text in texts)
            run(program, 'build', corpus, '--format', 'lines', '--out', pool)
            known = sorted(Pool(pool).words)
            with open(events, 'w', encoding='utf-8') as file:
                for document in rng.sample(range(len(texts)), 50):
                    held = [word for word in texts[document] if word in known]
                    marks = rng.sample(held, min(len(held), rng.choice([0, 1, 2])))
                    marks += rng.choice([[], [rng.choice(known)]])
                    marks = [rng.choice([mark, {'feature': mark, 'confidence': 0.5}]) for mark in marks]
                    file.write(json.dumps({'document': document, 'reward': rng.gauss(0, 1), 'features': marks}) + '\n')
            for policy in POLICIES:
                compare(f'seed {seed}', policy, program, pool, events, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('--pool')
    parser.add_argument('--events')
    parser.add_argument('--policy', choices=POLICIES, default='ff-oful', help='of one of your own: oful and soft-marks '
                        'are dense here, and need a pool of few features')
    arguments = parser.parse_args()
    if not arguments.pool:
        check_generated(arguments.program)
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(os.path.basename(arguments.pool), arguments.policy, arguments.program, arguments.pool, arguments.events, folder)


main()
