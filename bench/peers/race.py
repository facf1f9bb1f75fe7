"""race.py: what the peers of `inkling-bench race` share: the problem they are given, the clock, and the answer.

A peer is called as PEER.py MATRIX WORK. MATRIX is a folder with the documents as scipy.sparse.csr_matrix has them
(indptr.npy, indices.npy, data.npy); WORK holds features.npy (the relevant features, ascending), rewards.npy (one a
document) and problem.json (documents, features, rounds, seconds, ridge, noise, norm_bound, delta). It prints one JSON
object a line for each way it has; `choices` of a way whose method is "same" must be ours.

A round is: choose a document that was not chosen yet, see its reward, learn. The clock covers choosing and learning.
"""
import json
import math
import os
import sys
import time

import numpy as np
import scipy.sparse as sp


class Problem:
    def __init__(self, matrix, work):
        with open(os.path.join(work, 'problem.json'), encoding='utf-8') as file:
            said = json.load(file)
        self.rounds, self.seconds = said['rounds'], said['seconds']
        self.ridge, self.noise = said['ridge'], said['noise']
        self.norm_bound, self.delta = said['norm_bound'], said['delta']
        self.shape = (said['documents'], said['features'])
        self.matrix = matrix
        self.features = np.load(os.path.join(work, 'features.npy'))
        self.rewards = np.load(os.path.join(work, 'rewards.npy'))

    def documents(self):
        """The documents on the relevant features alone, CSR, float64."""
        load = lambda name: np.load(os.path.join(self.matrix, name + '.npy'), mmap_mode='r')
        whole = sp.csr_matrix((load('data'), load('indices'), load('indptr')), shape=self.shape, copy=False)
        restricted = whole[:, self.features].astype(np.float64).tocsr()
        restricted.sort_indices()
        return restricted

    def radius(self, log_det_ratio):
        """What our policies multiply the width by; log_det_ratio is ln det V - k ln ridge."""
        return (self.noise * math.sqrt(log_det_ratio - 2 * math.log(self.delta)) +
                math.sqrt(self.ridge) * self.norm_bound)

    def constant_radius(self):
        """For those that cannot change it: the radius before the first reward."""
        return self.radius(0.0)

    def same_if_constant(self):
        """The method of those: the same as ours where noise is 0, for then our radius is constant, too."""
        return 'same' if self.noise == 0 else 'other'


def problem_from_arguments():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    return Problem(sys.argv[1], sys.argv[2])


def skip(name, reason):
    print(json.dumps({'name': name, 'skipped': reason}), flush=True)
    raise SystemExit(0)


def peak_bytes():
    with open('/proc/self/status', encoding='ascii') as status:
        for line in status:
            if line.startswith('VmHWM'):
                return int(line.split()[1]) * 1024
    return 0


def reset_peak():
    try:
        with open('/proc/self/clear_refs', 'w', encoding='ascii') as file:
            file.write('5')
    except OSError:
        pass


class Played:
    """Puts what was played out of reach, and finds the best of the rest; ties go to the lowest document."""

    def __init__(self, documents):
        self.gone = np.zeros(documents, dtype=bool)

    def best(self, scores):
        scores[self.gone] = -np.inf
        return int(np.argmax(scores))


def run(problem, name, method, about, choose, learn):
    """choose() -> document, learn(document, reward); prints the line. Ends early when the seconds are used up."""
    reset_peak()
    times, choices = [], []
    started = time.perf_counter()
    for _ in range(problem.rounds):
        begin = time.perf_counter()
        document = choose()
        learn(document, problem.rewards[document])
        end = time.perf_counter()
        times.append(end - begin)
        choices.append(document)
        if end - started > problem.seconds and len(times) >= 3:
            break
    print(json.dumps({
        'name': name, 'method': method, 'about': about, 'rounds': len(times),
        'median_seconds': float(np.median(times)), 'mean_seconds': float(np.mean(times)),
        'peak_bytes': peak_bytes(), 'choices': choices}), flush=True)
