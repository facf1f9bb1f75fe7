"""The words of a page: numbers as text, and a little Markdown."""
import html
import math
import re


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
    return "".join(pieces)


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
    return "\n".join(parts)
