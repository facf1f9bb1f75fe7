"""The figures of the paper, in the order of the page."""

FIGURES = ("two-stage", "pure-exploration", "subsets-synthetic", "subsets-text", "sparse", "dense", "newsgroups-replacement",
           "newsgroups-no-replacement", "human", "ridge-sensitivity", "full-dimension", "full-dimension-oful", "exploration-probability", "epoch",
           "bound", "noisy-marks")
MORE = ("readings",)  # only when it is named: hours
