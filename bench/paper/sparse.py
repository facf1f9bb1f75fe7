"""The paper's first experiment: 5 of 40 words matter. `dense` is the same where all do."""
from lab.estimates import ridge_text
from lab.synthetic import synthetic

TITLE = "Few words matter"
PLACE = "Experiments, synthetic data, (a): sparse theta*"
PAPERS_RIDGE = 1 / 32


def studies(run, relevant=5):
    rounds = run.horizon(4096)
    entrants = [run.entrant("ff-oful", rounds), run.entrant("oful", rounds, ridges=run.ridges()),
                run.entrant("explore-then-commit", rounds), run.entrant("soft-marks", rounds)]
    return [synthetic(run, "main", relevant, entrants)]


def show_all_but_claim(figure, results, relevant):
    main = results["main"]
    ours, oful, commit, soft = main
    figure.text(f"""{relevant} of 40 words matter. After {ours.entrant.rounds:,} rounds OFUL at its best ridge, {oful.setting}, had a regret
of {oful.mean()}; FF-OFUL, with λ = 1 and no tuning, had {ours.mean()}. It found {ours.mean('words')} relevant words in
{ours.mean('explored')} random rounds. Explore-then-commit, which is given how long to explore ({commit.mean('explored')} rounds), had
{commit.mean()}. Soft marks, which are not in the paper and not tuned either, had {soft.mean()}.""")
    figure.regrets("", f"{relevant} of 40 words matter", main)
    figure.tuning("How OFUL's ridge was chosen", main)
    figure.outcomes(main)
    figure.settings += [("T0 of explore-then-commit", "the fewest random rounds that mark every relevant word with probability 0.95"),
                        ("the paper's ridge for OFUL", ridge_text(PAPERS_RIDGE))]
    return ours, oful


def show(figure, results, run):
    ours, oful = show_all_but_claim(figure, results, 5)
    figure.less_regret("sparse-beats-oful", "paper", "FF-OFUL has less regret than tuned OFUL where 5 of 40 words matter.", ours, oful,
                       f"FF-OFUL had found {ours.mean('words')} of the 5 words by the end.")
    figure.ridge_inside("sparse-ridge-inside", oful, ("the paper's choice", PAPERS_RIDGE))
