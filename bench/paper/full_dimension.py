"""FF-OFUL in all dimensions of 20 Newsgroups, beside 500 of them."""
from lab.estimates import Estimate, all_below
from lab.readers import newsgroups_space, topic_study, whole
from lab.texts import newsgroups

TITLE = "All dimensions, and 500 of them"
PLACE = "Newsgroup dataset with human feedback, (c)"
SHARE, MOST_SECONDS = 0.85, 0.5


def with_p(run, study):
    study.settings.append(("p, with which such a word of a shown message is marked", f"{run.mark_probability:g}"))
    return study


def studies(run):
    entrants = [run.entrant(policy, run.horizon(2048), run.label_noise) for policy in ("ff-oful", "random")]
    spaces = {"few": newsgroups_space(run, 500), "all": whole(newsgroups(run))}
    return [with_p(run, topic_study(run, name, space, entrants, tuning=False)) for name, space in spaces.items()]


def floored(number):
    return int(10 * number) / 10


def show(figure, results, run):
    few, ours, random = results["few", "ff-oful"], results["all", "ff-oful"], results["all", "random"]
    features, found = newsgroups(run).pool.shape[1], ours.mean("words").mean
    seconds = ours.mean("seconds").mean
    figure.text(f"""The same readers, topics and oracle's words in 500 dimensions and in all, with ridge 1 in both. The reward over
{ours.entrant.rounds:,} rounds is {few.mean('reward')} in 500 dimensions and {ours.mean('reward')} in all; random choices have
{random.mean('reward')}. Rows have length 1 in both, so a word of the oracle has less weight where all other words are there too.""")
    figure.chart("", "20 Newsgroups, few dimensions and all of them", [("ff-oful, 500 dimensions", few), ("ff-oful, all dimensions", ours),
                                                                        ("random", random)])
    figure.table(f"Choosing and learning in {ours.entrant.rounds:,} rounds at d = {features:,}", ["", "matrix", "memory of it", "seconds a trial"],
                 [["here: the words found, as measured", f"{found:.0f} x {found:.0f}", f"{floored(found * found * 8 / 2**10)}K", f"{seconds:.3f}"],
                  ["a matrix of all words", f"{features:,} x {features:,}", f"{floored(features**2 * 8 / 2**30)}G", ""]])
    figure.outcomes(results["few"], "500 dimensions")
    figure.outcomes(results["all"], "All dimensions")
    ratio = ours.over(few, "reward")
    figure.claim("full-dimension-reward", "paper", "In all dimensions FF-OFUL loses at most 15 % of the reward that it has in 500.",
                 all_below(0.0, [Estimate(SHARE - ratio.mean, ratio.error)]), [("reward in all dimensions", ours.mean("reward")), ("reward in 500", few.mean("reward")), ("ratio", ratio),
                                       ("reward of random plays", random.mean("reward"))])
    figure.claim("full-dimension-time", "ours", "A trial in all dimensions takes less than half a second of choosing and learning.",
                 seconds < MOST_SECONDS, [("seconds a trial", seconds)])
