#!/usr/bin/env python3
"""uploads.py PROGRAM [--bombs]: what somebody brings by the page cannot end the server, and nothing stays of what is refused.

The process that reads a file crashes, has no memory left, hangs, or loses its server; the server ends while one reads. With --bombs,
200 files that take far more than their size are brought to a server of little memory: each is read or refused within 10 seconds,
server and reader stay within --memory and 256 MiB, and a signal ends the server within 3 seconds at any time.
"""

import glob
import gzip
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time

from imports import ask
from served import PATIENCE, Folder, Server, demand, is_sanitized, run

MEBIBYTE = 1 << 20
MEMORY = 512 * MEBIBYTE
KIND = "application/octet-stream"


def large_csv():
    chosen = random.Random(3)
    lines = [" ".join(f"word{chosen.randrange(5000)}" for _ in range(40)) for _ in range(2_000)]
    return ("id,text\n" + "".join(f"{n},{lines[n % 2_000]} {n}\n" for n in range(40_000))).encode()


class Upload(threading.Thread):
    def __init__(self, server, name, body):
        super().__init__()
        self.server, self.path, self.body = server, f"/pools?name={name}", body
        self.start()

    def run(self):
        self.status, self.seconds, self.text = ask(self.server, "POST", self.path, self.body, KIND)


def readers(server):
    """The processes that the server started, thread by thread, and that run; a sanitizer starts one that names functions."""
    found = []
    for path in glob.glob(f"/proc/{server.process.pid}/task/*/children"):
        try:
            with open(path, encoding="utf-8") as file:
                found += [int(process) for process in file.read().split() if is_running(process)]
        except OSError:
            continue
    return [process for process in found if b"symbolizer" not in command_of(process)]


def is_running(process):
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


