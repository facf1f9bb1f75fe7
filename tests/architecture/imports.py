"""Reads paths of Python files, one a line, and prints each import that breaks a rule as "FILE:LINE: rule".

In a package of io no modules import each other in a circle, wherever the imports stand; imports for type checkers alone do not
count. No module outside `inkling.cluster`, which works on many machines, imports it. Nothing imports bench or tests.
"""

import ast
import sys
from pathlib import Path

COMPILED = "_core"  # the module in C++, which imports nothing


def is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports(tree: ast.AST):
    """All imports that run, as (line, dots, module, names)."""
    for node in ast.iter_child_nodes(tree):
        if is_for_types(node):
            yield from (found for other in node.orelse for found in imports(ast.Module([other], [])))
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.level, node.module or "", [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, 0, alias.name, []) for alias in node.names)
        else:
            yield from imports(node)


def targets(path: Path, level: int, module: str, names: list[str], files: set[Path]):
    """The files that an import with this many dots reads."""
    folder = path.parents[level - 1].joinpath(*module.split(".")) if module else path.parents[level - 1]
    for name in names:
        if not module and name == COMPILED:
            continue
        candidates = [folder / f"{name}.py", folder / name / "__init__.py", folder.with_suffix(".py"), folder / "__init__.py"]
        yield next((file for file in candidates if file in files), None)


def circle_through(start: Path, edges: dict[Path, dict[Path, int]]) -> bool:
    seen, waiting = set(), list(edges[start])
    while waiting:
        path = waiting.pop()
        if path == start:
            return True
        if path not in seen:
            seen.add(path)
            waiting += edges[path]
    return False


def main(files: set[Path]) -> None:
    edges: dict[Path, dict[Path, int]] = {path: {} for path in files}
    for path in sorted(files):
        for line, level, module, names in imports(ast.parse(path.read_text())):
            if module.split(".")[0] in ("bench", "tests") and level == 0:
                print(f"{path}:{line}: io must not import {module.split('.')[0]}")
            for target in targets(path, level, module, names, files) if level > 0 else []:
                if target is not None and target != path:
                    edges[path].setdefault(target, line)
                    if "cluster" in target.parts and "cluster" not in path.parts:
                        print(f"{path}:{line}: only inkling.cluster may import inkling.cluster")
    for path in sorted(files):
        if circle_through(path, edges):
            print(f"{path}: in a circle of modules that import each other")


main({Path(line.strip()) for line in sys.stdin if line.strip()})
