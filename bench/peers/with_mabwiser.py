#!/usr/bin/python3
"""with_mabwiser.py MATRIX WORK: MABWiser's LinUCB with one arm, "show", whose context is the document.

LinUCB there keeps a model an arm; documents as arms would share nothing. One arm and a context a document is our model:
the expectation of a context is x.theta + alpha sqrt(x' A^-1 x). alpha is constant, so choices are ours only where
`noise` is 0.
"""
import numpy as np

import race

try:
    import mabwiser
    from mabwiser.mab import MAB, LearningPolicy
except ImportError:
    race.skip('mabwiser', 'MABWiser is not installed')


def one_arm(problem, documents):
    played = race.Played(len(documents))
    policy = LearningPolicy.LinUCB(alpha=problem.constant_radius(), l2_lambda=problem.ridge)
    bandit = MAB(arms=['show'], learning_policy=policy, n_jobs=1)
    state = {'fitted': False}

    def choose():
        if not state['fitted']:  # it predicts only after a first reward: then means are 0 and widths are lengths
            return played.best(np.sqrt(np.einsum('ij,ij->i', documents, documents)))
        expected = bandit.predict_expectations(documents)
        return played.best(np.array([of_arms['show'] for of_arms in expected]))

    def learn(i, reward):
        teach = bandit.partial_fit if state['fitted'] else bandit.fit
        teach(decisions=['show'], rewards=[float(reward)], contexts=documents[i:i + 1])
        state['fitted'] = True
        played.gone[i] = True

    return choose, learn


def main():
    problem = race.problem_from_arguments()
    documents = problem.documents().toarray()
    version = getattr(mabwiser, '__version__', '')
    race.run(problem, 'mabwiser LinUCB', problem.same_if_constant(), f'MABWiser {version}, one arm, constant alpha',
             *one_arm(problem, documents))


main()
