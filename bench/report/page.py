"""Makes the page of a run, index.html, and the picture of each chart beside it."""
import fnmatch
import os

import jinja2
from markupsafe import Markup

import charts
import results
import words

SIGNS = {"holds": ("good", "✓"), "does not hold": ("bad", "✗"), "not comparable": ("neutral", "○")}
KINDS = {"paper": "Claims of the paper", "ours": "Checks of ours"}
MOST_FINDINGS = 3


def tallies(claims):
    """For each kind of claim, how many hold; a kind without claims is left out."""
    counted = []
    for kind, name in KINDS.items():
        own = [claim for claim in claims if claim.get("whose", "paper") == kind]
        verdicts = [claim["verdict"] for claim in own]
        if own:
            counted.append({"name": name, "all": len(own), "claims": own,
                            **{sign: verdicts.count(verdict) for verdict, (sign, _) in SIGNS.items()}})
    return counted


def findings(run, texts):
    """The first three texts of page.md whose figure is in the run."""
    by_name = {figure["name"]: figure for figure in run["figures"]}
    found = []
    for heading, source in texts.sections("page").items():
        figure = by_name.get(heading.removeprefix("finding ").strip()) if heading.startswith("finding ") else None
        text = texts.filled(source, figure) if figure else ""
        if text:
            found.append({"text": text, "figure": figure})
    return found[:MOST_FINDINGS]


def add_texts(figure, texts):
    """The figure's text, the captions and the reasons, as HTML."""
    sections = texts.sections(figure["name"])

    def section(name, claim=None):
        source = next((text for heading, text in sections.items() if fnmatch.fnmatchcase(name, heading)), "")
        return texts.filled(source, figure, claim)

    figure["text"] = section("")
    for chart in figure["charts"]:
        caption = chart.get("caption")
        chart["words"] = section("chart " + chart["name"]) + (words.markdown(caption) if caption else Markup(""))
    for claim in figure["claims"]:
        claim["figure"] = figure
        claim["sign"], claim["mark"] = SIGNS[claim["verdict"]]
        if claim.get("why"):
            claim["reason"] = words.markdown(claim["why"])
        else:
            claim["reason"] = section("why " + claim["id"], claim) if claim["verdict"] != "holds" else Markup("")


def add_pictures(run, folder):
    """Writes the picture of each chart, and keeps it for the page."""
    looks = charts.Looks()
    for figure in run["figures"]:
        for chart in figure["charts"]:
            svg = charts.svg_of(run, chart, looks)
            chart["tall"] = charts.is_tall(chart)
            with open(os.path.join(folder, chart["name"] + ".svg"), "w", encoding="utf-8") as file:
                file.write(svg)
            chart["svg"] = Markup(charts.svg_for_page(svg, chart["name"], Markup.escape(chart["title"])))


def colours(place):
    return " ".join(f"--{name}: {tints[place]};" for name, tints in charts.COLOURS.items())


def write(run, folder, strict=False):
    """Throws BadResults where a text cannot be filled in and strict is set."""
    texts = words.Words(run, strict)
    try:
        for figure in run["figures"]:
            add_texts(figure, texts)
        introduction = texts.filled(texts.sections("page").get("", ""), None)
        found = findings(run, texts)
    except words.Missing as error:
        raise results.BadResults(error) from error
    add_pictures(run, folder)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(words.TEMPLATES), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(inline=words.inline, estimate=words.estimate, duration=words.duration)
    claims = [claim for figure in run["figures"] for claim in figure["claims"]]
    html = environment.get_template("page.html").render(
        run=run, introduction=introduction, findings=found, tallies=tallies(claims),
        on_white=colours(0), on_black=colours(1), facts=charts.facts_of(run, {}))
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write(html)
