#!/usr/bin/python3
"""with_bayesianbandits.py MATRIX WORK: the Bayesian ridge regression of bayesianbandits, with Thompson sampling.

Its agents choose among arms in one context; here one learner is shared by all documents, and the document of highest
sampled reward is shown. Prior precision is `ridge`, noise precision 1. Another method than ours.
"""
import numpy as np

import race

try:
    import bayesianbandits
    from bayesianbandits import NormalRegressor
except ImportError:
    race.skip('bayesianbandits', 'bayesianbandits is not installed')


def thompson(problem, documents):
    played = race.Played(len(documents))
    model = NormalRegressor(alpha=problem.ridge, beta=1.0, random_state=1)

    def choose():
        return played.best(np.asarray(model.sample(documents, size=1)).reshape(-1).copy())

    def learn(i, reward):
        model.partial_fit(documents[i:i + 1], np.array([reward]))
        played.gone[i] = True

    return choose, learn


def main():
    problem = race.problem_from_arguments()
    documents = problem.documents().toarray()
    version = getattr(bayesianbandits, '__version__', '')
    race.run(problem, 'bayesianbandits', 'other', f'bayesianbandits {version}, NormalRegressor, Thompson sampling',
             *thompson(problem, documents))


main()
