"""The notebooks among the examples: each cell gives the output that is kept with it. `python test_notebooks.py` keeps it anew."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "io/doors/python/examples").glob("*.ipynb"))


def output_of(code: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a notebook shows below a cell: what it prints, and the value of its last line."""
    printed = io.StringIO()
    lines = ast.parse(code).body
    last = lines.pop() if lines and isinstance(lines[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(lines, []), "cell", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        html = getattr(value, "_repr_html_", lambda: None)()
        data = {"text/html": html.splitlines(keepends=True)} if html else {}
        data["text/plain"] = repr(value).splitlines(keepends=True)
        outputs.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data})
    return outputs


def run(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = output_of("".join(cell["source"]), names)
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_is_kept_with_it(path: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    assert run(path) == json.loads(path.read_text(encoding="utf-8"))


def test_there_are_two_of_them() -> None:
    assert len(NOTEBOOKS) == 2


if __name__ == "__main__":
    for one in NOTEBOOKS:
        one.write_text(json.dumps(run(one), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
