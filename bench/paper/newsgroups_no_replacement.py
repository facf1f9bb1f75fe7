"""20 Newsgroups with an oracle's marks: a message is what is wanted, and each is shown once."""
from lab.readers import newsgroups_space

from paper.newsgroups_replacement import FEATURES, WANTED, beats, beside_oful, entrants_of, message_study

TITLE = "20 Newsgroups, a message is what is wanted, without replacement"
PLACE = "Newsgroup dataset with oracle feedback, right"


def studies(run):
    rounds = min(run.horizon(2048), newsgroups_space(run, FEATURES).pool.shape[0])
    made = []
    for name, own_words, probability in (("main", False, run.mark_probability), ("own-words", True, run.mark_probability),
                                         ("marked-at-once", True, 1.0)):
        entrants = entrants_of(run, rounds, run.noise, run.norm_bound, False, name == "main")
        made.append(message_study(run, name, "linear", own_words, probability, entrants))
    made[0].settings.append(("R, the noise of a reward", f"{run.noise:g}"))
    return made


def show(figure, results, run):
    oful = results["main", "oful"]
    ours, commit = ([results[study, policy].mean() for study in ("main", "own-words", "marked-at-once")]
                    for policy in ("ff-oful", "explore-then-commit"))
    figure.text(f"""{WANTED[run.target].capitalize()}, drawn for the trial, is θ*, and the reward of a message is its product with θ*, with noise of
scale {run.noise:g}; each message is shown once. Marked are an oracle's words for its topic, with probability {run.mark_probability:g}; or the
words of θ* ("own words"), with the same probability; or own words with probability 1. After {oful.entrant.rounds:,} rounds
FF-OFUL has a regret of {ours[0]}, {ours[1]} and {ours[2]} in the three versions, explore-then-commit {commit[0]}, {commit[1]} and
{commit[2]}, and OFUL {oful.mean()} at its best ridge, {oful.setting}. Soft marks, which are not in the paper, have
{results['main', 'soft-marks'].mean()} in the first version.""")
    once = "rewards x·θ* with noise, each message shown once"
    figure.regrets("", f"20 Newsgroups, {once}", results["main"])
    beside_oful(figure, "The same with the words of θ* marked", results, "own-words")
    beside_oful(figure, "The same with these words marked at once", results, "marked-at-once")
    figure.tuning("OFUL's regret by its ridge", results["main"])
    figure.outcomes(results["main"])
    figure.outcomes(results["own-words"], "Own words marked")
    figure.outcomes(results["marked-at-once"], "Own words marked at once")
    why = f"The words of θ* must first be shown and marked. Until then OFUL, at a ridge of {oful.setting}, already follows the first good " \
          "messages to similar ones."
    of_topic = "An oracle's words tell one topic from the others, but not one message from the rest of its topic. Most of what this reader " \
               "wants is in words that nobody marks, and FF-OFUL never uses them."
    beats(figure, "newsgroups-no-replacement-beats-oful", results, "main", "oful", once, why=of_topic if run.target == "article" else why)
    beats(figure, "newsgroups-no-replacement-own-words-beats-oful", results, "own-words", "oful", once + ", the words of θ* marked", why=why)
    beats(figure, "newsgroups-no-replacement-at-once-beats-oful", results, "marked-at-once", "oful",
          once + ", the words of θ* marked whenever they are shown", why=why)
    beats(figure, "newsgroups-no-replacement-beats-explore-then-commit", results, "main", "explore-then-commit", once)
    figure.ridge_inside("newsgroups-no-replacement-ridge-inside", oful)
