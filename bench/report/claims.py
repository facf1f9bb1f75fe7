#!/usr/bin/env python3
"""claims.py FOLDER...: a table of the paper's claims, as Markdown, with the verdict of each in every reading of its worlds.

A folder holds a run of `./dev paper`, with the options that make a reading. The ridges that tuned OFUL found there stand beside the
paper's, which are the only trace of its worlds: the reading whose ridges are nearest is called likely."""
import math
import sys

import results
from words import estimate

PAPERS = {("sparse", "main"): -5, ("dense", "main"): -5, ("newsgroups-replacement", "main"): 8}  # powers of two
STAND_IN = "not the paper's experiment"


def name_of(run):
    settings = run["settings"]
    return f"rows {settings.get('rows', 'unit')}, θ* {settings.get('target', 'article')}, noise {settings['noise']:g}"


def ridges_of(run):
    """The power of two of OFUL's best ridge, by figure and study."""
    found = {}
    for figure in run["figures"]:
        for study in figure["studies"]:
            for one in study["entrants"]:
                if (figure["name"], study["name"]) in PAPERS and one["policy"] == "oful" and one.get("tuning"):
                    found[figure["name"], study["name"]] = math.log2(one["ridge"])
    return found


def distance(ridges):
    """From the paper's ridges, in powers of two, over those that are there."""
    return sum(abs(power - PAPERS[place]) for place, power in ridges.items()) / len(ridges) if ridges else math.inf


def cell(claim):
    if claim is None:
        return ""
    difference = next((number for number in claim["numbers"] if number["name"] == "difference"), None)
    shown = f" ({estimate(difference)})" if difference else ""
    return ("○ " + claim.get("outcome", "") if claim["verdict"] == STAND_IN else claim["verdict"]) + shown


def line(cells):
    return "| " + " | ".join(cells) + " |"


def table(runs):
    names, claims, sentences = [name_of(run) for run in runs], [], {}
    for run in runs:
        claims.append({claim["id"]: claim for figure in run["figures"] for claim in figure["claims"] if claim["whose"] == "paper"})
        sentences = {id_: claim["sentence"] for id_, claim in claims[-1].items()} | sentences
    rows = [line(["claim", *names]), line(["---"] * (len(runs) + 1))]
    for id_, sentence in sentences.items():
        rows.append(line([sentence, *(cell(of.get(id_)) for of in claims)]))
    rows.append(line(["**holds / fails / undecided / not the paper's**", *(
        " / ".join(str(sum(claim["verdict"] == one for claim in of.values())) for one in ("holds", "fails", "undecided", STAND_IN)) for of in claims)]))
    ridges = [ridges_of(run) for run in runs]
    for place, power in PAPERS.items():
        rows.append(line([f"OFUL's best ridge, `{place[0]}` (the paper's 2^{power})",
                          *(f"2^{of[place]:g}" if place in of else "" for of in ridges)]))
    return rows


def reasons(runs):
    """Of each claim that does not hold in the first reading that has it, why."""
    why = {}
    for run in runs:
        for figure in run["figures"]:
            for claim in figure["claims"]:
                if claim["whose"] == "paper":
                    why.setdefault(claim["id"], claim)
    return [f"- *{claim['verdict']}*: {claim['sentence']} {claim['why']}" for claim in why.values() if claim["verdict"] != "holds"]


def likely(runs):
    """For each kind of world, the reading whose ridge is nearest to the paper's, and whether FF-OFUL wins there."""
    lines = []
    for place, power in PAPERS.items():
        having = [(abs(ridges_of(run)[place] - power), n) for n, run in enumerate(runs) if place in ridges_of(run)]
        if not having:
            continue
        run = runs[min(having)[1]]
        claim = next((claim for figure in run["figures"] if figure["name"] == place[0] for claim in figure["claims"]
                      if claim["whose"] == "paper"), None)
        verdict = f": {claim['sentence']} **{claim['verdict']}**" if claim else ""
        lines.append(f"- `{place[0]}`: the likely reading is {name_of(run)}, whose ridge 2^{ridges_of(run)[place]:g} is nearest to 2^{power}{verdict}")
    return lines


def main(folders):
    runs = [results.load(folder) for folder in folders]
    trials = sorted({study["trials"] for run in runs for figure in run["figures"] for study in figure["studies"]})
    print(f"{'–'.join(map(str, sorted({trials[0], trials[-1]})))} paired trials; ± is one standard error of the difference of the regrets; ○ is not the "
          "paper's experiment: what was found there.\n")
    print("\n".join([*likely(runs), "", *table(runs), "", "Why:", "", *reasons(runs)]))


if __name__ == "__main__":
    main(sys.argv[1:])
