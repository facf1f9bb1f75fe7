"""The words of a page: numbers as text, a little Markdown, and the texts of the figures filled in from a run."""
import html
import math
import os
import re
import sys

import jinja2
from markupsafe import Markup

import results

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")


class Missing(Exception):
    """A text names something that the run does not hold."""


def plain(value, decimals):
    value = round(value, decimals) + 0.0  # no −0
    text = f"{value:,.0f}" if decimals == 0 and abs(value) >= 10_000 else f"{value:.{decimals}f}"
    return text.replace("-", "−")


def estimate(number):
    """"0.36 ± 0.03": as many decimals as show two digits of the standard error; three digits where there is none."""
    mean, error = number.get("mean"), number.get("standard_error") or 0.0
    if mean is None:
        return "–"
    size = error if error > 0 else 0 if mean == round(mean) else abs(mean) / 10
    decimals = min(max(1 - math.floor(math.log10(size)), 0), 6) if size > 0 else 0
    text = plain(mean, decimals)
    return f"{text}\u00a0±\u00a0{plain(error, decimals)}" if error > 0 else text  # on one line


def ridge_text(ridge):
    power = math.log2(ridge)
    if power == round(power) and not 0 <= power < 3:
        return results.with_powers(f"2^{power:.0f}")
    return f"{ridge:.4g}"


def duration(seconds):
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def inline(text):
    """`code`, **strong**, *emphasis* and [links](address) within a line; all else is unchanged."""
    pieces = re.split(r"`([^`]+)`", text)
    for n, piece in enumerate(pieces):
        piece = html.escape(piece)
        if n % 2 == 1:
            pieces[n] = f"<code>{piece}</code>"
            continue
        piece = re.sub(r"(?<![\w.-])-(?=\d)", "−", piece)
        piece = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", r'<a href="\2">\1</a>', piece)
        piece = re.sub(r"\*\*(\S(?:.*?\S)?)\*\*", r"<strong>\1</strong>", piece)
        pieces[n] = re.sub(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])", r"<em>\1</em>", piece)
    return Markup("".join(pieces))


def markdown(text):
    """Paragraphs, separated by empty lines, and lists of lines that begin with "- "."""
    parts = []
    for block in re.split(r"\n\s*\n", text.strip()):
        if not block:
            continue
        if block.startswith("- "):
            items = re.split(r"\n- ", block[2:])
            parts.append("<ul>" + "".join(f"<li>{inline(' '.join(item.split()))}</li>" for item in items) + "</ul>")
        else:
            parts.append(f"<p>{inline(' '.join(block.split()))}</p>")
    return Markup("\n".join(parts))


def named(items, name, what):
    for item in items:
        if item["name"] == name:
            return item
    raise Missing(f"no {what} {name!r}; there are: {', '.join(item['name'] for item in items)}")


def part_of(number, part):
    """An estimate as text, or its bare "mean" or "standard_error"."""
    return estimate(number) if part == "text" else number[part]


class Words:
    """Fills in the texts of the templates. A text that names what the run does not hold is left out, with a warning;
    where strict, it raises Missing."""

    def __init__(self, run, strict=False):
        self.run = run
        self.strict = strict
        self.claims = {claim["id"]: claim for figure in run["figures"] for claim in figure["claims"]}
        self.environment = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)

    def sections(self, name):
        """The text of a template by its headings; "" is the text before the first. Nothing is filled in yet."""
        path = os.path.join(TEMPLATES, self.run["programme"], name + ".md")
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as file:
            pieces = re.split(r"^# +(.+?) *$", file.read(), flags=re.MULTILINE)
        return {"": pieces[0], **dict(zip(pieces[1::2], pieces[2::2]))}

    def filled(self, source, figure, claim=None):
        """The text as HTML; `claim` is what a "why" is about."""
        try:
            return markdown(self.environment.from_string(source).render(self.functions(figure), claim=claim))
        except (Missing, jinja2.TemplateError, ArithmeticError, TypeError) as error:
            message = f"a text of {figure['name'] if figure else 'the page'} cannot be filled in: {error}"
            if self.strict:
                raise Missing(message) from error
            print(f"draw: {message}", file=sys.stderr)
            return Markup("")

    def claim(self, name):
        if name not in self.claims:
            raise Missing(f"no claim {name!r}")
        return self.claims[name]

    def functions(self, figure):
        """What the templates may call: see README.md."""
        studies, own = (figure["studies"], figure["settings"]) if figure else ([], [])
        settings = {**self.run["settings"], **{item["name"]: item["value"] for item in own}}

        def entrant(study, name):
            return named(named(studies, study, "study")["entrants"], name, "entrant")

        def measured(study, name, measure):
            measures = entrant(study, name)["measures"]
            if measure not in measures:
                raise Missing(f"no measure {measure!r} of {name!r}; there are: {', '.join(measures)}")
            return measures[measure]

        def mean(study, name, measure):
            return measured(study, name, measure)["mean"]

        def setting(name):
            if name not in settings:
                raise Missing(f"no setting {name!r}")
            return settings[name]

        return {
            "regret": lambda study, name: estimate(measured(study, name, "regret")),
            "reward": lambda study, name: estimate(measured(study, name, "reward")),
            "words": lambda study, name: estimate(measured(study, name, "features_found")),
            "explored": lambda study, name: estimate(measured(study, name, "explored")),
            "measure": lambda study, name, measure: estimate(measured(study, name, measure)),
            "mean": mean,
            "ratio": lambda study, one, other: f"{mean(study, one, 'regret') / mean(study, other, 'regret'):.2f}",
            "ridge": lambda study, name: ridge_text(entrant(study, name)["ridge"]),
            "setting_of": lambda study, name: entrant(study, name)["setting"],
            "entrants": lambda study: [item["name"] for item in named(studies, study, "study")["entrants"]],
            "number": lambda claim, name, part="text": part_of(
                named(self.claim(claim)["numbers"], name, "number"), part),
            "fact": lambda name, part="text": part_of(named(figure.get("facts", []), name, "fact"), part),
            "verdict": lambda claim: self.claim(claim)["verdict"],
            "holds": lambda claim: self.claim(claim)["verdict"] == "holds",
            "trials": lambda study: plain(named(studies, study, "study")["trials"], 0),
            "rounds": lambda study: f"{named(studies, study, 'study')['rounds']:,}",
            "has": lambda name: name in self.claims or any(figure["name"] == name for figure in self.run["figures"]),
            "setting": setting, "figure": figure, "run": self.run,
        }
