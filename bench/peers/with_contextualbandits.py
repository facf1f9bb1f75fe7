#!/usr/bin/python3
"""with_contextualbandits.py MATRIX WORK: the online ridge regression of contextualbandits, LinearRegression.predict_ucb.

Its LinUCB policy keeps such a model for each arm; documents as arms would share nothing. One model for all documents is
ours, and predict_ucb takes the radius as alpha, so that choices are ours up to rounding.
"""
import numpy as np

import race

try:
    import contextualbandits
    from contextualbandits.linreg import LinearRegression
except ImportError:
    race.skip('contextualbandits', 'contextualbandits is not installed')


def shared_model(problem, documents):
    played = race.Played(len(documents))
    model = LinearRegression(lambda_=problem.ridge, fit_intercept=False, method='sm', use_float=False)
    state = {'log_det': 0.0, 'fitted': False}

    def choose():
        return played.best(model.predict_ucb(documents, alpha=problem.radius(state['log_det'])))

    def learn(i, reward):
        row = documents[i:i + 1]
        width = model.predict_ucb(row, alpha=1.0)[0]
        if state['fitted']:
            width -= model.predict(row)[0]
        model.partial_fit(row, np.array([reward]))
        state['log_det'] += np.log1p(width * width)
        state['fitted'] = True
        played.gone[i] = True

    return choose, learn


def main():
    problem = race.problem_from_arguments()
    documents = problem.documents().toarray()
    version = getattr(contextualbandits, '__version__', '')
    race.run(problem, 'contextualbandits', 'same', f'contextualbandits {version}, LinearRegression.predict_ucb, method sm',
             *shared_model(problem, documents))


main()
