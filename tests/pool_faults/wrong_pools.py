#!/usr/bin/env python3
"""Pools that are wrong on disk: every door ends with an answer or a named error, and nothing is read out of bounds.

wrong_pools.py PROGRAM [--short | --tries N] [--seed S] [--python PYTHON]

Of copies of one pool a file at a time gets a bit flipped, four bytes written over, all of it written over, or is cut short:
before it is opened with --trust, before it is opened beneath a record of its check, which is told that nothing has changed, and
while it is open. Then it goes through `info`, `show`, `export`, `score`, `search`, `serve` and, where PYTHON has the package,
Python; what one of them makes of one damage is a try. Nothing may end by a signal or by another exit code than those of an answer
(0), of an id that is wrong now (2, 3) and of a file that is (5), and the server answers every request while it runs. `verify`
finds each damage. N is 100,000, and 280 with --short; a PROGRAM and a PYTHON with sanitizers say what is read out of bounds
(`./dev sanitizers`). Prints tries by door and damage."""

import argparse
import collections
import concurrent.futures
import http.client
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

INTERESTING = [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x7FC00000, 0xFFC00000, 4096, 1199, 1200]
DAMAGES = ('flip', 'number', 'overwrite', 'cut')
WHEN = ('trusted', 'beneath a record', 'while open')
DOCUMENTS = 1200
AT_ONCE = 24  # copies that are damaged before one wait: no record is kept of what changed a moment ago
RECORDED_AFTER = 3.1


def build(program, folder, chance):
    words = [f'word{n}' for n in range(400)]
    corpus = os.path.join(folder, 'corpus.jsonl')
    with open(corpus, 'w', encoding='utf-8') as file:
        for n in range(DOCUMENTS):
            text = ' '.join(chance.choice(words) for _ in range(chance.randrange(2, 30))) + ', déjà vu'
            file.write(json.dumps({'id': f'story-{n}', 'text': text, 'label': chance.choice(['earth', 'fire', 'water'])}) + '\n')
    pool = os.path.join(folder, 'pool')
    subprocess.run([program, 'build', corpus, '--out', pool, '--keep-text', '--label-field', 'label', '--id-field', 'id'], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, 'events.jsonl'), 'w', encoding='utf-8') as file:
        file.write('{"document":0,"reward":1}\n{"document":1,"reward":0}\n')
    return pool


