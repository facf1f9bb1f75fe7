"""Reads names of READMEs from stdin and prints each file that one of their tables names and that is not there. Such a table has the
head "file"; names are relative to the README's folder or to the root, and capital letters in a name mean any (`with_LIBRARY.py`)."""

import re
import sys
from pathlib import Path

for readme in map(Path, filter(None, sys.stdin.read().split("\n"))):
    in_table = False
    for number, line in enumerate(readme.read_text(encoding="utf-8").splitlines(), 1):
        names = re.findall(r"`([\w./-]+\.[a-z]{1,5})`", line.split("|")[1]) if in_table and line.startswith("|") else []
        for name in names:
            pattern = name if name.endswith("README.md") else re.sub(r"[A-Z]{2,}", "*", name)
            if not any(readme.parent.glob(pattern)) and not any(Path().glob(pattern)):
                print(f"{readme}:{number}: the table names {name}, which is not there")
        in_table = line.startswith("|") and (in_table or re.match(r"\| *file *\|", line) is not None)