def command_of(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""


def reader_of(server, upload, reads=True):
    """The reader of an upload, once it reads, or at once. Until it runs its own program, a stop would hold its server, too."""
    while upload.is_alive():
        found = readers(server)
        if found and not reads:
            return found[0]
        if found and command_of(found[0]) not in (b"", command_of(server.process.pid)):
            time.sleep(0.05)
            return found[0]
        time.sleep(0.002)
    demand(False, f"the file was read in the server itself, or at once: {upload.status} {upload.text}")


def left_over(folder):
    return sorted(name for name in os.listdir(folder.file("a.search.files")) if not name.startswith("good"))


def check_small_disk(folder):
    """Files that would fill the disk are refused before they are written."""
    tiny, room = folder.file("tiny"), folder.file("room")
    os.mkdir(room)
    small = ("unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size=40m none "{room}" && cd "{room}" && exec "$@"', "sh")
    if subprocess.run([*small, "true"], capture_output=True, check=False).returncode != 0:
        print("a disk of 40 MB: left out, because this user may not mount one")
        return
    with Server(sys.argv[1], tiny, "--searches", "a.search", cwd=folder.path, before=small) as server:
        status, _, text = ask(server, "POST", "/pools?name=large.csv", b"id,text\n" + b"x,beans\n" * (12 * MEBIBYTE // 8), KIND)
        demand(status == 422 and b"the disk of this server has " in text, f"a file that would fill the disk: {status} {text}")
        packed = gzip.compress(large_csv(), 9)
        status, _, text = ask(server, "POST", "/pools?name=packed.csv.gz", packed, KIND)
        demand(status == 422 and b"the disk of this server has " in text, f"{len(packed)} bytes that unpack to more: {status} {text}")
        server.ask("POST", "/pools?name=good.csv", b"id,text\nx,two beans\ny,one pea\n", headers={"Content-Type": KIND}, expect=201)
        listed = server.ask("GET", "/pools").json()["pools"]
        demand(len(listed) == 2, f"nothing of it is left: {listed}")


def without_memory(process):
    resource.prlimit(process, resource.RLIMIT_DATA, (MEBIBYTE, MEBIBYTE))


def check_reader(folder, server, large):
    """Each thing that can happen to a reader is an answer, with its reason, and leaves nothing."""
    cases = [("crashes", lambda reader: os.kill(reader, signal.SIGABRT), True, b"signal 6"),
             ("is killed", lambda reader: os.kill(reader, signal.SIGKILL), True, b"signal 9"),
             ("is killed at once", lambda reader: os.kill(reader, signal.SIGKILL), False, b"signal 9")]
    if not is_sanitized(sys.argv[1]):
        cases.append(("has no memory", without_memory, True, b"memory"))
    for what, happens, reads, reason in cases:
        upload = Upload(server, "large.csv", large)
        happens(reader_of(server, upload, reads))
        upload.join()
        demand(upload.status == 422 and reason in upload.text, f"a reader that {what}: {upload.status} {upload.text}")
        demand(not left_over(folder), f"a reader that {what} leaves {left_over(folder)}")
        server.ask("GET", "/pools")
    for body in (b"x,y\n", b"\x00\x01\x02" * 1000, b"PK\x03\x04" + b"x" * 1000):
        status, _, text = ask(server, "POST", "/pools?name=wrong.csv", body, KIND)
        demand(status == 422 and json.loads(text)["detail"], f"a file of no records: {status} {text}")
        demand(not left_over(folder), f"a refused file leaves {left_over(folder)}")
    good = server.ask("POST", "/pools?name=good.csv", b"id,text\nx,two beans\ny,one pea\n", headers={"Content-Type": KIND}).json()
    demand(good["documents"] == 2, "a good file is read")


def check_ends(folder, large):
    """The server ends while a file is read, in order and by force."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with Server(sys.argv[1], "tiny", "--searches", "a.search", cwd=folder.path) as server:
            demand("good.csv.pool" in server.ask("GET", "/pools").body.decode(), "a good file is there at the next start")
            demand(not left_over(folder), f"at the start there is still {left_over(folder)}")
            upload = Upload(server, "large.csv", large)
            reader = reader_of(server, upload)
            os.kill(reader, signal.SIGSTOP)  # as if it hung
            began = time.monotonic()
            server.end(how)
            took = time.monotonic() - began
            upload.join()
            demand(took < 3 * PATIENCE, f"a server that reads a file ended after {took:.1f} s")
            demand(upload.status != 201, "a file that was not read was answered as read")
            if how == signal.SIGKILL:
                os.kill(reader, signal.SIGKILL)
    with Server(sys.argv[1], "tiny", "--searches", "a.search", cwd=folder.path) as server:
        demand(not left_over(folder), f"after a kill there is still {left_over(folder)}")
        demand(server.end() == 0, "it ends well")


class Watch(threading.Thread):
    """The most memory that the server and its readers had resident at once."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.most, self.ends = server, 0, False
        self.start()

    def run(self):
        while not self.ends:
            self.most = max(self.most, sum(map(resident, [self.server.process.pid, *readers(self.server)])))
            time.sleep(0.01)


def resident(process):
    try:
        with open(f"/proc/{process}/status", encoding="utf-8") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith(("RssAnon:", "RssShmem:")))
    except (OSError, ValueError):
        return 0


def check_bombs(folder, program):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
    from bombs import bombs  # noqa: PLC0415
    start = ("tiny", "--searches", "b.search", "--memory", str(MEMORY))
    files, statuses, slowest = list(bombs()), {}, 0.0
    server = Server(program, *start, cwd=folder.path)
    watches = [Watch(server)]
    for number, (name, body) in enumerate(files):
        if number % 25 == 24:  # ends while it reads
            upload = Upload(server, name, body)
            time.sleep(random.Random(number).random() * 0.3)
            began = time.monotonic()
            demand(server.end() == 0, "SIGTERM ends it well")
            demand(time.monotonic() - began < 3 * PATIENCE, f"{name}: a signal ended the server after {time.monotonic() - began:.1f} s")
            upload.join()
            watches[-1].ends = True
            server = Server(program, *start, cwd=folder.path)
            watches.append(Watch(server))
            continue
        status, seconds, text = ask(server, "POST", f"/pools?name={name}", body, KIND)
        demand(status in (201, 422), f"{name}: {status} {text}")
        demand(len(body) > MEBIBYTE or seconds < 10 * PATIENCE, f"{name} took {seconds:.1f} s")
        statuses[status], slowest = statuses.get(status, 0) + 1, max(slowest, seconds)
    watches[-1].ends = True
    demand(server.end() == 0, "SIGTERM ends it well")
    most = max(watch.most for watch in watches)
    print(f"{len(files)} bombs: {statuses}, the slowest {slowest:.1f} s, most memory {most >> 20} MiB")
    demand(most < MEMORY + 256 * MEBIBYTE, "server and reader took too much memory")


def main():
    with Folder(sys.argv[1]) as folder:
        if "--bombs" in sys.argv:
            check_bombs(folder, sys.argv[1])
            return
        large = large_csv()
        with Server(sys.argv[1], "tiny", "--searches", "a.search", cwd=folder.path) as server:
            check_reader(folder, server, large)
            demand(server.end() == 0, "it ends well")
        check_ends(folder, large)
        check_small_disk(folder)
    print("crashed, starved, hung and orphaned readers are refusals, and leave nothing")


if __name__ == "__main__":
    run(main)
