#!/usr/bin/python3
"""with_sklearn.py MATRIX WORK: two ways to search with scikit-learn, neither of which it was made for.

It has no bandit and no linear model that learns one reward at a time and gives widths, so both are fitted anew on all
that was played, every round.
  GaussianProcessRegressor   with the kernel x.x' and noise `ridge` it is our ridge regression and gives our widths
  BayesianRidge              weights and noise have precisions of their own that it estimates: mean + standard deviation
"""
import numpy as np

import race

try:
    import sklearn
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import DotProduct
    from sklearn.linear_model import BayesianRidge
except ImportError:
    race.skip('scikit-learn', 'scikit-learn is not installed')


class Seen:
    def __init__(self):
        self.rows, self.rewards = [], []

    def add(self, row, reward):
        self.rows.append(row)
        self.rewards.append(reward)


def gaussian_process(problem, documents):
    played = race.Played(len(documents))
    seen = Seen()

    def choose():
        kernel = DotProduct(sigma_0=0.0, sigma_0_bounds='fixed')
        model = GaussianProcessRegressor(kernel, alpha=problem.ridge, optimizer=None)
        log_det = 0.0
        if seen.rows:
            model.fit(np.array(seen.rows), np.array(seen.rewards))
            log_det = 2.0 * np.log(np.diag(model.L_)).sum() - len(seen.rows) * np.log(problem.ridge)
        mean, deviation = model.predict(documents, return_std=True)
        return played.best(mean + problem.radius(max(log_det, 0.0)) * deviation / np.sqrt(problem.ridge))

    def learn(i, reward):
        seen.add(documents[i], reward)
        played.gone[i] = True

    return choose, learn


def bayesian_ridge(documents):
    played = race.Played(len(documents))
    seen = Seen()

    def choose():
        if len(seen.rows) < 2:  # too few to estimate noise from: the longest rows first
            return played.best(np.einsum('ij,ij->i', documents, documents))
        model = BayesianRidge(fit_intercept=False).fit(np.array(seen.rows), np.array(seen.rewards))
        mean, deviation = model.predict(documents, return_std=True)
        return played.best(mean + deviation)

    def learn(i, reward):
        seen.add(documents[i], reward)
        played.gone[i] = True

    return choose, learn


def main():
    problem = race.problem_from_arguments()
    documents = problem.documents().toarray()
    version = 'scikit-learn ' + sklearn.__version__
    race.run(problem, 'sklearn GaussianProcess', 'same', version + ', kernel x.x, fitted anew every round',
             *gaussian_process(problem, documents))
    race.run(problem, 'sklearn BayesianRidge', 'other', version + ', fitted anew every round, mean + deviation',
             *bayesian_ridge(documents))


main()
