#!/usr/bin/env python3
"""By how much a round of a search by MPI grows where messages take time, for 1, 2, 3 and 4 ranks.

round_trips.py PROGRAM [--delay MS] [--rounds T]: PROGRAM is inkling-bench-live. Each rank runs in a network namespace of its
own, and this program carries the packets between them, each of them late by MS milliseconds. Needs root, and ip, unshare and
mpirun. Prints a line for each number of ranks: microseconds a round without and with the delay, and the difference in round
trips of two delays each.
"""
import argparse
import ctypes
import fcntl
import heapq
import json
import os
import select
import stat
import struct
import subprocess
import tempfile
import threading
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001
NETWORK = "10.77.0"

AGENT = """#!/bin/sh
# Called by mpirun as AGENT HOST COMMAND...
host="$1"; shift
number="${host##*.}"
exec ip netns exec "inkling$number" unshare --uts sh -c "hostname inkling$number; exec $*"
"""


def run(*command):
    subprocess.run(command, check=True)


def tun_in(namespace):
    """A file whose packets are those of the device t0 in the namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    if libc.setns(there, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", b"t0", IFF_TUN_NO_PI))
    libc.setns(here, CLONE_NEWNET)
    os.close(here)
    os.close(there)
    return tun


class DelayingNetwork:
    """Namespaces inkling1, inkling2 and so on with the addresses 10.77.0.1, 10.77.0.2 ..."""

    def __init__(self, hosts):
        self.delay = 0.0
        self.tuns = {}
        self.names = [f"inkling{number}" for number in range(1, hosts + 1)]
        for number, name in enumerate(self.names, 1):
            run("ip", "netns", "add", name)
            self.tuns[number] = tun_in(name)
            run("ip", "-n", name, "addr", "add", f"{NETWORK}.{number}/24", "dev", "t0")
            run("ip", "-n", name, "link", "set", "t0", "up")
            run("ip", "-n", name, "link", "set", "lo", "up")
        self.ended = False
        self.thread = threading.Thread(target=self.carry)
        self.thread.start()

    def close(self):
        self.ended = True
        self.thread.join()
        for tun in self.tuns.values():
            os.close(tun)
        for name in self.names:
            run("ip", "netns", "del", name)

    def carry(self):
        # Ranks that wait keep the cores busy, and packets must not wait for those.
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(10))
        waiting = []
        count = 0
        poll = select.poll()
        for tun in self.tuns.values():
            poll.register(tun, select.POLLIN)
        while not self.ended:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, to, packet = heapq.heappop(waiting)
                os.write(self.tuns[to], packet)
            # The last fraction of a millisecond is spent looking, because poll counts in whole ones.
            wait = 100 if not waiting else max(0, int((waiting[0][0] - now) * 1000))
            for tun, _ in poll.poll(wait):
                packet = os.read(tun, 65536)
                if packet[0] >> 4 != 4 or packet[19] not in self.tuns:
                    continue
                count += 1
                heapq.heappush(waiting, (time.monotonic() + self.delay, count, packet[19], packet))


def round_microseconds(program, agent, ranks, rounds):
    hosts = ",".join(f"{NETWORK}.{number}" for number in range(1, ranks + 1))
    said = subprocess.run(
        ["ip", "netns", "exec", "inkling1", "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks),
         "--host", hosts, "--mca", "plm_rsh_agent", agent, "--mca", "btl", "tcp,self", "--mca", "pml", "ob1",
         "--mca", "btl_tcp_if_include", f"{NETWORK}.0/24", "--mca", "oob_tcp_if_include", f"{NETWORK}.0/24",
         program, "simulate", "--documents", "20000", "--features", "2000", "--rounds", str(rounds), "--json"],
        check=True, capture_output=True, text=True, timeout=300)
    return json.loads(said.stdout)["round_microseconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--delay", type=float, default=50.0, metavar="MS")
    parser.add_argument("--rounds", type=int, default=100)
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    network = DelayingNetwork(4)
    try:
        with tempfile.TemporaryDirectory() as folder:
            agent = os.path.join(folder, "agent")
            with open(agent, "w", encoding="utf-8") as file:
                file.write(AGENT)
            os.chmod(agent, stat.S_IRWXU)
            for ranks in (1, 2, 3, 4):
                network.delay = 0.0
                without = round_microseconds(program, agent, ranks, arguments.rounds)
                network.delay = arguments.delay / 1000
                late = round_microseconds(program, agent, ranks, arguments.rounds)
                trips = (late - without) / (2000 * arguments.delay)
                print(f"{ranks} ranks: {without:.0f} us a round, {late:.0f} us with {arguments.delay} ms a message: "
                      f"{trips:.2f} round trips more", flush=True)
    finally:
        network.close()


if __name__ == "__main__":
    main()
