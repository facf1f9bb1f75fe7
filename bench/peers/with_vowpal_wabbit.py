#!/usr/bin/python3
"""with_vowpal_wabbit.py MATRIX WORK: Vowpal Wabbit's contextual bandit with action features, --cb_explore_adf.

Each round hands it every document that remains as an action and takes the most probable one; it learns by stochastic
gradient descent and explores with SquareCB. Another method than ours, and one made for tens of actions.
"""
import race

try:
    import vowpalwabbit
    from vowpalwabbit import Workspace
except ImportError:
    race.skip('vowpal wabbit', 'the Python package vowpalwabbit is not installed')


def square_cb(problem, rows):
    workspace = Workspace('--cb_explore_adf --squarecb --noconstant --quiet --random_seed 1')
    lines = []
    for i in range(rows.shape[0]):
        at = slice(rows.indptr[i], rows.indptr[i + 1])
        lines.append('| ' + ' '.join(f'{j}:{value:.9g}' for j, value in zip(rows.indices[at], rows.data[at])))
    remaining = list(range(rows.shape[0]))
    last = {}

    def choose():
        probabilities = workspace.predict('\n'.join(lines[i] for i in remaining))
        action = max(range(len(remaining)), key=lambda n: (probabilities[n], -n))
        last['action'], last['probability'] = action, probabilities[action]
        return remaining[action]

    def learn(i, reward):
        examples = [lines[j] for j in remaining]
        # action:cost:probability; the action's number is not looked at with action features
        examples[last['action']] = f"0:{-reward:.9g}:{last['probability']:.9g} {lines[i]}"
        workspace.learn('\n'.join(examples))
        del remaining[last['action']]

    return choose, learn


def main():
    problem = race.problem_from_arguments()
    race.run(problem, 'vowpal wabbit', 'other', f'vowpalwabbit {vowpalwabbit.__version__}, --cb_explore_adf --squarecb',
             *square_cb(problem, problem.documents()))


main()
