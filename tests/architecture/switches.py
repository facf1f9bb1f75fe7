"""Reads file names from stdin and prints each switch over an enum of theirs that has a `default`: without one the compiler
names every switch that a new value concerns."""

import re
import sys

sources = {name: open(name, encoding="utf-8").read() for name in sys.stdin.read().split("\n") if name}
QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
bare = {name: QUIET.sub(lambda found: "\n" * found[0].count("\n"), text) for name, text in sources.items()}
enums = {name for text in bare.values() for name in re.findall(r"\benum\s+(?:class\s+|struct\s+)?(\w+)", text)}


def body_from(text: str, start: int) -> str:
    """What the braces hold that open after `start`, without the switches inside it."""
    depth, end = 0, text.index("{", start)
    begin = end
    for end in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            break
    inner = re.search(r"\bswitch\s*\(", text[begin:end])
    if not inner:
        return text[begin:end]
    nested = body_from(text, begin + inner.end())
    return text[begin:end].replace(nested, "", 1)


for name, text in bare.items():
    for switch in re.finditer(r"\bswitch\s*\(", text):
        body = body_from(text, switch.end())
        ours = enums.intersection(re.findall(r"\bcase\s+(?:\w+::)*?(\w+)::\w+\s*:(?!:)", body))
        if ours and re.search(r"\bdefault\s*:", body):
            line = text.count("\n", 0, switch.start()) + 1
            print(f"{name}:{line}: a switch over {min(ours)} must have no default: name every value")
