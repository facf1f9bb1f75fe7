"""Reads names of sources from stdin and prints each name of an anonymous namespace that two sources of one library declare: they
compile in groups (CMAKE_UNITY_BUILD), so both may come into one group."""

import re
import sys
from collections import defaultdict
from pathlib import Path

QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
TYPE = re.compile(r"\b(?:class|struct|enum(?:\s+class)?)\s+(\w+)\s*(?:$|[:{]|final)")
OTHER = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)?([({=]|$)")


def declared(text: str) -> set[str]:
    """The names that the anonymous namespaces of a source declare."""
    text = QUIET.sub(lambda found: "\n" * found[0].count("\n"), text)
    names = set()
    for opening in re.finditer(r"\bnamespace \{", text):
        depth, start = 1, opening.end()
        for at in range(start, len(text)):
            if text[at] in "{}":
                if depth == 1 and text[at] == "{":
                    names |= names_in(text[start:at] + "{")
                depth += 1 if text[at] == "{" else -1
                start = at + 1
                if depth == 0:
                    break
            elif text[at] == ";" and depth == 1:
                names |= names_in(text[start:at])
                start = at + 1
    return names


def names_in(head: str) -> set[str]:
    """Of a declaration as far as its body. A function has its parameters with it, because others may overload it."""
    head = re.sub(r"^\s*#.*$|\btemplate\s*<.*>\s*\n|\[\[.*?\]\]", "", head, flags=re.MULTILINE).strip()
    if not re.match(r"(?!namespace\b|static_assert\b|using namespace\b)[A-Za-z_]", head):
        return set()
    if found := TYPE.search(head):
        return {found[1]}
    found = OTHER.search(head)
    if not found or found[1][0].isdigit() or head[: found.start()].strip() in ("", "using") or head[: found.start()].endswith("::"):
        return set()
    if found[2] != "(":
        return {found[1]}
    parameters = head[found.end() : head.rfind(")")].split(",")
    types = [re.sub(r"\s*\w*\s*(=.*)?$", "", one.strip()) if " " in one.strip() else one.strip() for one in parameters]
    return {f"{found[1]}({', '.join(types)})"}


# Of types in headers: two of one name in one namespace would be mixed up by the linker, without a word.
SHARED_TYPE = re.compile(r"^(?:class|struct|enum class|union) (\w+)(?!\w*::)[^;\n]*\{", re.MULTILINE)
shared: dict[tuple[str, str], str] = {}
where: dict[tuple[str, str], list[str]] = defaultdict(list)
for source in filter(None, sys.stdin.read().split("\n")):
    if source.endswith(".hpp"):
        text = Path(source).read_text(encoding="utf-8")
        space = re.search(r"^namespace ([\w:]+) \{", text, re.MULTILINE)
        for name in SHARED_TYPE.findall(text):
            first = shared.setdefault((space[1] if space else "", name), source)
            if first != source:
                print(f"{source}: {name} is also a type of {first}, and the linker would mix them up")
        continue
    library = source.split("/")[0] if not source.startswith("io/") else "/".join(source.split("/")[:2])
    for name in declared(Path(source).read_text(encoding="utf-8")):
        where[library, name].append(source)


def system_of(source: str) -> str:
    """Of a folder that is built for one system alone; "" for all others."""
    found = re.match(r"io/base/system/(\w+)/", source)
    return found[1] if found else ""


for (_, name), sources in sorted(where.items()):
    for n, source in enumerate(sources):
        for other in sources[:n]:
            if len({system_of(source), system_of(other)} - {""}) <= 1:
                print(f"{source}: {name} is also a name of {other}, which may compile with it")
                break
