"""Searches beside what people use, in the order of the page."""

FIGURES = ("searches", "reviews", "question-alone", "vectors", "paper-worlds", "beginnings", "stopping", "stopping-reviews", "stopping-small")
