#!/usr/bin/env python3
"""with_mabwiser.py MATRIX WORK: MABWiser's LinUCB with one arm, "show", whose context is the document.

LinUCB there keeps a model for each arm; documents as arms would share nothing. One arm, with the document as context, is
our model: the expectation of a context is x.theta + alpha sqrt(x' A^-1 x). alpha is constant, so choices are ours only
where `noise` is 0.
"""
import numpy as np

import race

version = race.needs('mabwiser')
from mabwiser.mab import MAB, LearningPolicy

problem = race.problem_from_arguments()
documents = problem.documents.toarray()
bandit = MAB(arms=['show'], n_jobs=1,
             learning_policy=LearningPolicy.LinUCB(alpha=problem.radius(), l2_lambda=problem.ridge))
played = []


def scores():
    if not played:  # it predicts only after a first reward; before it, means are 0 and widths are lengths
        return np.sqrt(np.einsum('ij,ij->i', documents, documents))
    expected = bandit.predict_expectations(documents)
    return np.array([by_arm['show'] for by_arm in expected])


def learn(i, reward):
    teach = bandit.partial_fit if played else bandit.fit
    teach(decisions=['show'], rewards=[float(reward)], contexts=documents[i:i + 1])
    played.append(i)


race.run(problem, 'mabwiser LinUCB', problem.same_if_constant(), version + ', one arm, constant alpha', scores, learn)
