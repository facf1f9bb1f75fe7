"""What the paper leaves open decides: its worlds in several readings, and which of them the ridges that it found point to."""
from dataclasses import replace

from lab.estimates import ridge_text
from lab.readers import newsgroups_space
from lab.synthetic import synthetic

from paper.newsgroups_replacement import FEATURES, SIGN_NOISE, entrants_of, message_study

TITLE = "Readings of what the paper leaves open"
PLACE = "Experiments: the ridges of OFUL are 2^-5 for 5 and for 40 of 40 words, and 2^8 for messages"
PAPERS = {"sparse": 2.0**-5, "dense": 2.0**-5, "messages": 2.0**8}
NOISES = (0.5, 0.1, 0.05, 0.03)
TARGETS = [("article", False), ("article", True), ("classifier", False)]  # and whether its own words are marked
ROWS = ("unit", "selected", "raw")


def study_name(rows, target, own_words):
    return f"{rows}-{target}{'-own' if own_words else ''}"


def studies(run):
    made = []
    for noise in NOISES:
        for name, relevant in (("sparse", 5), ("dense", 40)):
            rounds = run.horizon(4096)
            entrants = [run.entrant("ff-oful", rounds, noise), run.entrant("explore-then-commit", rounds, noise),
                        run.entrant("oful", rounds, noise, name="oful at 1"), run.entrant("oful", rounds, noise, ridges=run.ridges())]
            made.append(synthetic(run, f"{name}-{noise:g}", relevant, entrants, noise=noise))
    for rows in ROWS:
        reading = replace(run, rows=rows)
        newsgroups_space(reading, FEATURES)
        for target, own_words in TARGETS:
            entrants = entrants_of(run, run.horizon(2048), SIGN_NOISE, run.logistic_norm, True, True)
            ours, commit, _, oful = entrants
            entrants = [ours, commit, replace(oful, name="oful at 1", ridges=()), oful]
            study = message_study(replace(reading, target=target), "messages", "logistic", own_words, run.mark_probability, entrants)
            made.append(replace(study, name=study_name(rows, target, own_words)))
    return made


def row_of(name, paper, results):
    ours, commit, at_1, oful = results
    verdict = {True: "ff-oful", False: "oful"}.get(ours.minus(oful).is_below(0) or (not oful.minus(ours).is_below(0) and None), "undecided")
    return [name, f"{oful.setting} ({ridge_text(paper)})", oful.mean(), at_1.mean(), ours.mean(), commit.mean(), verdict,
            "yes" if ours.minus(commit).is_below(0) else "no", "yes" if ours.minus(at_1).is_below(0) else "no"]


def show(figure, results, run):
    head = ["reading", "ridge (the paper's)", "oful, best ridge", "oful, λ = 1", "ff-oful", "explore-then-commit", "less regret",
            "beats exploring first", "beats untuned oful"]
    rows = [row_of(f"{name}, noise {noise:g}", PAPERS[name], results[f"{name}-{noise:g}"]) for name in ("sparse", "dense") for noise in NOISES]
    for rows_ in ROWS:
        for target, own_words in TARGETS:
            name = f"messages, rows {rows_}, theta* a{'n article' if target == 'article' else ' classifier'}{', its own words marked' if own_words else ''}"
            rows.append(row_of(name, PAPERS["messages"], results[study_name(rows_, target, own_words)]))
    figure.text("""The paper does not say how long the rows of its 1,000 words are, how noisy its rewards are, or what theta* is. The ridges that it
found for OFUL are the only trace of its worlds: a reading in which the best ridge is far from the paper's is not its experiment. Each row is
one reading; "less regret" names who has clearly less of it, trial by trial, where OFUL has its best ridge in hindsight of other trials.""")
    figure.table("Readings", head, rows, open_=True)
    near = [row[0] for row in rows if len(set(row[1].rstrip(")").split(" ("))) == 1]
    figure.claim("readings-ridge-of-the-paper", "ours", "In at least one reading of each experiment OFUL's best ridge is the paper's.",
                 all(any(name.startswith(kind) for name in near) for kind in PAPERS), [("readings with the paper's ridge", len(near))])
    figure.settings.append(("readings with the paper's ridge", "; ".join(near) or "none"))
