"""Reads a folder of results: summary.json, and the points of the charts from the CSV of each figure."""
import csv
import json
import math
import os
import re

VERSION = 2
SUPERSCRIPTS = str.maketrans("-+0123456789s", "⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹ˢ")


class BadResults(Exception):
    """Says in one line which file is not as it should be."""


def with_powers(text):
    """Powers as they are printed: 2^-7 becomes 2⁻⁷, and 2^(s+1) becomes 2ˢ⁺¹."""
    return re.sub(r"(?<=[\w)])\^(?:(-?\d+|s\b)|\(([-+\ds]+)\))",
                  lambda match: (match[1] or match[2]).translate(SUPERSCRIPTS), text)


def number(text):
    return float(text) if text else math.nan


def points_of(path):
    """The rows of a CSV by chart and series, each as columns x, y, low and high."""
    series = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = (with_powers(row["chart"]), with_powers(row["series"]))
            columns = series.setdefault(key, {"x": [], "y": [], "low": [], "high": []})
            for name, column in columns.items():
                column.append(number(row[name]))
    return series


def add_points(folder, figure):
    path = os.path.join(folder, figure["csv"])
    try:
        points = points_of(path)
    except (KeyError, ValueError) as error:
        raise BadResults(f"{path}: not a CSV of charts: {error}") from error
    for chart in figure["charts"]:
        for series in chart["series"]:
            key = (chart["name"], series["name"])
            if key not in points:
                raise BadResults(f"{path}: no points of the series {key[1]!r} in the chart {key[0]!r}")
            series.update(points[key])


def load(folder):
    """The run: summary.json as a dictionary, each series with its x, y, low and high. Members that a writer may
    leave out are filled in."""
    path = os.path.join(folder, "summary.json")
    try:
        with open(path, encoding="utf-8") as file:
            run = json.loads(with_powers(file.read()))
    except FileNotFoundError as error:
        raise BadResults(f"{path}: not found; a run of inkling-bench with --out writes it") from error
    except ValueError as error:
        raise BadResults(f"{path}: not JSON: {error}") from error
    version = run.get("summary_version") if isinstance(run, dict) else None
    if version != VERSION:
        raise BadResults(f"{path}: version {version} of results; this script reads version {VERSION}")
    for name, default in (("title", "Results"), ("programme", ""), ("settings", {}), ("machine", []),
                          ("figures", []), ("left_out", []), ("command", "")):
        run.setdefault(name, default)
    for figure in run["figures"]:
        figure.setdefault("title", figure["name"])
        for name in ("charts", "tables", "claims", "studies", "settings"):
            figure.setdefault(name, [])
        if figure["charts"]:
            add_points(folder, figure)
    return run
