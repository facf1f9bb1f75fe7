"""python3 -m lab PROGRAMME [FIGURE...] --out DIR: makes figures, and a page with a verdict on each claim. See README.md."""
import argparse
import fcntl
import importlib
import json
import os
import pathlib
import subprocess
import sys
import time

import inkling

from lab.figure import OTHER, VERDICTS, Figure, Results
from lab.run import Run
from lab.trials import rounds_of, run_study

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(BENCH, "report"))
# Title, and trials of each figure and of each ridge that is tried: in full, and quick.
PROGRAMMES = {"paper": ("The figures of the paper, run again", (100, 10), (20, 4)), "beyond": ("Beyond the paper", (50, 10), (10, 3))}
SETTINGS = {"noise": float, "norm-bound": float, "logistic-norm": float, "label-noise": float, "delta": float, "words": int,
            "mark-probability": float, "rounds": int, "trials": int, "tuning-trials": int, "seed": int}


def arguments_of(words):
    parser = argparse.ArgumentParser(prog="lab", description=__doc__)
    parser.add_argument("programme", choices=sorted(PROGRAMMES))
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="names of figures (default: all)")
    parser.add_argument("--out", required=True, metavar="DIR", help="made where it is missing: index.html, summary.json, and NAME.csv and "
                        "NAME.svg for each figure; DIR/kept holds finished trials, so that a stopped run can continue")
    parser.add_argument("--quick", action="store_true", help="20 trials, every other ridge and a quarter of each horizon: the shapes")
    parser.add_argument("--data", default="build/datasets", metavar="FOLDER", help="where the data sets of datasets/fetch are")
    parser.add_argument("--pool", metavar="POOL", help="of beyond: make the figure searches in this pool, and no other unless it is named; its "
                        "labels are the topics")
    parser.add_argument("--rows", choices=("unit", "selected", "raw"), default="unit", help="rows of real text: of length 1 over the words "
                        "that are kept, or over all words, or without a norm")
    parser.add_argument("--target", choices=("article", "classifier"), default="article", help="what is wanted where messages are rated")
    parser.add_argument("--topic-words", metavar="FILE", help="words that people marked, a line 'topic: word, word' each, in place of a "
                        "simulated person")
    parser.add_argument("--python", default=sys.executable, metavar="PROGRAM", help="an interpreter that has the package asreview")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), metavar="N")
    for name, kind in SETTINGS.items():
        parser.add_argument("--" + name, type=kind, metavar="N", help=argparse.SUPPRESS if name == "words" else None)
    return parser.parse_intermixed_args(words)


def run_of(given):
    values = {name.replace("-", "_"): getattr(given, name.replace("-", "_")) for name in SETTINGS}
    _, full, quick = PROGRAMMES[given.programme]
    usual = dict(zip(("trials", "tuning_trials"), quick if given.quick else full))
    chosen = usual | {name: value for name, value in values.items() if value is not None}
    return Run(given.out, given.quick, data=given.data, threads=max(1, given.threads), python=given.python, pool=given.pool,
               topic_words=given.topic_words, rows=given.rows,
               target=given.target, **chosen)


def command_of(given):
    """Only given options: where a later version changes a default, its figures may change, too."""
    options = [f"--{name} {getattr(given, name)}" for name, usual in (("rows", "unit"), ("target", "article")) if getattr(given, name) != usual]
    options += [f"--{name} {getattr(given, name.replace('-', '_')):g}" for name in SETTINGS
               if getattr(given, name.replace("-", "_")) is not None]
    return " ".join(["./dev", given.programme, *given.figures, *(["--quick"] if given.quick else []), *options,
                     *(["--pool POOL"] if given.pool else []), "--out DIR"])


def figures_of(programme):
    """The names of those that are run where none is named, and of all: a file with a function `show` that is in no list comes last."""
    listed = (*programme.FIGURES, *getattr(programme, "MORE", ()))
    files = sorted(pathlib.Path(programme.__file__).parent.glob("*.py"))
    names = [path.stem.replace("_", "-") for path in files if "\ndef show(" in path.read_text(encoding="utf-8")]
    new = tuple(name for name in names if name not in listed)
    return programme.FIGURES + new, listed + new


