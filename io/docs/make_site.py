#!/usr/bin/env python3
"""make_site.py INKLING INKLING_BENCH FOLDER: lays out in FOLDER what mkdocs makes the site of.

The pages keep their places in the tree, so their links need no change: those of io/docs, and every page and file that these
lead to. Others are written here, from what the programs and the package of Python say of themselves, from the description of the
HTTP interface and from notebooks.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")


def collect(pages):
    """Copies README.md, all of io/docs, and whatever they link to. Returns the links that lead elsewhere, which nobody checks."""
    elsewhere = set()
    waiting = [ROOT / "README.md", *sorted((ROOT / "io" / "docs").glob("*.md"))]
    known = set(waiting)
    for path in waiting:
        copy = pages / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        if path.suffix != ".md":
            continue
        text = path.read_text(encoding="utf-8")
        elsewhere.update(re.findall(r"\]\((https?://[^)\s]+)\)", text))
        for link in LINK.findall(text):
            target = (path.parent / link).resolve()
            if target.is_file() and target not in known:
                known.add(target)
                waiting.append(target)
    return sorted(elsewhere)


def said(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


def commands_of(program):
    """Each line of the program's help that is a command; `parts` has steps, which are commands, too."""
    found = []
    for name in re.findall(r"^  ([a-z]+)(?: STEP)?  ", said(program, "help"), re.MULTILINE):
        text = said(program, "help", name, "--all")
        steps = re.findall(r"^  ([a-z][a-z-]+)  ", text, re.MULTILINE) if "Usage: inkling parts STEP" in text else []
        found += [(f"{name} {step}", said(program, "help", name, step, "--all")) for step in steps] or [(name, text)]
    return found


def plain(text):
    return re.sub(r"([\\`*_<>\[\]|#])", r"\\\1", " ".join(text.split()))


def rows_of(lines):
    """(name, what it is) of each option: the name begins in column 3, and what it is in column 27."""
    rows = []
    for line in lines:
        if line.startswith(" " * 20):
            rows[-1][1] += " " + line.strip()
        else:
            name, _, text = line.strip().partition("  ")
            rows.append([name, text])
    return rows


def command_page(programs):
    """The page of commands, and where each option is found."""
    page, options = ["# Every command", "", "As `inkling help COMMAND --all` prints it.", ""], {}
    for program in programs:
        for name, text in commands_of(program):
            title = f"{Path(program).name} {name}"
            usage, *paragraphs = text.rstrip("\n").split("\n\n")
            page += [f"## {title}", "", "```text", usage, "```", ""]
            for paragraph in paragraphs:
                head, *lines = paragraph.split("\n")
                if head == "Help:":
                    continue
                if head == "Example:":
                    page += ["Example:", "", "```text", *(line.strip() for line in lines), "```", ""]
                elif lines and head.endswith(":") and lines[0].startswith("  "):
                    page += [f"**{head[:-1]}**", ""]
                    for option, what in rows_of(lines):
                        page.append(f"- `{option}`: {plain(what)}")
                        if option.startswith("-"):
                            long = re.search(r"--[a-z0-9-]+", option).group()
                            options.setdefault(long, []).append((title, what))
                    page.append("")
                else:
                    page += [plain(paragraph), ""]
    return page, options


def settings_page(options):
    page = ["# Every setting", "", "Each option, and the commands that take it.", ""]
    for option, uses in sorted(options.items()):
        page += [f"## `{option}`", ""]
        for what in dict.fromkeys(what for _, what in uses):
            commands = [title for title, text in uses if text == what]
            links = ", ".join(f"[{title}](commands.md#{title.replace(' ', '-')})" for title in commands)
            page.append(f"- {plain(what)} ({links})")
        page.append("")
    return page


def messages_page(program):
    """Exit codes, and the statuses of HTTP."""
    codes = said(program, "help", "--all").split("Exit codes:\n")[1].split("\n\n")[0]
    page = ["# Messages that have a number", "", "A message says where something is wrong, what was expected and what to do.", "",
            "## Exit codes of the programs", "", "| code | what it says |", "|---|---|"]
    page += [f"| {code} | {plain(what)} |" for code, what in rows_of(codes.split("\n"))]
    api = json.loads((ROOT / "io" / "doors" / "serve" / "openapi.json").read_text(encoding="utf-8"))
    page += ["", "## Statuses of HTTP", "", "| status | what it says | where |", "|---|---|---|"]
    uses = {}
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            for status in operation["responses"]["refusals"].split():
                what = api["components"]["responses"][status]["problem"]
                uses.setdefault((status, what), []).append(f"`{method.upper()} {path}`")
    for (status, what), places in sorted(uses.items()):
        page.append(f"| {status} | {plain(what)} | {', '.join(places) if len(places) <= 6 else f'{len(places)} addresses'} |")
    return page


def python_page():
    """The public names of the package, whose docstrings mkdocstrings puts in their places."""
    page = ["# Python, name by name", "", "What each class and function of the package says of itself.", ""]
    for package in ("inkling", "inkling.cluster"):
        tree = ast.parse((ROOT / "io/doors/python" / package.replace(".", "/") / "__init__.py").read_text(encoding="utf-8"))
        names = next(ast.literal_eval(one.value) for one in tree.body
                     if isinstance(one, ast.Assign) and getattr(one.targets[0], "id", "") == "__all__")
        page += [f"## {package}", "", *(line for name in sorted(names) for line in (f"::: {package}.{name}", ""))]
    return page


def notebook_page(path):
    """Cells and what they gave, which the tests of the package compare."""
    page = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            page += [source, ""]
            continue
        page += ["```python", source, "```", ""]
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "text/html" in data:
                page += ['<div class="output">' + " ".join("".join(data["text/html"]).split()) + "</div>", ""]
            else:
                page += ["```text", "".join(output.get("text", data.get("text/plain"))).rstrip(), "```", ""]
    return page


def main():
    programs, pages = [str(Path(name).resolve()) for name in sys.argv[1:3]], Path(sys.argv[3])
    shutil.rmtree(pages, ignore_errors=True)
    elsewhere = collect(pages)
    order = (ROOT / "io" / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    lost = {page.name for page in (ROOT / "io" / "docs").glob("*.md") if f"io/docs/{page.name}\n" not in order} - {"README.md"}
    if lost:
        sys.exit(f"io/docs/mkdocs.yml: expected a place for {', '.join(lost)}")
    shutil.copyfile(ROOT / "io/docs/site.css", pages / "io/docs/site.css")
    commands, options = command_page(programs)
    made = {"commands": commands, "settings": settings_page(options), "messages": messages_page(programs[0]),
            "python": python_page(),
            **{path.stem: notebook_page(path) for path in (ROOT / "io/doors/python/examples").glob("*.ipynb")}}
    for name, lines in made.items():
        (pages / "io" / "docs" / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{sum(1 for _ in pages.rglob('*.md'))} pages, {len(options)} settings; not checked, because they lead elsewhere:")
    print(*elsewhere, sep="\n")


if __name__ == "__main__":
    main()
