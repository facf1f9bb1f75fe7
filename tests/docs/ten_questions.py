#!/usr/bin/env python3
"""ten_questions.py: ten questions of new users are answered within two clicks of README.md.

README.md leads to the page of questions, where each question has its answer and a link to the section that says more. That
section must exist, and have the words by which its answer is known.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "io" / "docs" / "ten_questions.md"
ANSWERS = {
    "Can I bring RIS?": ("RIS", "NBIB"),
    "How do I stop?": ("rule", "bad ones in a row"),
    "Is it better than ASReview?": ("ASReview", "5.4", "1 % or less"),
    "Does it need the internet?": ("offline, nothing leaves the computer",),
    "May I sell it?": ("sell", "Apache License 2.0", "GPL"),
    "Where is the paper's algorithm?": ("`ff-oful`, Algorithm 2",),
    "How do I add a policy?": ("presets.cpp", "Learner"),
    "How many documents can it take?": ("1,000,000",),
    "Can two of us work?": ("one queue", "answers"),
    "What leaves my machine?": ("this computer alone",),
}


def sections_of(page):
    """The text of each section by its anchor, as code hosts and the site name it; the whole page by the empty anchor."""
    text = page.read_text(encoding="utf-8")
    found = {"": text}
    for part in re.split(r"^(?=#+ )", text, flags=re.MULTILINE)[1:]:
        heading = re.match(r"#+ (.*)", part).group(1)
        found[re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")] = part
    return found


def main():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "](io/docs/ten_questions.md)" in readme, "README.md: expected a link to the ten questions"
    assert len(readme.splitlines()) <= 100, "README.md: expected at most 100 lines"
    asked = {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]}
    assert list(asked) == list(ANSWERS), list(asked)
    for question, answer in asked.items():
        said = ""
        for link in re.findall(r"\]\(([^)\s]+)\)", answer):
            path, _, anchor = link.partition("#")
            sections = sections_of((PAGE.parent / path).resolve())
            assert anchor in sections, f"{question} {path} has no section #{anchor}: {sorted(sections)}"
            said += sections[anchor]
        for word in ANSWERS[question]:
            assert word in said, f"{question} No section that it leads to holds {word!r}"
    print(f"{len(asked)} questions are answered within two clicks of README.md")


if __name__ == "__main__":
    main()
