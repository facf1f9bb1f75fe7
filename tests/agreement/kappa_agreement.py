#!/usr/bin/python3
"""Shows that `inkling sessions ada.search bob.search --agreement` gives the kappa of scikit-learn's `cohen_kappa_score`, within 1e-12.

  kappa_agreement.py PROGRAM    two people rate generated documents, with grades, by `inkling search`

Exit code 77: scikit-learn is not installed.
"""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    from sklearn.metrics import cohen_kappa_score
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)

DOCUMENTS = 60


def run(program, folder, *arguments, given=None):
    return subprocess.run([program, *arguments], cwd=folder, input=given, check=True, capture_output=True, text=True).stdout


def rate(program, folder, name, ratings):
    lines = ''.join(json.dumps({'rate': reward, 'document': document}) + '\n' for document, reward in ratings.items())
    run(program, folder, 'search', 'pool', '--searches', f'{name}.search', '--json', given=lines)


def compare(program, folder, chosen):
    """Compares both kappas. Returns whether the two people agreed beyond chance at all."""
    said = {}
    for name in ('ada', 'bob'):
        if os.path.exists(os.path.join(folder, f'{name}.search')):
            os.remove(os.path.join(folder, f'{name}.search'))
        good = chosen.choice([0.02, 0.3, 0.6, 0.97])
        rated = chosen.sample(range(DOCUMENTS), chosen.randint(20, DOCUMENTS))
        said[name] = {one: chosen.choice([0.5, 0.75, 1]) if chosen.random() < good else chosen.choice([0, 0.25, 0.49]) for one in rated}
        if name == 'bob':  # so that they agree more often than by chance
            said[name] = {one: said['ada'].get(one, reward) if chosen.random() < 0.5 else reward for one, reward in said[name].items()}
        rate(program, folder, name, said[name])
    told = json.loads(run(program, folder, 'sessions', 'ada.search', 'bob.search', '--agreement', '--json', '--out', 'differ.csv'))
    both = sorted(set(said['ada']) & set(said['bob']))
    good = {name: [int(said[name][one] >= 0.5) for one in both] for name in said}
    assert told['documents'] == len(both), (told, len(both))
    expected = cohen_kappa_score(good['ada'], good['bob'], labels=[0, 1])
    with open(os.path.join(folder, 'differ.csv'), encoding='utf-8', newline='') as file:
        differ = [int(row['document']) for row in csv.DictReader(file)]
    assert differ == [one for one, a, b in zip(both, good['ada'], good['bob']) if a != b], differ
    if told['kappa'] is None:
        assert expected != expected, f'no kappa, scikit-learn has {expected}'
        return False
    assert abs(told['kappa'] - expected) < 1e-12, (told, expected)
    assert told['low'] <= told['kappa'] <= told['high'], told
    return True


def main():
    program = os.path.abspath(sys.argv[1])
    chosen = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'lines.txt'), 'w', encoding='utf-8') as file:
            for number in range(DOCUMENTS):
                file.write(f'garden n{number} ' + ' '.join(chosen.sample(['soil', 'rose', 'lamp', 'bean', 'leaf', 'moss'], 3)) + '\n')
        run(program, folder, 'build', 'lines.txt', '--format', 'lines', '--out', 'pool')
        compared = sum(compare(program, folder, chosen) for _ in range(8))
    assert compared >= 5, compared
    print(f'{compared} kappas are those of scikit-learn')


main()
