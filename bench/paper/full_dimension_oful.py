"""OFUL in all dimensions of 20 Newsgroups, which the paper calls infeasible."""
from lab.readers import shown_once, topic_study, whole
from lab.texts import newsgroups

from paper.full_dimension import with_p

TITLE = "OFUL in all dimensions"
PLACE = "Newsgroup dataset with human feedback, (c): what the paper calls infeasible"
ROUNDS = 768  # fewer than any topic has messages: once a topic is nearly used up, regret measures only how late its last ones are found


def studies(run):
    data = newsgroups(run)
    ours, oful, soft, random = (shown_once(run, data, policy, ROUNDS, ridges=run.ridges(4) if policy == "oful" else ())
                                for policy in ("ff-oful", "oful", "soft-marks", "random"))
    study = with_p(run, topic_study(run, "main", whole(data), [ours, oful, soft, random]))
    study.trials = run.share_of_trials(0.1)
    study.tuning_trials = max(1, int(0.3 * run.tuning_trials))
    return [study]


def show(figure, results, run):
    main = results["main"]
    ours, oful, soft, random = main
    figure.text(f"""OFUL on all {newsgroups(run).pool.shape[1]:,} words is the baseline that the paper calls infeasible, because of the matrix of
words by words. It needs no such matrix when it works with the messages that were played. One topic is wanted, and each message is
shown once. In {len(ours.trials)} trials of {ours.entrant.rounds:,} rounds the regret is {oful.mean()} for OFUL at its best ridge, {oful.setting},
{ours.mean()} for FF-OFUL with ridge 1, {random.mean()} for random choices, and {soft.mean()} for soft marks, which are not in the paper.""")
    figure.regrets("", "20 Newsgroups in all dimensions, each message once", main)
    figure.tuning("OFUL's regret by its ridge", main)
    seconds = [one.mean("seconds").mean for one in main]
    figure.table(f"Choosing and learning at d = {newsgroups(run).pool.shape[1]:,}", ["policy", "seconds a trial", "ms a round"],
                 [[one.entrant.name, f"{took:.2f}", f"{1e3 * took / one.entrant.rounds:.3f}"] for one, took in zip(main, seconds)])
    figure.outcomes(main)
    figure.less_regret("full-dimension-beats-oful", "ours", "In all dimensions FF-OFUL has less regret than tuned OFUL, which the paper could "
                       "not run there.", ours, oful, "Labels have no noise, and every message holds many words that tell its topic: OFUL uses "
                       "them all from the first message on, while FF-OFUL waits for marks.")
    figure.less_regret("full-dimension-oful-beats-random", "ours", "In all dimensions tuned OFUL has less regret than random plays.", oful, random)
