#!/usr/bin/env python3
"""Pools that are wrong beneath a record of their check, and with --trust: every command ends with an answer or a named error.

wrong_pools.py PROGRAM [--short]: copies of one pool are checked, so that records of them are kept; then a file of each is
damaged as rot does it, and the record is told that nothing has changed. No command may be killed by a signal, and `verify`
and `--check` find each damage."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

INTERESTING = [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x7FC00000, 0xFFC00000, 4096, 199, 200]


def documents(chance, count):
    words = [f'word{n}' for n in range(120)]
    for n in range(count):
        text = ' '.join(chance.choice(words) for _ in range(chance.randrange(2, 30)))
        yield {'id': f'story-{n}', 'text': text + ', déjà vu', 'label': chance.choice(['earth', 'fire', 'water'])}


def build(program, folder, chance):
    corpus = os.path.join(folder, 'corpus.jsonl')
    with open(corpus, 'w', encoding='utf-8') as file:
        for document in documents(chance, 200):
            file.write(json.dumps(document) + '\n')
    pool = os.path.join(folder, 'pool')
    subprocess.run([program, 'build', corpus, '--out', pool, '--keep-text', '--label-field', 'label', '--id-field', 'id'], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return pool


def files_of(pool):
    names = [os.path.relpath(os.path.join(place, name), pool) for place, _, files in os.walk(pool) for name in files]
    return sorted(name for name in names if name != 'manifest.json')


def damage(path, chance):
    with open(path, 'r+b') as file:
        content = file.read()
        first = 128 if len(content) > 136 and path.endswith('.npy') else 0
        at = chance.randrange(first, max(len(content), first + 1))
        kind = chance.randrange(3)
        if kind == 0 and content:
            file.seek(at)
            file.write(bytes([content[at] ^ (1 << chance.randrange(8))]))
        elif kind == 1:
            at -= at % 4
            file.seek(at)
            file.write(chance.choice(INTERESTING).to_bytes(4, 'little')[: len(content) - at])
        else:
            file.seek(first)
            file.write(chance.randbytes(len(content) - first))


def stamps(path):
    status = os.stat(path)
    written, changed = status.st_mtime_ns, status.st_ctime_ns
    return (f'device {status.st_dev} inode {status.st_ino} bytes {status.st_size} '
            f'written {written // 10**9}.{written % 10**9:09} changed {changed // 10**9}.{changed % 10**9:09}')


def renew_record(cache, pool):
    """The record of this pool says of each file what the file system says now. Whether there is one."""
    inode = f' inode {os.stat(os.path.join(pool, "manifest.json")).st_ino} '
    folder = os.path.join(cache, 'inkling')
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
        if inode not in lines[2]:
            continue
        lines[2:] = [f'{line.split()[0]} {stamps(os.path.join(pool, line.split()[0]))}' for line in lines[2:]]
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines) + '\n')
        return True
    return False


COMMANDS = [
    (['info', '{pool}'], None),
    (['show', '{pool}', '0', '17', '199'], None),
    (['show', '{pool}', 'story-5', '--json'], None),
    (['export', '{pool}', '--to', 'npz', '--out', '-'], None),
    (['export', '{pool}', '--to', 'svmlight', '--out', '-'], None),
    (['score', '{pool}', '--events', '{folder}/events.jsonl', '--top', '5'], None),
    (['search', '{pool}', '--json'],
     '{"rate":1,"words":[3]}\n{"rate":0}\n{"rate":1}\n{"next":true}\n{"words":true}\n{"ranking":5}\n{"undo":1}\n'),
    (['search', '{pool}', '--json', '--policy', 'ff-oful', '--name', 'other'],
     '{"rate":1,"words":[3,5]}\n{"rate":0}\n{"rate":1}\n{"next":true}\n{"words":true}\n{"ranking":5}\n'),
]


def run_all(program, pool, folder, cache, extra, chance, most):
    """What ended otherwise than with an answer or a damaged file."""
    bad = []
    environment = {**os.environ, 'XDG_CACHE_HOME': cache}
    for command, asked in chance.sample(COMMANDS, most):
        told = [part.format(pool=pool, folder=folder) for part in command] + extra
        done = subprocess.run([program, *told], input=asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              encoding='utf-8', errors='replace', env=environment, check=False)
        if done.returncode not in (0, 2, 3, 5):  # an answer; an id or a number that is wrong now; what is named
            bad.append((' '.join(told), done.returncode, done.stderr[-300:]))
    return bad


def main():
    program = os.path.abspath(sys.argv[1])
    copies = 40 if '--short' in sys.argv else 400
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, 'cache')
        os.mkdir(cache, 0o700)
        pool = build(program, folder, chance)
        with open(os.path.join(folder, 'events.jsonl'), 'w', encoding='utf-8') as file:
            file.write('{"document":0,"reward":1}\n{"document":1,"reward":0}\n')
        pools = [os.path.join(folder, f'copy-{n}') for n in range(copies)]
        for copy in pools:
            shutil.copytree(pool, copy)
        time.sleep(3.1)  # no record is kept of what changed a moment ago
        environment = {**os.environ, 'XDG_CACHE_HOME': cache}
        for copy in pools:
            subprocess.run([program, 'info', copy], stdout=subprocess.DEVNULL, env=environment, check=True)
        names = files_of(pool)
        for n, copy in enumerate(pools):
            damage(os.path.join(copy, names[n % len(names)]), chance)
        time.sleep(3.1)
        beneath, bad, unseen = 0, [], []
        for copy in pools:
            beneath += renew_record(cache, copy)
            bad += run_all(program, copy, folder, cache, [], chance, 5)
            bad += run_all(program, copy, folder, cache, ['--trust'], chance, 2)
            if subprocess.run([program, 'verify', copy], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=environment, check=False).returncode != 5 and not same(copy, pool, names):
                unseen.append(copy)
        for command, code, message in bad:
            print(f'exit code {code}: {command}\n{message}', file=sys.stderr)
        for copy in unseen:
            print(f'not found by verify: {copy}', file=sys.stderr)
        print(f'{copies} damaged pools, {beneath} of them beneath a record, {7 * copies} commands: {len(bad)} ended badly, '
              f'{len(unseen)} not found by verify')
        return 1 if bad or unseen or beneath == 0 else 0


def same(copy, pool, names):
    return all(open(os.path.join(copy, name), 'rb').read() == open(os.path.join(pool, name), 'rb').read() for name in names)


if __name__ == '__main__':
    sys.exit(main())
