"""Draws line charts as SVG: names at the end of the lines, 95 % bands, dashes and symbols as well as colours."""
import io
import math
import re
import textwrap

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker  # noqa: E402  (after the choice of the backend)

# One unit is one pixel of a chart that is not scaled. All charts have one width, so that all have one size of text.
WIDTH, HEIGHT, PANEL_HEIGHT = 440, 290, 130
TEXT, SMALL = 11, 9
MOST_BANDS = 5
MOST_POINTS = 150  # of a line, as many as the eye can separate

# What each colour is on white and on black. Charts are drawn in the first; a page gives each a name in CSS.
COLOURS = {
    "ink": ("#1c2126", "#e8ebee"), "muted": ("#5b6470", "#a3adb8"), "grid": ("#e4e7eb", "#2b3137"),
    "paper": ("#ffffff", "#14171a"),
    "blue": ("#0069a8", "#5ab4e5"), "orange": ("#d0601a", "#f79a52"), "green": ("#00704f", "#2fbf93"),
    "pink": ("#c0457f", "#e58cbb"), "violet": ("#673491", "#b48ce8"), "grey": ("#68737f", "#b4bdc8"),
    "lime": ("#4d8a1f", "#9ad873"), "brown": ("#70500a", "#c99a3e"), "wine": ("#7d1538", "#e0607f"),
    "teal": ("#1f8a99", "#6fd0dd"),
}
SOLID, DASHED, DOTTED, MIXED = "-", (0, (5, 3)), (0, (1.2, 2.2)), (0, (7, 2, 1.5, 2))
# A policy has one look on every page; other series get a free one in the order in which a page shows them.
LOOKS = {
    "ff-oful": ("blue", SOLID, "o"), "oful": ("orange", DASHED, "s"), "soft-marks": ("green", MIXED, "^"),
    "explore-then-commit": ("pink", DOTTED, "D"), "random": ("grey", DASHED, "x"),
    "oful-subset": ("violet", DASHED, "v"), "reference": ("muted", DASHED, ""),
    "second reference": ("muted", DOTTED, ""), "third reference": ("muted", MIXED, ""),
}
FREE_LOOKS = [("wine", SOLID, "<"), ("teal", DASHED, "X"), ("lime", MIXED, "P"), ("brown", DOTTED, "d"),
              ("ink", SOLID, ">"), ("wine", DASHED, "p"), ("teal", SOLID, "h"), ("lime", DOTTED, "*"),
              ("brown", SOLID, "s"), ("ink", DASHED, "o")]

pyplot.rcParams.update({
    "svg.fonttype": "none", "font.size": TEXT, "axes.linewidth": 0.8, "lines.linewidth": 1.7,
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "axes.facecolor": "none", "axes.spines.top": False, "axes.spines.right": False,
    "lines.dash_capstyle": "butt", "lines.solid_joinstyle": "round", "axes.unicode_minus": True,
})


class Looks:
    """Gives each role its colour, dash and symbol, the same wherever it comes again on a page."""

    def __init__(self):
        self.given = dict(LOOKS)

    def of(self, series, chart):
        role = role_of(series, chart)
        free = len(self.given) - len(LOOKS)
        colour, dash, symbol = self.given.setdefault(role, FREE_LOOKS[free % len(FREE_LOOKS)])
        return COLOURS[colour][0], dash, symbol


def policy_of(series):
    """The policy that the name begins with: "oful" of "oful, tuned"; otherwise the name."""
    known = [policy for policy in LOOKS if re.match(re.escape(policy) + r"(?![\w-])", series["name"])]
    return max(known, key=len, default=series["name"])


def role_of(series, chart):
    """The given role; else the policy, if the chart has no other series of it; else the name."""
    if series.get("role"):
        return series["role"]
    if series["style"] == "reference":
        levels = [other["name"] for other in chart["series"] if other["style"] == "reference"]
        return ("reference", "second reference", "third reference")[levels.index(series["name"]) % 3]
    policy = policy_of(series)
    alone = sum(policy_of(other) == policy for other in chart["series"]) == 1
    return policy if alone else series["name"]


def is_drawn(value, log):
    return math.isfinite(value) and (value > 0 or not log)


def has_band(series):
    return series["style"] == "line" and any(
        high > low for low, high in zip(series["low"], series["high"]))


