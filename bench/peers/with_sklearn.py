#!/usr/bin/env python3
"""with_sklearn.py MATRIX WORK: two ways to search with scikit-learn, neither of which it was made for.

It has no bandit, and no linear model that learns one reward at a time and gives widths. So both models are fitted from
nothing to all that was played, in every round.
  GaussianProcessRegressor   with the kernel x.x' and noise `ridge` it is our ridge regression and gives our widths
  BayesianRidge              estimates the precisions of weights and noise itself: mean + standard deviation
"""
import numpy as np

import race

version = race.needs('sklearn')
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import DotProduct
from sklearn.linear_model import BayesianRidge

problem = race.problem_from_arguments()
documents = problem.documents.toarray()


def fitted_every_round(scores_of):
    rows, rewards = [], []

    def learn(i, reward):
        rows.append(documents[i])
        rewards.append(reward)

    return lambda: scores_of(np.array(rows), np.array(rewards)), learn


def gaussian_process(rows, rewards):
    kernel = DotProduct(sigma_0=0.0, sigma_0_bounds='fixed')
    model = GaussianProcessRegressor(kernel, alpha=problem.ridge, optimizer=None)
    log_det = 0.0
    if len(rows):
        model.fit(rows, rewards)
        log_det = 2.0 * np.log(np.diag(model.L_)).sum() - len(rows) * np.log(problem.ridge)
    mean, deviation = model.predict(documents, return_std=True)
    return mean + problem.radius(log_det) * deviation / np.sqrt(problem.ridge)


def bayesian_ridge(rows, rewards):
    if len(rows) < 2:  # too few to estimate noise from: the longest rows first
        return np.einsum('ij,ij->i', documents, documents)
    mean, deviation = BayesianRidge(fit_intercept=False).fit(rows, rewards).predict(documents, return_std=True)
    return mean + deviation


race.run(problem, 'sklearn GaussianProcess', 'same', version + ", kernel x.x', fitted from nothing every round",
         *fitted_every_round(gaussian_process))
race.run(problem, 'sklearn BayesianRidge', 'other', version + ', fitted from nothing every round, mean + deviation',
         *fitted_every_round(bayesian_ridge))
