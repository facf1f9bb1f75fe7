"""Makes the page of a run, index.html, and the picture of each chart beside it."""
import html
import os

import charts
from words import duration, estimate, inline, markdown

HERE = os.path.dirname(os.path.abspath(__file__))
SIGNS = {"holds": ("good", "✓"), "fails": ("bad", "✗"), "undecided": ("neutral", "?"), "not the paper's experiment": ("neutral", "○")}
KINDS = {"paper": "claims of the paper", "ours": "checks of ours"}


def tag(name, content, **attributes):
    given = "".join(f' {key.rstrip("_")}="{html.escape(str(value))}"' for key, value in attributes.items() if value)
    return f"<{name}{given}>{content}</{name}>"


def verdict(claim):
    sign, mark = SIGNS[claim["verdict"]]
    return tag("span", f"{mark} {claim['verdict']}", class_=f"verdict {sign}")


def table(head, rows, first_number):
    def line(cells, kind):
        return tag("tr", "".join(tag(kind, inline(cell), class_="number" if n >= first_number else "") for n, cell in enumerate(cells)))
    lines = ([line(head, "th")] if head else []) + [line(row, "td") for row in rows]
    return tag("div", tag("table", "\n".join(lines)), class_="wide")


def pairs(items):
    rows = [tag("tr", tag("td", inline(item["name"])) + tag("td", inline(item["value"]))) for item in items]
    return tag("div", tag("table", "\n".join(rows), class_="words"), class_="wide")


def claim_text(claim):
    ours = " <small>our check</small>" if claim.get("whose") == "ours" else ""
    text = tag("p", f"{verdict(claim)}{ours}<br>{inline(claim['sentence'])}")
    numbers = "".join(f"<div><dt>{inline(number['name'])}</dt> <dd>{estimate(number)}</dd></div>" for number in claim.get("numbers", []))
    text += tag("dl", numbers) if numbers else ""
    return tag("div", text + (tag("div", markdown(claim["why"]), class_="note") if claim.get("why") else ""), class_="claim")


def figure_text(figure, folder, run, looks):
    """A section of the page. Writes the picture of each chart."""
    cells = [tag("div", markdown(figure["text"]))] if figure.get("text") else []
    for chart in figure["charts"]:
        svg = charts.svg_of(run, chart, looks)
        with open(os.path.join(folder, chart["name"] + ".svg"), "w", encoding="utf-8") as file:
            file.write(svg)
        shown = charts.svg_for_page(svg, chart["name"], html.escape(chart["title"]))
        caption = tag("figcaption", markdown(chart.get("caption") or ""))
        cells.append(tag("figure", shown + caption, class_="tall" if charts.is_tall(chart) else ""))
    cells += [claim_text(claim) for claim in figure["claims"]]
    about = [inline(figure["paper_place"])] if figure.get("paper_place") else []
    about += [figure["name"]] + ([duration(figure["seconds"])] if "seconds" in figure else [])
    about += [tag("a", figure["csv"], href=figure["csv"])] if figure.get("csv") else []
    parts = [tag("h2", inline(figure["title"]), id=figure["name"]), tag("p", " · ".join(about), class_="note"),
             tag("div", "\n".join(cells), class_="cells")]
    for item in figure["tables"]:
        body = tag("summary", inline(item["title"])) + table(item["head"], item["rows"], item.get("first_number", 1))
        parts.append(f"<details{' open' if item.get('open') else ''}>{body}</details>")
    if figure["settings"]:
        parts.append(tag("details", tag("summary", "Settings") + pairs(figure["settings"])))
    return "\n".join(parts)


def verdicts(figures):
    """The counts at the top, and all verdicts in one table, for each kind of claim that there is."""
    counts, tables = [], []
    for kind, name in KINDS.items():
        own = [(claim, figure) for figure in figures for claim in figure["claims"] if claim.get("whose", "paper") == kind]
        if not own:
            continue
        of = {sign: sum(claim["verdict"] == sign for claim, _ in own) for sign in SIGNS}
        text = f"<b>{of['holds']} of {len(own)}</b> {name} hold"
        text += f", <span class=\"bad\">{of['fails']} fail</span>" if of["fails"] else ""
        counts.append(tag("li", text + "".join(f", {of[sign]} {sign}" for sign in list(SIGNS)[2:] if of[sign])))
        rows = [tag("tr", tag("td", verdict(claim)) + tag("td", inline(claim["sentence"])) +
                    tag("td", tag("a", inline(figure["title"]), href="#" + figure["name"]))) for claim, figure in own]
        tables.append(tag("h3", name.capitalize()) + tag("table", "\n".join(rows), class_="statements"))
    return counts, tables


def contents(figures):
    lines = [tag("a", inline(figure["title"]), href="#" + figure["name"]) + "".join(
        " " + tag("span", SIGNS[claim["verdict"]][1], class_=SIGNS[claim["verdict"]][0]) for claim in figure["claims"]) for figure in figures]
    return tag("ul", "\n".join(tag("li", line) for line in lines), class_="contents")


def colours(place):
    return " ".join(f"--{name}: {tints[place]};" for name, tints in charts.COLOURS.items())


def write(run, folder):
    looks, figures = charts.Looks(), run["figures"]
    sections = [figure_text(figure, folder, run, looks) for figure in figures]
    counts, tables = verdicts(figures)
    body = [tag("h1", inline(run["title"])), tag("div", markdown(run.get("introduction", "")), class_="summary"),
            tag("p", html.escape(charts.facts_of(run, {})), class_="note")]
    if counts:
        body += [tag("ul", "\n".join(counts), class_="tallies"),
                 tag("p", "A ± is one standard error over trials; bands and bars are 95 %. Policies play the same trials, so the error of a "
                     'difference is that of the differences trial by trial. <a href="#verdicts">All verdicts in one table</a>.', class_="note")]
    body += ([contents(figures)] if len(figures) > 1 else []) + sections
    body += [tag("h2", "All verdicts", id="verdicts"), *tables] if tables else []
    if run["left_out"]:
        body += [tag("h2", "Left out", id="left-out")]
        body += [tag("h3", inline(one["title"])) + tag("p", inline(f"{one['why']} {one['remedy']}")) for one in run["left_out"]]
    body += [tag("h2", "The machine and the command", id="machine"), pairs(run["machine"]), tag("pre", html.escape(run["command"]))]
    if "seconds" in run:
        body.append(tag("p", f'All of it took {duration(run["seconds"])}. <a href="summary.json">summary.json</a> holds all verdicts and numbers '
                        "for programs.", class_="note"))
    with open(os.path.join(HERE, "page.css"), encoding="utf-8") as file:
        style = (f":root {{ color-scheme: light dark; {colours(0)} --good: #00704f; --bad: #b3261e; }}\n@media screen and (prefers-color-scheme: "
                 f"dark) {{ :root {{ {colours(1)} --good: #4fc79b; --bad: #f2918a; }} }}\n{file.read()}")
    head = ('<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"{tag('title', html.escape(run['title']))}\n{tag('style', style)}")
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write(f'<!DOCTYPE html>\n<html lang="en">\n{tag("head", head)}\n{tag("body", chr(10).join(body))}\n</html>\n')
