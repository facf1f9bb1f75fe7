#!/usr/bin/env python3
"""with_bayesianbandits.py MATRIX WORK: the Bayesian ridge regression of bayesianbandits, with Thompson sampling.

Its agents choose among arms in one context. Here all documents share one learner, and the document of the highest
sampled reward is shown. The prior precision is `ridge`, the noise precision 1. Another method than ours.
"""
import numpy as np

import race

version = race.needs('bayesianbandits')
from bayesianbandits import NormalRegressor

problem = race.problem_from_arguments()
documents = problem.documents.toarray()
model = NormalRegressor(alpha=problem.ridge, beta=1.0, random_state=1)
race.run(problem, 'bayesianbandits', 'other', version + ', NormalRegressor, Thompson sampling',
         lambda: np.asarray(model.sample(documents, size=1)).reshape(-1).copy(),
         lambda i, reward: model.partial_fit(documents[i:i + 1], np.array([reward])))
