#!/usr/bin/env python3
"""with_contextualbandits.py MATRIX WORK: the online ridge regression of contextualbandits, LinearRegression.predict_ucb.

Its LinUCB policy keeps such a model for each arm; documents as arms would share nothing. One model for all documents is
ours, and predict_ucb takes the radius as alpha, so that choices are ours up to rounding.
"""
import numpy as np

import race

version = race.needs('contextualbandits')
from contextualbandits.linreg import LinearRegression

problem = race.problem_from_arguments()
documents = problem.documents.toarray()
model = LinearRegression(lambda_=problem.ridge, fit_intercept=False, method='sm', use_float=False)
state = {'log_det': 0.0, 'fitted': False}


def scores():
    return np.array(model.predict_ucb(documents, alpha=problem.radius(state['log_det'])))


def learn(i, reward):
    row = documents[i:i + 1]
    width = model.predict_ucb(row, alpha=1.0)[0]
    if state['fitted']:
        width -= model.predict(row)[0]
    model.partial_fit(row, np.array([reward]))
    state['log_det'] += np.log1p(width * width)
    state['fitted'] = True


race.run(problem, 'contextualbandits', 'same', version + ', LinearRegression.predict_ucb, method sm', scores, learn)
