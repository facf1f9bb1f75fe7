"""race.py: what the peers of `inkling-bench race` share: the problem, the clock and the answer.

A peer is called as PEER.py MATRIX WORK. MATRIX is a folder with the documents as scipy.sparse.csr_matrix has them
(indptr.npy, indices.npy, data.npy); WORK holds features.npy (the relevant features, ascending), rewards.npy (one a
document) and problem.json (documents, features, rounds, seconds, ridge, noise, norm_bound, delta). It prints one JSON
object a line for each way that it has. `choices` of a way whose method is "same" must be ours.

A round: choose a document that was not chosen yet, see its reward, learn. The clock covers choosing and learning.
"""
import importlib
import json
import math
import os
import re
import sys
import time

import numpy as np
import scipy.sparse as sp


class Problem:
    def __init__(self, matrix, work):
        with open(os.path.join(work, 'problem.json'), encoding='utf-8') as file:
            said = json.load(file)
        vars(self).update(said)  # rounds, seconds, ridge, noise, norm_bound and delta
        load = lambda name: np.load(os.path.join(matrix, name + '.npy'), mmap_mode='r')
        whole = sp.csr_matrix((load('data'), load('indices'), load('indptr')),
                              shape=(said['documents'], said['features']), copy=False)
        rows = whole[:, np.load(os.path.join(work, 'features.npy'))].astype(np.float64).tocsr()
        rows.sort_indices()
        self.documents = rows  # on the relevant features alone, CSR, float64
        self.rewards = np.load(os.path.join(work, 'rewards.npy'))

    def radius(self, log_det_ratio=0.0):
        """What our policies multiply the width by; log_det_ratio is ln det V - k ln ridge, 0 before a reward."""
        return (self.noise * math.sqrt(max(log_det_ratio, 0.0) - 2 * math.log(self.delta)) +
                math.sqrt(self.ridge) * self.norm_bound)

    def same_if_constant(self):
        """The method of a peer with a constant radius: ours where noise is 0, because then ours is constant."""
        return 'same' if self.noise == 0 else 'other'


def problem_from_arguments():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    return Problem(sys.argv[1], sys.argv[2])


def needs(package):
    """"PACKAGE VERSION", or the end of this program with one line that says that the package is not installed."""
    try:
        module = importlib.import_module(package)
    except ImportError:
        print(json.dumps({'name': package, 'skipped': package + ' is not installed'}), flush=True)
        raise SystemExit(0) from None
    return f"{package} {getattr(module, '__version__', '')}".strip()


def blas():
    """The libraries for linear algebra that this process has loaded: "openblas-pthread/libblas.so.3"."""
    found = set()
    with open('/proc/self/maps', encoding='utf-8') as maps:
        for line in maps:
            path = line.split(maxsplit=5)[-1].strip()
            if re.fullmatch(r'lib.*(blas|mkl_core|blis|atlas).*', os.path.basename(path)):
                found.add('/'.join(path.split('/')[-2:]))
    return ' '.join(sorted(found))


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


def run(problem, name, method, about, scores, learn):
    """scores() -> a new array, one number a document; learn(document, reward). The best document that was not played
    is played, the first of equals. Prints the line. Ends early when the seconds are used up."""
    reset_peak()
    times, choices = [], []
    gone = np.zeros(problem.documents.shape[0], dtype=bool)
    started = time.perf_counter()
    for _ in range(problem.rounds):
        begin = time.perf_counter()
        values = scores()
        values[gone] = -np.inf
        document = int(np.argmax(values))
        learn(document, problem.rewards[document])
        gone[document] = True
        end = time.perf_counter()
        times.append(end - begin)
        choices.append(document)
        if end - started > problem.seconds and len(times) >= 3:
            break
    print(json.dumps({
        'name': name, 'method': method, 'about': about, 'rounds': len(times),
        'median_seconds': float(np.median(times)), 'mean_seconds': float(np.mean(times)),
        'peak_bytes': peak_bytes(), 'blas': blas(), 'choices': choices}), flush=True)
