"""Draws pictures and pages from a small folder of results. Exit code 77: matplotlib is missing."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.path.join(HERE, "..", "..", "..", "bench", "report")
SAMPLE = os.path.join(HERE, "sample")
sys.dont_write_bytecode = True
sys.path.insert(0, REPORT)


def draw(folder, *options):
    return subprocess.run([os.path.join(REPORT, "draw"), folder, *options], capture_output=True, text=True)


def text_of(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


class Folder(unittest.TestCase):
    """Gives each test a copy of the sample."""

    def setUp(self):
        self.parent = tempfile.TemporaryDirectory()
        self.addCleanup(self.parent.cleanup)
        self.folder = os.path.join(self.parent.name, "results")
        shutil.copytree(SAMPLE, self.folder)

    def change(self, change):
        run = json.loads(text_of(self.folder, "summary.json"))
        change(run)
        with open(os.path.join(self.folder, "summary.json"), "w", encoding="utf-8") as file:
            json.dump(run, file)

    def refused(self, message):
        result = draw(self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn(message, result.stderr)


class Page(unittest.TestCase):
    """All tests read the same page."""

    @classmethod
    def setUpClass(cls):
        parent = tempfile.TemporaryDirectory()
        cls.addClassCleanup(parent.cleanup)
        cls.folder = os.path.join(parent.name, "results")
        shutil.copytree(SAMPLE, cls.folder)
        cls.result = draw(cls.folder)
        cls.page = text_of(cls.folder, "index.html") if cls.result.returncode == 0 else ""

    def check_holds(self, text, *parts):
        for part in parts:
            self.assertTrue(part in text.replace("\u00a0", " "), f"not there: {part}")

    def test_nothing_is_said_where_all_goes_well(self):
        self.assertEqual((self.result.returncode, self.result.stdout, self.result.stderr), (0, "", ""))

    def test_the_page_holds_each_claim_with_its_verdict_and_numbers(self):
        self.check_holds(
            self.page, "FF-OFUL has less regret than explore-then-commit for every T0 tried.", "✗ fails",
            "−31.0 ± 7.2", "0.770 ± 0.031", "lies inside 2⁻⁷ to 2³.", "✓ holds", "0.0312",
            "Each point lies below the line.", "? undecided", "There is <em>one</em> trial.")

    def test_the_claims_of_the_paper_are_counted_apart(self):
        self.check_holds(self.page, "<b>0 of 2</b> claims of the paper hold", "<b>1 of 1</b> checks of ours hold")

    def test_the_page_holds_each_figure_and_links_its_csv(self):
        self.check_holds(
            self.page, '<h2 id="early">Explore first, then commit?', '<a href="early.csv">', '<h2 id="points">',
            '<a href="points.csv">', "People&#x27;s own marks", "Give --data.", "All that was measured")
        self.assertEqual(self.page.count("<svg "), 3)

    def test_the_page_shows_no_raw_markup(self):
        self.assertEqual((self.page.count("`"), self.page.count("2^")), (0, 0))
        self.check_holds(self.page, "<code>least</code>")

    def test_every_chart_says_how_it_was_made(self):
        for name in ("early", "early-tuning"):
            self.check_holds(text_of(self.folder, name + ".svg"), "20 trials · seed 1 · inkling 0.1.0, commit 0123abc",
                             "inkling-bench paper early")
        self.check_holds(text_of(self.folder, "points.svg"), "median of 3 runs · inkling 0.1.0")

    def test_a_chart_with_more_than_five_bands_becomes_a_panel_for_each_series(self):
        picture = text_of(self.folder, "early.svg")
        self.assertEqual(sum(f'id="axes_{n}"' in picture for n in range(1, 9)), 6)
        self.assertEqual(text_of(self.folder, "early-tuning.svg").count('id="axes_'), 1)

    def test_colours_are_names_on_the_page_and_numbers_in_a_file(self):
        self.check_holds(self.page, "stroke: var(--blue)")
        self.check_holds(text_of(self.folder, "early.svg"), "stroke: #0069a8")
        for colour in ("0069a8", "d0601a"):
            self.assertEqual(self.page.count(colour), 1)  # only where the name gets its value

    def test_the_same_results_make_the_same_bytes(self):
        picture = text_of(self.folder, "early.svg")
        draw(self.folder)
        self.assertTrue(text_of(self.folder, "index.html") == self.page)
        self.assertTrue(text_of(self.folder, "early.svg") == picture)


class Refusals(Folder):
    def test_a_folder_without_results_is_refused(self):
        os.remove(os.path.join(self.folder, "summary.json"))
        self.refused("summary.json: not found")

    def test_another_version_is_refused(self):
        self.change(lambda run: run.update(summary_version=3))
        self.refused("version 3 of results; this script reads version 2")

    def test_what_is_not_json_is_refused(self):
        with open(os.path.join(self.folder, "summary.json"), "w", encoding="utf-8") as file:
            file.write("{")
        self.refused("not JSON")

    def test_a_series_without_points_is_refused(self):
        self.change(lambda run: run["figures"][1]["charts"][0]["series"][0].update(name="lost"))
        self.refused("no points of the series 'lost' in the chart 'points'")


class Pictures(Folder):
    def test_one_chart_is_drawn_into_the_kind_of_file_that_is_asked_for(self):
        for name, start in (("one.svg", b"<?xml"), ("one.png", b"\x89PNG"), ("one.pdf", b"%PDF")):
            path = os.path.join(self.folder, name)
            self.assertEqual(draw(self.folder, "--picture", path).returncode, 0)
            with open(path, "rb") as file:
                self.assertTrue(file.read().startswith(start))


class Texts(unittest.TestCase):
    def test_powers_are_raised(self):
        import results
        self.assertEqual(results.with_powers("2^-7 to 2^10, 1/√2^(s+1) ≤ 1/√2^s, a^b"), "2⁻⁷ to 2¹⁰, 1/√2ˢ⁺¹ ≤ 1/√2ˢ, a^b")

    def test_a_little_markdown_is_understood(self):
        import words
        self.assertEqual(
            words.markdown("A *b* `c*d*` **e** [f](#g) x.θ* < 1.\nSame\n\n- one\n- two"),
            '<p>A <em>b</em> <code>c*d*</code> <strong>e</strong> <a href="#g">f</a> x.θ* &lt; 1. Same</p>\n'
            "<ul><li>one</li><li>two</li></ul>")


if __name__ == "__main__":
    probe = draw(SAMPLE, "--picture", os.devnull)
    if "not installed" in probe.stderr:
        print("skipped:", probe.stderr.strip())
        sys.exit(77)
    try:
        import charts  # noqa: F401
    except ImportError:
        os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)  # as draw does
    unittest.main()
