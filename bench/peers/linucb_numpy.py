#!/usr/bin/env python3
"""linucb_numpy.py MATRIX WORK: our method as one writes it in NumPy and SciPy, in float64, five ways.

  sm_sparse   V^-1 by Sherman-Morrison, every squared width lowered by one sparse product a round
  sm_tuned    the same; a played row is cut from the arrays of the matrix by hand, because SciPy takes long for that:
              the fastest that we could write
  sm_dense    the same with the relevant part of the pool as a dense array
  dense_tri   V factorised every round, widths by one triangular solve with all documents
  dense_cho   V factorised every round, widths by cho_solve with all documents: the plainest way
"""
import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

import race

BLOCK = 65536  # documents that are solved for at once, to limit the memory


def sparse_row_by_hand(rows):
    def row(i):
        x = np.zeros(rows.shape[1])
        at = slice(rows.indptr[i], rows.indptr[i + 1])
        x[rows.indices[at]] = rows.data[at]
        return x

    return row


def sherman_morrison(problem, documents, row):
    rows = problem.documents
    k = rows.shape[1]
    inverse = np.eye(k) / problem.ridge
    b = np.zeros(k)
    squares = np.asarray(rows.multiply(rows).sum(axis=1)).ravel() / problem.ridge
    state = {'log_det': 0.0}

    def scores():
        return documents @ (inverse @ b) + problem.radius(state['log_det']) * np.sqrt(np.maximum(squares, 0.0))

    def learn(i, reward):
        x = row(i)
        u = inverse @ x
        gain = 1.0 + x @ u
        products = documents @ u
        np.subtract(squares, products * products / gain, out=squares)
        np.subtract(inverse, np.outer(u, u / gain), out=inverse)
        np.add(b, reward * x, out=b)
        state['log_det'] += np.log(gain)

    return scores, learn


def refactorised(problem, documents, squares_of):
    count, k = documents.shape
    gram = problem.ridge * np.eye(k)
    b = np.zeros(k)

    def scores():
        factor = cho_factor(gram, lower=True)
        log_det = 2.0 * np.log(np.diag(factor[0])).sum() - k * np.log(problem.ridge)
        values = documents @ cho_solve(factor, b)
        for first in range(0, count, BLOCK):
            block = documents[first:first + BLOCK]
            values[first:first + BLOCK] += problem.radius(log_det) * np.sqrt(squares_of(factor, block))
        return values

    def learn(i, reward):
        x = documents[i]
        np.add(gram, np.outer(x, x), out=gram)
        np.add(b, reward * x, out=b)

    return scores, learn


def by_triangular_solve(factor, block):
    half = solve_triangular(factor[0], block.T, lower=True, check_finite=False)
    return np.einsum('ij,ij->j', half, half)


def by_cho_solve(factor, block):
    return np.einsum('ij,ji->i', block, cho_solve(factor, block.T))


problem = race.problem_from_arguments()
sparse = problem.documents
race.run(problem, 'numpy sm_sparse', 'same', 'V^-1 and all widths updated, one sparse product a round',
         *sherman_morrison(problem, sparse, lambda i: sparse[i].toarray().ravel()))
race.run(problem, 'numpy sm_tuned', 'same', 'the same, a row cut from the arrays by hand',
         *sherman_morrison(problem, sparse, sparse_row_by_hand(sparse)))
dense = sparse.toarray()
race.run(problem, 'numpy sm_dense', 'same', 'the same on a dense array',
         *sherman_morrison(problem, dense, dense.__getitem__))
race.run(problem, 'numpy dense_tri', 'same', 'V factorised, a triangular solve for every document a round',
         *refactorised(problem, dense, by_triangular_solve))
race.run(problem, 'numpy dense_cho', 'same', 'V factorised, cho_solve for every document a round',
         *refactorised(problem, dense, by_cho_solve))
