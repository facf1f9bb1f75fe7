#!/usr/bin/env python3
"""rule_worth.py DIR...: what `./dev beyond stopping stopping-reviews --out DIR` measured of rules for stopping, as the table
io/search/stopping/rule_worth.inc. Prints it."""
import re
import sys

import results


def rows_of(run):
    for figure in run["figures"]:
        for table in figure["tables"]:
            if table["head"][:3] == ["searched", "rule", "searches"]:
                yield from table["rows"]


def main():
    rows = []
    measured = (row for folder in sys.argv[1:] for row in rows_of(results.load(folder)))
    for searched, rule, searches, found_95, found, read, *_ in measured:
        if in_a_row := re.fullmatch(r"(\d+) bad ones in a row", rule):
            rows.append((int(in_a_row[1]), searched, searches, found_95, found, read))
    for in_a_row, searched, *numbers in sorted(rows, key=lambda row: row[0]):
        print(f'    {{{in_a_row}, "{searched}", {", ".join(numbers)}}},')


if __name__ == "__main__":
    main()