def common_settings(study, results, run):
    entrant = results[0].entrant
    rows = [("trials", f"{study.trials:,}"), ("rounds", f"{entrant.rounds:,}"), ("seed", run.seed),
            ("delta, the failure probability of a confidence set", f"{run.delta:g}"),
            ("S, the bound on the norm of theta* given to policies", f"{run.norm_bound:g}"),
            ("R, the noise given to policies", f"{entrant.settings.get('noise', 0.0):g}")]
    if study.tuning_trials:
        rows.append(("trials for each ridge of the tuning, other than those above", f"{study.tuning_trials:,}"))
    return rows + study.settings


def make_figure(name, module, studies, run):
    """The figure, and its member of summary.json."""
    start = time.monotonic()
    results = Results(studies, [run_study(study, name, run) for study in studies])
    figure = Figure(name, module)
    if studies:
        figure.settings += common_settings(studies[0], results[studies[0].name], run)
    module.show(figure, results, run)
    figure.write(run.folder)
    return figure.summary(results, time.monotonic() - start)


def held(folder):
    """The lock of the folder. Ends the program where another run holds it."""
    lock = open(os.path.join(folder, "lock"), "a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        print(f"lab: {folder} is in use by another run, process {lock.read().strip()}", file=sys.stderr)
        sys.exit(4)
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def commit():
    shown = subprocess.run(["git", "describe", "--always", "--exclude=*", "--dirty=-changed"], cwd=BENCH, capture_output=True, text=True,
                           check=False)
    return shown.stdout.strip()


def counts(figures):
    lines = []
    for whose, name in (("paper", "Claims of the paper"), ("ours", "Checks of ours")):
        verdicts = [claim["verdict"] for figure in figures for claim in figure["claims"] if claim["whose"] == whose]
        if verdicts:
            lines.append(f"{name}: " + ", ".join(f"{verdicts.count(one)} {one}" for one in dict.fromkeys([*VERDICTS.values(), OTHER]) if one in verdicts))
    return lines


def main(words=None):
    given = arguments_of(words)
    run, start = run_of(given), time.monotonic()
    lock = held(run.kept())  # until the program ends
    programme = importlib.import_module(given.programme)
    usual, known = figures_of(programme)
    unknown = [name for name in given.figures if name not in known]
    if unknown:
        sys.exit(f"lab: expected figures among {', '.join(known)}, got {', '.join(unknown)}")
    wanted = given.figures or (["searches"] if given.pool else usual)
    names = [name for name in known if name in wanted]
    modules = {name: importlib.import_module(f"{given.programme}.{name.replace('-', '_')}") for name in names}
    planned, left_out = {}, []
    for name, module in modules.items():
        try:
            planned[name] = module.studies(run)
        except FileNotFoundError as error:
            left_out.append({"name": name, "title": module.TITLE, "paper_place": module.PLACE, "why": "Its data was not found.",
                             "remedy": str(error)})
    run.planned = sum(rounds_of(study) for studies in planned.values() for study in studies)
    settings = {"effort": "quick" if run.quick else "full"} | {name.replace("-", "_"): getattr(run, name.replace("-", "_")) for name in SETTINGS}
    settings |= {"rows": run.rows, "target": run.target} if given.programme == "paper" else {}
    summary = {"summary_version": 2, "programme": given.programme, "title": PROGRAMMES[given.programme][0], "program_version": inkling.__version__,
               "commit": commit(), "command": command_of(given), "settings": settings, "machine": [], "figures": [], "left_out": left_out}
    for name, studies in planned.items():
        summary["figures"].append(make_figure(name, modules[name], studies, run))
        summary["seconds"] = time.monotonic() - start
        with open(os.path.join(run.folder, "summary.json"), "w", encoding="utf-8") as file:
            json.dump(summary, file, ensure_ascii=False, allow_nan=False)
    lock.close()
    for figure in summary["figures"]:
        for claim in figure["claims"]:
            print(f"{claim['verdict']:<15} {claim['sentence']}")
    for one in left_out:
        print(f"{'left out':<15} {one['name']}: {one['remedy']}")
    if not summary["figures"]:
        sys.exit("lab: no figure was made")
    print("\n".join(counts(summary["figures"])))
    import page  # of bench/report
    import results

    page.write(results.load(run.folder), run.folder)
    print(f"{len(summary['figures'])} figures in {summary['seconds']:.0f} s. {run.folder}/index.html shows them.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("lab: stopped; the same command continues")
