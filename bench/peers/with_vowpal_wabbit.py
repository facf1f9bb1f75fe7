#!/usr/bin/env python3
"""with_vowpal_wabbit.py MATRIX WORK: Vowpal Wabbit's contextual bandit with action features, --cb_explore_adf.

In each round it gets every document that remains as an action, and the most probable one is played; it learns by
stochastic gradient descent and explores with SquareCB. Another method than ours, and one made for tens of actions.
"""
import numpy as np

import race

version = race.needs('vowpalwabbit')
from vowpalwabbit import Workspace

problem = race.problem_from_arguments()
rows = problem.documents
workspace = Workspace('--cb_explore_adf --squarecb --noconstant --quiet --random_seed 1')
lines = []
for i in range(rows.shape[0]):
    at = slice(rows.indptr[i], rows.indptr[i + 1])
    lines.append('| ' + ' '.join(f'{j}:{value:.9g}' for j, value in zip(rows.indices[at], rows.data[at])))
remaining = list(range(rows.shape[0]))
probability = np.zeros(rows.shape[0])


def scores():
    probability[remaining] = workspace.predict('\n'.join(lines[i] for i in remaining))
    return probability.copy()


def learn(i, reward):
    # action:cost:probability; with action features the number of the action is ignored
    label = f'0:{-reward:.9g}:{probability[i]:.9g} '
    workspace.learn('\n'.join(label + lines[j] if j == i else lines[j] for j in remaining))
    remaining.remove(i)


race.run(problem, 'vowpal wabbit', 'other', version + ', --cb_explore_adf --squarecb', scores, learn)