class Copy:
    """A copy of the pool of which one file may be wrong for a while."""

    def __init__(self, pool, path):
        self.path, self.wrong = path, None
        shutil.copytree(pool, path)
        names = [os.path.relpath(os.path.join(place, name), path) for place, _, files in os.walk(path) for name in files]
        self.whole = {name: self.read(name) for name in sorted(names)}

    def read(self, name):
        with open(os.path.join(self.path, name), 'rb') as file:
            return file.read()

    def damage(self, chance):
        """Damages a file in place, because other processes have it open. Returns the kind of damage."""
        name, kind = chance.choice([*self.whole]), chance.choice(DAMAGES)
        content, self.wrong = self.whole[name], name
        first = 128 if len(content) > 136 and name.endswith('.npy') else 0
        at = chance.randrange(first, max(len(content), first + 1))
        with open(os.path.join(self.path, name), 'r+b') as file:
            if kind == 'cut':
                file.truncate(chance.choice([0, at, chance.randrange(len(content) + 1)]))
            elif kind == 'overwrite':
                file.seek(first)
                some = b''.join(chance.choice(INTERESTING).to_bytes(4, 'little') for _ in range(64))
                file.write(chance.choice([chance.randbytes(len(content)), some * (len(content) // 256 + 1)])[: len(content) - first])
            elif kind == 'number':
                at -= at % 4
                file.seek(at)
                file.write(chance.choice(INTERESTING).to_bytes(4, 'little')[: len(content) - at])
            elif content:
                file.seek(at)
                file.write(bytes([content[at] ^ (1 << chance.randrange(8))]))
        return kind

    def is_wrong(self):
        return self.wrong is not None and self.read(self.wrong) != self.whole[self.wrong]

    def mend(self):
        if self.wrong is None:
            return
        with open(os.path.join(self.path, self.wrong), 'r+b') as file:
            file.write(self.whole[self.wrong])
        self.wrong = None


def stamps(path):
    status = os.stat(path)
    written, changed = status.st_mtime_ns, status.st_ctime_ns
    return (f'device {status.st_dev} inode {status.st_ino} bytes {status.st_size} '
            f'written {written // 10**9}.{written % 10**9:09} changed {changed // 10**9}.{changed % 10**9:09}')


class Records:
    """The records of pools that were checked, by the inode of the manifest."""

    def __init__(self, cache):
        self.kept = {}
        folder = os.path.join(cache, 'inkling')
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            if not re.fullmatch('checked-[0-9a-f]+', name):  # what is written just now, or kept beside a record
                continue
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                lines = file.read().splitlines()
            inode = int(re.search(r' inode (\d+) ', lines[2])[1])
            self.kept[inode] = (os.path.join(folder, name), lines)

    def renew(self, copy):
        """Writes the current state of each file into the record, as if nothing had changed. Returns whether there is a record."""
        path, lines = self.kept.get(os.stat(os.path.join(copy.path, 'manifest.json')).st_ino, (None, None))
        if path is None:
            return False
        with open(path, 'w', encoding='utf-8') as file:
            for line in lines[:2]:
                file.write(line + '\n')
            for line in lines[2:]:
                file.write(f'{line.split()[0]} {stamps(os.path.join(copy.path, line.split()[0]))}\n')
        os.chmod(path, 0o600)
        return True


ASKED = '{"rate":1,"words":[3]}\n{"rate":0}\n{"rate":1}\n{"next":true}\n{"words":true}\n{"ranking":5}\n{"why":7}\n{"undo":1}\n'
COMMANDS = [
    ('info', ['info', '{pool}'], None),
    ('show', ['show', '{pool}', '0', '17', '1199'], None),
    ('show', ['show', '{pool}', 'story-5', '--json'], None),
    ('export', ['export', '{pool}', '--to', 'npz', '--out', '-'], None),
    ('export', ['export', '{pool}', '--to', 'svmlight', '--out', '-'], None),
    ('score', ['score', '{pool}', '--events', '{folder}/events.jsonl', '--top', '5'], None),
    ('search', ['search', '{pool}', '--json', '--searches', '{pool}.search'], ASKED),
    ('search', ['search', '{pool}', '--json', '--searches', '{pool}.search', '--policy', 'ff-oful', '--name', 'other'], ASKED),
]


class Campaign:
    """What the tests of all doors share: the folder of the copies, the number of tries, and the failures."""

    def __init__(self, program, folder, seed, tries):
        self.program, self.folder, self.seed, self.tries = program, folder, seed, tries
        self.cache = os.path.join(folder, 'cache')
        os.mkdir(self.cache, 0o700)
        self.environment = {**os.environ, 'XDG_CACHE_HOME': self.cache}
        self.pool = build(program, folder, random.Random(seed))
        self.bad, self.counts = [], collections.Counter()

    def copies(self, name, count):
        return [Copy(self.pool, os.path.join(self.folder, f'{name}-{n}')) for n in range(count)]

    def check(self, copies):
        """Lets the program check the copies, so that it keeps records of them."""
        time.sleep(RECORDED_AFTER)
        for copy in copies:
            subprocess.run([self.program, 'info', copy.path], stdout=subprocess.DEVNULL, env=self.environment, check=True)
        return Records(self.cache)

    def count(self, door, when, kind):
        self.counts[door, when, kind] += 1

    def judge(self, what, code, message):
        if code not in (0, 2, 3, 5) or 'Sanitizer' in message or 'runtime error' in message:
            self.bad.append(f'{what}: exit code {code}\n{message[-3000:]}')


def searches_of(copy):
    folder = os.path.dirname(copy.path)
    return [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(os.path.basename(copy.path) + '.search')]


def run_command(it, copy, number, extra, meanwhile=None):
    """Runs one command on one copy; calls `meanwhile` once it has begun."""
    door, command, asked = COMMANDS[number]
    told = [part.format(pool=copy.path, folder=it.folder) for part in command] + extra
    process = subprocess.Popen([it.program, *told], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=it.environment)
    said = (asked or '').encode()
    if meanwhile:
        if asked:  # it is open when it has answered
            first, said = said.split(b'\n', 1)
            process.stdin.write(first + b'\n')
            process.stdin.flush()
            process.stdout.readline()
        meanwhile()
    try:
        _, message = process.communicate(said, timeout=300)
    except BrokenPipeError:
        message = process.stderr.read()
        process.wait()
    it.judge(' '.join(told) + f' ({copy.wrong} is wrong)', process.returncode, message.decode(errors='replace'))
    for path in searches_of(copy):
        os.unlink(path)
    return door


def try_commands(it, tries):
    chance = random.Random(f'{it.seed} commands')
    copies = it.copies('command', AT_ONCE)
    records = it.check(copies)
    beneath = unseen = done = 0
    while done < tries:
        kinds = [copy.damage(chance) for copy in copies]
        time.sleep(RECORDED_AFTER)
        for copy, kind in zip(copies, kinds):
            for when, extra in ((WHEN[0], ['--trust']), (WHEN[1], [])):
                beneath += extra == [] and records.renew(copy)
                for number in chance.sample(range(len(COMMANDS)), 3):
                    it.count(run_command(it, copy, number, extra), when, kind)
                    done += 1
            if chance.random() < 0.2 and copy.is_wrong() and subprocess.run(
                    [it.program, 'verify', copy.path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=it.environment,
                    check=False).returncode != 5:
                it.bad.append(f'not found by verify: {copy.path}, {copy.wrong}')
            copy.mend()

            def damage_soon(copy=copy):
                time.sleep(chance.random() * 0.02)
                kinds.append(copy.damage(chance))

            it.count(run_command(it, copy, chance.randrange(len(COMMANDS)), chance.choice([['--trust'], []]), damage_soon), WHEN[2], kinds[-1])
            done += 1
            copy.mend()
    if beneath == 0:
        it.bad.append('no record is kept of any pool: is the file system one of those that FORMAT.md names?')


class Served:
    """`inkling serve` of some copies. `wrong` is one that keeps it from beginning."""

    def __init__(self, it, copies, extra):
        self.it, self.copies = it, copies
        self.searches = os.path.join(it.folder, 'served.search')
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([it.program, 'serve', *[copy.path for copy in copies], '--port', '0', '--searches', self.searches, *extra],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, env=it.environment)
        found = re.match(rb'Open http://[^/]+:(\d+)/\?once=([0-9a-f]+)', self.process.stdout.readline())
        self.port = int(found[1]) if found else None
        if found:
            self.token, self.connection = None, http.client.HTTPConnection('127.0.0.1', self.port, timeout=300)
            answer = self.ask('GET', f'/?once={found[2].decode()}')
            self.token = answer[1].get('Set-Cookie').split(';')[0]

    def ask(self, method, path, body=None):
        headers = {'Cookie': self.token} if self.token else {}
        if body is not None:
            body, headers['Content-Type'] = json.dumps(body), 'application/json'
        try:
            self.connection.request(method, path if path.startswith('/?') else '/api/v1' + path, body, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return None, {}, b''

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors='replace')

    def end(self):
        """Ends the server by a signal, unless it has ended already. The exit code must be that of success or of a damaged file."""
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(timeout=300)
        self.process.stdout.close()
        self.it.judge('serve', 0 if code in (143, -15) else code, self.said())
        for name in os.listdir(self.it.folder):
            if name.startswith('served.search'):
                os.unlink(os.path.join(self.it.folder, name))

    def begin_search(self, copy, number, chance):
        policy = chance.choice(['inkling', 'inkling', 'ff-oful', 'soft-marks', 'random'])
        answer = self.ask('POST', '/sessions', {'name': f's{number}', 'pool': os.path.basename(copy.path), 'policy': policy})
        return '/sessions/' + json.loads(answer[2])['session'] if answer[0] == 201 else None

    def go_on(self, copy, path, number, chance):
        """Sends some requests, whose answers may have wrong numbers. Returns the statuses."""
        pool, document = f'/pools/{os.path.basename(copy.path)}', chance.randrange(DOCUMENTS)
        asked = [('GET', pool), ('GET', f'{pool}/documents/{document}'), ('GET', f'{pool}/words?prefix=word1'),
                 ('GET', f'{pool}/search?words=word7,word120')]
        if path:
            rating = {'request': f'a{number}', 'document': document, 'reward': chance.choice([0, 1]), 'words': ['word7']}
            asked += [('POST', f'{path}/ratings', rating), ('GET', f'{path}/next'), ('GET', f'{path}/ranking?top=5'), ('GET', f'{path}/words?limit=9'),
                      ('GET', f'{path}/documents/{document}/why'), ('POST', f'{path}/undo', {'request': f'b{number}'}), ('GET', f'{path}/found')]
        return [self.ask(*one)[0] for one in chance.sample(asked, min(5, len(asked)))]


def judge_answers(it, server, statuses, copy):
    """Checks that each request was answered, and not with an error of the server, if the server still runs."""
    if server.process.poll() is None and None in statuses:
        time.sleep(1.0)  # it may be about to end
    if server.process.poll() is None and any(status is None or status >= 500 for status in statuses):
        it.bad.append(f'serve answers {statuses} ({copy.wrong} of {copy.path} is wrong): {server.said()[-500:]}')


def try_server(it, tries):
    chance = random.Random(f'{it.seed} serve')
    copies = it.copies('serve', 12)
    records = it.check(copies)
    done = number = 0
    while done < tries:
        # Wrong before it begins: what is refused by name is left out.
        kinds = {copy.path: copy.damage(chance) for copy in copies}
        time.sleep(RECORDED_AFTER)
        for when, extra in ((WHEN[0], ['--trust']), (WHEN[1], [])):
            for copy in copies if not extra else []:
                records.renew(copy)
            left = list(copies)
            while left:
                server = Served(it, left, extra)
                if server.port:
                    break
                server.end()
                refused = [copy for copy in left if copy.path + '/' in server.said() or copy.path + ':' in server.said()]
                if not refused:
                    it.bad.append(f'serve names none of its pools: {server.said()[-500:]}')
                    break
                left = [copy for copy in left if copy is not refused[0]]
                it.count('serve', when, kinds[refused[0].path])
                done += 1
            for copy in left if left and server.port else []:
                path = server.begin_search(copy, number, chance)
                judge_answers(it, server, server.go_on(copy, path, number, chance) + server.go_on(copy, path, number + 1, chance), copy)
                number += 2
                it.count('serve', when, kinds[copy.path])
                done += 1
            if left and server.port:
                server.end()
        for copy in copies:
            copy.mend()
        # Wrong while it is open: a file that is cut may end the server, by its name.
        server, searches = None, {}
        for _ in range(12 * 12):
            if done >= tries:
                break
            if server is None or server.process.poll() is not None:
                if server:
                    server.end()
                server, searches = Served(it, copies, ['--trust']), {}
            copy = chance.choice(copies)
            if copy.path not in searches or chance.random() < 0.3:
                searches[copy.path] = server.begin_search(copy, number, chance)
            kind = copy.damage(chance)
            judge_answers(it, server, server.go_on(copy, searches[copy.path], number, chance), copy)
            number += 1
            copy.mend()
            it.count('serve', WHEN[2], kind)
            done += 1
        if server:
            server.end()


def try_python(it, python, tries):
    """In processes of Python, which go on from one damage to the next."""
    done = part = 0
    while done < tries:
        some = min(tries - done, 2000)
        told = [*python, os.path.abspath(__file__), 'PYTHON', '--tries', str(some), '--seed', f'{it.seed} python {part}', '--pool', it.pool,
                '--folder', os.path.join(it.folder, f'python-{part}')]
        ended = subprocess.run(told, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8', errors='replace',
                               env=it.environment, check=False)
        lines = ended.stdout.splitlines()
        if ended.returncode != 0 or not lines or lines[-1] == 'begun':
            it.bad.append(f'Python: exit code {ended.returncode} {" ".join(told)}\n{ended.stdout[-500:]}{ended.stderr[-3000:]}')
        for when, kind, count in json.loads(lines[-1]) if ended.returncode == 0 and lines else []:
            it.counts['Python', when, kind] += count
        done, part = done + some, part + 1


def be_python(told):
    """The process of Python itself."""
    import inkling as ink
    chance, counts, beneath = random.Random(told.seed), collections.Counter(), 0
    os.mkdir(told.folder)
    copies = [Copy(told.pool, os.path.join(told.folder, f'copy-{n}')) for n in range(12)]
    time.sleep(RECORDED_AFTER)
    for copy in copies:
        ink.Pool.open(copy.path)
    records = Records(os.environ['XDG_CACHE_HOME'])
    answers = (ink.FormatError, ink.CorruptFileError, ink.NumericalError, ValueError, IndexError, KeyError, OSError)

    def tried(work):
        try:
            return work()
        except answers:
            return None

    def search(pool):
        policy = chance.choice(['inkling', 'inkling', 'oful', 'ff-oful', 'soft-marks', 'thompson'])
        return tried(lambda: ink.Session(pool, policy, random_state=chance.randrange(1000)))

    def go_on(pool, session):
        document = chance.randrange(DOCUMENTS)
        asked = [lambda: pool.text(document), lambda: pool.X.sum(), lambda: pool.get_feature_names_out(), lambda: pool.ids, lambda: pool.labels,
                 lambda: pool.word(7)]
        if session is not None:
            asked += [lambda: session.rate(document, 1.0, [3]), lambda: session.rate(session.choose().document, 0.0),
                      lambda: session.ranking(20), lambda: session.why(document), lambda: session.words(), lambda: ink.score(pool, session, top=5),
                      lambda: session.undo()] * 2
        for work in chance.sample(asked, 5):
            tried(work)

    done = 0
    while done < told.tries:
        kinds = [copy.damage(chance) for copy in copies]
        time.sleep(RECORDED_AFTER)
        for copy, kind in zip(copies, kinds):
            for when in WHEN[:2]:
                beneath += when == WHEN[1] and records.renew(copy)
                pool = tried(lambda: ink.Pool.open(copy.path, trust=when == WHEN[0]))
                if pool is not None:
                    go_on(pool, search(pool))
                counts[when, kind] += 1
                done += 1
            copy.mend()
        for _ in range(25 * len(copies)):
            if done >= told.tries:
                break
            copy = chance.choice(copies)
            pool = ink.Pool.open(copy.path, trust=True)
            session = search(pool)
            if chance.random() < 0.5:
                go_on(pool, session)
            kind = copy.damage(chance)
            go_on(pool, session)
            copy.mend()
            counts[WHEN[2], kind] += 1
            done += 1
    print(json.dumps([[*key, count] for key, count in counts.items()]))
    return 0 if beneath else 1


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument('program')
    options.add_argument('--short', dest='tries', action='store_const', const=280, default=100_000)
    options.add_argument('--tries', type=int)
    options.add_argument('--seed', default='5')
    options.add_argument('--python', type=shlex.split, help='the words of a command')
    options.add_argument('--pool', help=argparse.SUPPRESS)
    options.add_argument('--folder', help=argparse.SUPPRESS)
    told = options.parse_args()
    if told.program == 'PYTHON':
        return be_python(told)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='inkling-wrong-pools-') as folder:
        it = Campaign(os.path.abspath(told.program), folder, told.seed, told.tries)
        # A process takes ten times as long as a request or a call.
        shares = {'commands': 0.2, 'serve': 0.4, 'Python': 0.4} if told.python else {'commands': 0.4, 'serve': 0.6}
        with concurrent.futures.ThreadPoolExecutor() as doors:
            running = [doors.submit(try_commands, it, int(told.tries * shares['commands'])), doors.submit(try_server, it, int(told.tries * shares['serve']))]
            if told.python:
                running.append(doors.submit(try_python, it, told.python, int(told.tries * shares['Python'])))
            for one in running:
                one.result()
        for what in it.bad[:20]:
            print(f'FAIL: {what}', file=sys.stderr)
        for door in sorted({key[0] for key in it.counts}):
            of_door = {key: count for key, count in it.counts.items() if key[0] == door}
            parts = [f'{sum(count for key, count in of_door.items() if name in key)} {name}' for name in (*WHEN, *DAMAGES)]
            print(f'{door:<8} {sum(of_door.values()):>7} tries: {", ".join(parts)}')
        print(f'{sum(it.counts.values())} tries with seed {told.seed} in {time.monotonic() - begin:.0f} s: {len(it.bad)} ended badly')
        return 1 if it.bad else 0


if __name__ == '__main__':
    sys.exit(main())
