#!/usr/bin/env python3
"""run_results.py RESULTS.md FOLDER [WORD]: runs every command that the page names, or those that hold WORD, unchanged.

They run one after the other in the root of the tree, with the programs of `build` and with FOLDER as $OUT. FOLDER/NN.txt holds
what each printed, FOLDER/log how long it took, how it ended and how busy the machine was, under the version that ran. A
command that succeeded is not run again unless its file is removed.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def commands_of(page):
    """The lines of its blocks, each as one command, without what follows a # in it."""
    blocks = re.findall(r"^```\n(.*?)^```$", Path(page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [command for line in lines if (command := re.sub(r"(^|\s)#.*", "", line).strip())]


def main():
    page, folder, word = sys.argv[1], Path(sys.argv[2]).resolve(), (sys.argv[3:] or [""])[0]
    folder.mkdir(parents=True, exist_ok=True)
    places = [ROOT / "build", ROOT / "build" / "python" / "bin", os.environ["PATH"]]
    environment = os.environ | {"PATH": os.pathsep.join(map(str, places)), "OUT": str(folder)}
    log = (folder / "log").open("a", encoding="utf-8", buffering=1)
    for about in (["inkling", "about"], ["git", "describe", "--always", "--exclude=*", "--dirty=-changed"]):
        log.write(subprocess.run(about, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout)
    failed = 0
    for number, command in enumerate(commands_of(page), 1):
        kept = folder / f"{number:02}.txt"
        if word not in command or kept.exists():
            continue
        begin, output = time.monotonic(), folder / "running.txt"
        with output.open("w", encoding="utf-8") as file:
            file.write(f"$ {command}\n")
            file.flush()
            status = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT).returncode
        output.rename(kept if status == 0 else folder / f"{number:02}.failed")
        failed += status != 0
        log.write(f"{number:02} ended with {status} after {time.monotonic() - begin:.0f} s, load {os.getloadavg()[0]:.1f}: {command}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
