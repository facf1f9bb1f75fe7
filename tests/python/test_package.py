"""Examples, types, the display in notebooks, and the cost of an import."""

from __future__ import annotations

import doctest
import importlib
import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import inkling as ink
from inkling._settings import SETTINGS, PolicySettings

from conftest import ROOT

PACKAGE = Path(ink.__file__).parent
EXAMPLES = sorted((ROOT / "io" / "doors" / "python" / "examples").glob("*.py"))
MODULES = [
    *("inkling", "inkling.cluster"),
    *(
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for path in sorted(PACKAGE.rglob("_*.py"))
        if not path.stem.startswith("__")
    ),
]
NOT_DOCUMENTED = ("POLICIES", "DEFAULT_POLICY", "Counts")  # data, and the name of a type
NEEDED = {"inkling._regressor": "sklearn", "inkling.cluster._live": "distributed"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_do_what_they_say(name: str, inkling_program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    monkeypatch.setenv("INKLING_PROGRAM", inkling_program)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def members_of(kind: type) -> dict[str, Any]:
    """What a class has of itself and of classes of this package."""
    ours = [one for one in reversed(kind.__mro__) if one.__module__.startswith("inkling.")]
    return {name: thing for one in ours for name, thing in vars(one).items()}


def test_everything_public_says_what_it_is() -> None:
    pytest.importorskip("sklearn")
    for name in ink.__all__:
        thing = getattr(ink, name)
        if name == "POLICIES":
            continue
        assert thing.__doc__, name
        for member in members_of(thing) if isinstance(thing, type) else ():
            if not member.startswith("_") and callable(getattr(thing, member)):
                assert getattr(thing, member).__doc__, f"{name}.{member}"


def test_dir_shows_what_is_public_and_nothing_else() -> None:
    assert set(dir(ink)) == {*ink.__all__, "__version__"}


def public_names(module: ModuleType) -> list[str]:
    """The names of all classes and functions, and of the methods and properties of classes, which need a docstring."""
    names = [name for name in module.__all__ if name not in NOT_DOCUMENTED]
    members = [
        f"{name}.{member}"
        for name in names
        if isinstance(getattr(module, name), type)
        for member, thing in members_of(getattr(module, name)).items()
        if not member.startswith("_") and (callable(thing) or isinstance(thing, (property, classmethod)))
    ]
    return [f"{module.__name__}.{name}" for name in [*names, *members]]


def test_docstrings_are_in_the_style_of_numpy() -> None:
    """Docstrings describe every parameter and the result. An extended summary and sections with links are not required."""
    pytest.importorskip("sklearn")
    validate = pytest.importorskip("numpydoc.validate").validate
    names = [*public_names(ink), *public_names(importlib.import_module("inkling.cluster"))]
    findings = {name: validate(name)["errors"] for name in names}
    wrong = [(name, *one) for name, all_ in findings.items() for one in all_ if one[0] not in ("ES01", "SA01", "EX01")]
    assert len(names) > 100 and not wrong
    broken = validate("inkling.Pool._built")["errors"]  # shows that a missing docstring is found
    assert [code for code, _ in broken] == ["GL08"]


def test_every_public_class_and_function_has_an_example() -> None:
    pytest.importorskip("sklearn")
    modules = (ink, importlib.import_module("inkling.cluster"))
    things = [getattr(module, name) for module in modules for name in module.__all__ if name not in NOT_DOCUMENTED]
    assert [one.__name__ for one in things if ">>> " not in (one.__doc__ or "")] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_each_worked_example_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("matplotlib", "sklearn", "pandas"):
        if module in path.read_text(encoding="utf-8"):
            pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    runpy.run_path(str(path), run_name="__main__")


PAGES = [path for path in [ROOT / "README.md", *ROOT.glob("io/**/*.md")] if "```python" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_blocks_of_a_page_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy
    import scipy.sparse

    texts = ["dig the soil", "the sea is cold", "soil and compost", "a cold wind"]
    ink.Pool.from_text(texts).save(tmp_path / "P")
    documents, features = ink.Pool.open(tmp_path / "P").shape
    known = {"texts": texts, "np": numpy, "scipy": scipy, "documents": documents, "features": features}
    reader = runpy.run_path(str(ROOT / "tests" / "docs" / "page_commands.py"))
    monkeypatch.chdir(tmp_path)
    for block in reader["blocks_of"](path, "python"):
        exec(block, known)


def test_pages_with_python_are_found() -> None:
    assert {"in_python", "PYPI", "FORMAT"} <= {path.stem for path in PAGES}


def test_there_are_three_examples() -> None:
    assert len(EXAMPLES) == 3


def test_a_notebook_shows_words_tinted_and_escaped() -> None:
    pool = ink.Pool.from_text(["soil <b> & rain", "the cold sea", "soil and salt"])
    session = ink.Session(pool, random_state=1).rate(0, 1.0, ["soil"])
    html = session.why(2)._repr_html_()
    assert "rgba(46, 125, 50" in html and ">soil</span>" in html and "<td>soil</td>" in html
    assert "&lt;b&gt; &amp; rain" in pool._repr_html_()
    assert "Document" in session.choose()._repr_html_()
    fields = {"title": "On <soil>", "authors": ["Doe, J", "Roe, R"], "year": "2019", "doi": "10.1/a"}
    titled = ink.Session(ink.Pool.from_text(["dig"], fields=[fields])).choose()._repr_html_()
    assert "<b>On &lt;soil&gt;</b>" in titled and "Doe, J; Roe, R · 2019" in titled
    assert '<a href="https://doi.org/10.1/a">' in titled
    plain = ink.Pool.from_csr(pool.X)
    assert "Document" in ink.Session(plain).choose()._repr_html_()


def test_an_import_loads_no_other_package() -> None:
    heavy = ("numpy", "scipy", "sklearn", "pandas", "matplotlib")
    code = f"import sys, inkling; print([m for m in {heavy} if m in sys.modules]); inkling.Session; print('numpy' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["[]", "True"]


def test_a_session_needs_little_more_than_numpy() -> None:
    code = "import sys, numpy; before = set(sys.modules); from inkling import Session; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {name.split(".")[0] for name in loaded} - set(sys.stdlib_module_names) == {"inkling"}
    assert len(loaded) < 60, loaded


TOOLS = {
    "mypy": ["mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), "-p", "inkling"],
    "stubtest": ["mypy.stubtest", "inkling", "--mypy-config-file", str(ROOT / "pyproject.toml"),
                 "--allowlist", str(ROOT / "tests" / "python" / "stubtest_allowlist.txt"), "--ignore-unused-allowlist"],
}  # fmt: skip


@pytest.mark.skipif(
    not (PACKAGE / "_core.pyi").exists(), reason="the package was not installed with its stubs"
)
@pytest.mark.parametrize("tool", TOOLS)
def test_types_are_right(tool: str, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    environment = os.environ | {"MYPYPATH": "", "MYPY_CACHE_DIR": str(PACKAGE.parent / ".mypy_cache")}
    command = [sys.executable, "-m", *TOOLS[tool]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()


def test_type_checkers_know_settings_and_answers(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    assert set(PolicySettings.__annotations__) == set(SETTINGS)
    (tmp_path / "use.py").write_text(
        "import inkling as ink\n"
        'pool = ink.Pool.from_text(["a b"])\n'
        "right: ink.Choice = ink.Session(pool, ridge=2.0, random_state=1).choose()\n"
        "several: list[ink.Choice] = ink.Session(pool).choose(2)\n"
        "means, widths = ink.Session(pool).expectations(return_std=True)\n"
        "ink.Session(pool, rige=2)\n"
        'ink.Session(pool, ridge="2")\n'
        "ink.run_trial(pool, 'ff-oful', rounds=1, rige=2)\n"
        "wrong: ink.Choice = ink.Session(pool).choose(2)\n"
    )
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "use.py"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line] == ["6", "7", "8", "9"], done.stdout