def thinned(series, log):
    """The points of a line that are drawn: evenly spread over the axis, with the first and the last."""
    places = [n for n, x in enumerate(series["x"]) if is_drawn(x, log)]
    if series["style"] != "line" or len(places) <= MOST_POINTS:
        return places
    along = [math.log(series["x"][n]) if log else series["x"][n] for n in places]
    step = (along[-1] - along[0]) / MOST_POINTS
    kept, due = [], along[0]
    for place, position in zip(places, along):
        if position >= due:
            kept.append(place)
            due = position + step
    return kept if kept[-1] == places[-1] else kept + [places[-1]]


def number_text(value, _=None):
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1e6:
        text = f"{value / 1e6:,.4g}M"
    elif size >= 1000:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.{4 if size >= 1 else 3}g}" if size >= 1e-4 else f"{value:.0e}"
    return text.replace("-", "−")


def ticks_with_room(places, most):
    """The places, if they are few and far enough apart on a logarithmic axis; else every second one if those are; else none."""
    for ticks in (places, places[::-2][::-1]):
        ratios = [math.log(b / a) for a, b in zip(ticks, ticks[1:])]
        if 2 <= len(ticks) <= most and min(ratios) * most >= sum(ratios) * 0.9:
            return ticks
    return []


def set_scale(axis, log, places, most):
    """`places`: the x or y of all points; those of a logarithmic axis are its ticks, where they have room."""
    if not log:
        axis.set_major_locator(ticker.MaxNLocator(most, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(ticker.FuncFormatter(number_text))
        return
    low, high = min(places), max(places)
    measured = ticks_with_room(sorted(set(places)), 8 if most > 3 else 5)
    decades = math.log10(high / low) if high > low else 0
    if measured and axis.axis_name == "x" or decades < 0.5:
        locator = ticker.FixedLocator(measured or [low, high])
    elif decades < 1.7:
        locator = ticker.LogLocator(10, (1, 2, 5))
    else:
        locator = ticker.LogLocator(10, numticks=most + 2)
    axis.set_major_locator(locator)
    axis.set_major_formatter(ticker.FuncFormatter(number_text))
    axis.set_minor_locator(ticker.NullLocator())


def values_of(chart, names, log):
    return [value for series in chart["series"] for name in names for value in series[name] if is_drawn(value, log)]


def set_axes(axes, chart, most_x, most_y):
    x_log, y_log = chart.get("x_log", False), chart.get("y_log", False)
    axes.set_xscale("log" if x_log else "linear")
    axes.set_yscale("log" if y_log else "linear")
    xs = values_of(chart, ("x",), x_log) or [1.0]
    ys = values_of(chart, ("y", "low", "high"), y_log) or [1.0]
    low, high = min(ys), max(ys)
    if not y_log:
        low = 0.0 if 0 < low < high / 2 else low
        room = 0.03 * (high - low) or 1.0
        axes.set_ylim(low - (room if low else 0), high + room)
    else:
        axes.set_ylim(low / 1.1, high * 1.1)
    set_scale(axes.xaxis, x_log, xs, most_x)
    set_scale(axes.yaxis, y_log, ys, most_y)
    axes.tick_params(length=3, width=0.8, colors=COLOURS["muted"][0], labelsize=TEXT - 1)
    axes.grid(axis="y", color=COLOURS["grid"][0], linewidth=0.8)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_color(COLOURS["muted"][0])


def draw_series(axes, chart, series, look, order):
    """`order` moves its symbols along the line, away from those of others."""
    colour, dash, symbol = look
    if series["style"] == "reference":
        axes.axhline(series["y"][0], color=colour, linestyle=dash, linewidth=1.1)
        if math.isfinite(series["low"][0]):
            axes.axhspan(series["low"][0], series["high"][0], color=colour, alpha=0.12, linewidth=0)
        return
    kept = thinned(series, chart.get("x_log", False))
    x, y, low, high = ([series[name][n] for n in kept] for name in ("x", "y", "low", "high"))
    if series["style"] == "points":
        errors = [[length if math.isfinite(length) else 0 for length in lengths]
                  for lengths in ((b - a for a, b in zip(low, y)), (b - a for a, b in zip(y, high)))]
        axes.errorbar(x, y, yerr=errors, color=colour, linestyle="none",
                      marker=symbol or "o", markersize=5, capsize=2.5, elinewidth=1.2, clip_on=False)
        return
    if has_band(series):
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
    every = max(len(x) // 6, 1)
    shown = None if chart.get("points") or len(x) <= 12 else (every // 2 + order * every // 5, every)
    axes.plot(x, y, color=colour, linestyle=dash, marker=symbol, markersize=4, markevery=shown)


def spread(wanted, heights, low, high):
    """Places near the wanted ones, in the same order, that do not overlap and stay within low and high."""
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    places = [0.0] * len(wanted)
    floor = low
    for n in order:
        places[n] = max(wanted[n], floor + heights[n] / 2)
        floor = places[n] + heights[n] / 2
    ceiling = high
    for n in reversed(order):
        places[n] = min(places[n], ceiling - heights[n] / 2)
        ceiling = places[n] - heights[n] / 2
    return places


def end_of(series, y_log):
    """The y at which the line ends."""
    ends = [y for y in series["y"] if is_drawn(y, y_log)]
    return ends[-1] if ends else math.nan


def name_lines(axes, chart, names, looks):
    """Writes each name at the end of its line, after a sample of the line."""
    named = chart["series"]
    height = axes.bbox.height
    to_pixels = axes.transData.transform
    ends = [end_of(series, chart.get("y_log", False)) for series in named]
    shown = [n for n, end in enumerate(ends) if math.isfinite(end)]
    wanted = [to_pixels((axes.get_xlim()[1], ends[n]))[1] - axes.bbox.y0 for n in shown]
    heights = [12.5 * len(names[n].split("\n")) + 1.5 for n in shown]
    for n, place in zip(shown, spread(wanted, heights, -8, height + 8)):
        colour, dash, symbol = looks.of(named[n], chart)
        y = place / height
        left = 1 + 6 / axes.bbox.width
        line = "none" if named[n]["style"] == "points" else dash
        axes.plot([left, left + 10 / axes.bbox.width, left + 20 / axes.bbox.width], [y] * 3, color=colour,
                  linestyle=line, marker=symbol, markersize=4, markevery=[1], transform=axes.transAxes,
                  clip_on=False, linewidth=1.6)
        axes.text(left + 25 / axes.bbox.width, y, names[n], color=colour, transform=axes.transAxes,
                  va="center_baseline", ha="left", linespacing=1.1)


def text_width(text):
    """The width of a text in the widest font that a page may show it with."""
    return max(6.2 * len(line) for line in text.split("\n"))


def framed(chart, facts, height):
    """A figure with its title and the name of the y axis at the top, facts at the bottom; the rows above and below its
    axes."""
    figure = pyplot.figure(figsize=(WIDTH / 72, height / 72), dpi=72)
    ink, muted = COLOURS["ink"][0], COLOURS["muted"][0]
    title = textwrap.wrap(chart["title"], 60)
    for n, line in enumerate(title):
        figure.text(4 / WIDTH, 1 - (15 + 15 * n) / height, line, weight="bold", color=ink, fontsize=12)
    top = 15 * len(title) + 16
    figure.text(4 / WIDTH, 1 - top / height, chart.get("y_label", ""), color=muted)
    for n, line in enumerate(reversed(facts)):
        figure.text(4 / WIDTH, (5 + 11 * n) / height, line, color=muted, fontsize=SMALL)
    return figure, top + 10, 11 * len(facts) + 42


def one_chart(chart, facts, looks):
    """All series in one pair of axes."""
    named = chart["series"]
    names = [textwrap.fill(series["name"], 17) for series in named]
    rows = sum(len(name.split("\n")) for name in names)
    height = HEIGHT + 15 * (len(textwrap.wrap(chart["title"], 60)) - 1) + 11 * (len(facts) - 1)
    height += max(0, 13 * rows - 190)  # room for more names than fit beside the axis
    figure, top, bottom = framed(chart, facts, height)
    right = 34 + max(text_width(name) for name in names)
    left = 50
    axes = figure.add_axes([left / WIDTH, bottom / height, (WIDTH - left - right) / WIDTH,
                            (height - top - bottom) / height])
    set_axes(axes, chart, 4, 5)
    for n, series in enumerate(named):
        draw_series(axes, chart, series, looks.of(series, chart), n)
    axes.set_xlabel(chart.get("x_label", ""), color=COLOURS["muted"][0], labelpad=2)
    name_lines(axes, chart, names, looks)
    return figure


def panel_look(series, chart, looks):
    """A panel needs no colour of its own: only a policy keeps its own."""
    is_known = role_of(series, chart) in LOOKS
    return looks.of(series, chart) if is_known else (COLOURS["ink"][0], DASHED, "s")


def small_multiples(chart, facts, looks):
    """A panel for each series except the first, which every panel also shows."""
    first, *others = chart["series"]
    rows = (len(others) + 1) // 2
    height = 60 + 15 * len(textwrap.wrap(chart["title"], 60)) + 11 * len(facts) + rows * (PANEL_HEIGHT + 24)
    figure, top, bottom = framed(chart, facts, height)
    step = (height - top - bottom) / rows
    for n, series in enumerate(others):
        row, column = divmod(n, 2)
        axes = figure.add_axes([(50 + 200 * column) / WIDTH, (bottom + (rows - 1 - row) * step) / height,
                                180 / WIDTH, (step - 24) / height])
        set_axes(axes, chart, 3, 4)
        look = panel_look(series, chart, looks)
        draw_series(axes, chart, series, look, 0)
        draw_series(axes, chart, first, looks.of(first, chart), 1)
        name = textwrap.shorten(series["name"], 28, placeholder="…")
        axes.text(0, 1 + 6 / axes.bbox.height, name, color=look[0], transform=axes.transAxes)
        if n == 0:
            axes.text(1, 1 + 6 / axes.bbox.height, first["name"], color=looks.of(first, chart)[0],
                      transform=axes.transAxes, ha="right")
        axes.tick_params(labelleft=column == 0, labelbottom=n >= len(others) - 2)
        if n >= len(others) - 2:
            axes.set_xlabel(chart.get("x_label", ""), color=COLOURS["muted"][0], labelpad=2)
    return figure


def shortened(svg):
    """A tenth of a pixel is as exact as anyone sees."""
    def rounded(match):
        return re.sub(r"\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), match[0])
    svg = re.sub(r'\b(?:d|x|y)="[^"]*"', rounded, svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return re.sub(r"\n\s*", "\n", svg)


def facts_of(run, chart):
    """The lines below a chart: how often it was run, by what, and how to run it again."""
    if chart.get("facts") or run.get("facts"):
        parts = [chart.get("facts") or run["facts"]]
    else:
        settings = run["settings"]
        parts = [f"{settings['trials']} trials"] if settings.get("trials") else []
        parts += [f"seed {settings['seed']}"] if "seed" in settings else []
    if run.get("program_version"):
        parts.append(f"inkling {run['program_version']}" + (f", commit {run['commit']}" if run.get("commit") else ""))
    if run["command"]:
        parts.append(run["command"])
    return " · ".join(parts)


def is_tall(chart):
    """Whether it is drawn as small multiples."""
    return sum(has_band(series) for series in chart["series"]) > MOST_BANDS


def drawn(run, chart, looks):
    facts = textwrap.wrap(facts_of(run, chart), 82, max_lines=2, placeholder=" …")
    if is_tall(chart):
        return small_multiples(chart, facts, looks)
    return one_chart(chart, facts, looks)


def svg_of(run, chart, looks):
    """The chart as an SVG document, the same bytes for the same chart."""
    pyplot.rcParams["svg.hashsalt"] = chart["name"]
    figure = drawn(run, chart, looks)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, transparent=False,
                   facecolor=COLOURS["paper"][0])
    pyplot.close(figure)
    return shortened(text.getvalue())


def svg_for_page(svg, name, description):
    """The chart as SVG inside a page: as wide as its place, in the page's colours, with ids that no other chart has."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(url\(#|xlink:href="#)', rf"\1{name}-", svg)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{description}"', 1)
    for colour, (on_white, _) in COLOURS.items():
        svg = svg.replace(on_white, f"var(--{colour})")
    return svg


def write_picture(run, chart, path):
    """Draws one chart into a file, in the format that the end of its name says; SVG if it says none."""
    kind = path.rpartition(".")[2].lower()
    if kind in ("png", "pdf"):
        drawn(run, chart, Looks()).savefig(path, dpi=144, metadata={"CreationDate": None} if kind == "pdf" else None)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(svg_of(run, chart, Looks()))
