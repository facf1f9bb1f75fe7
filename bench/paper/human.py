"""People's own marks: what readers of film reviews highlighted, and a simulated person who marks newsgroup messages like them."""
from dataclasses import replace
from functools import partial

from lab.readers import label_world, person_space, person_world, review_study, reviews_space, shown_once, text_study
from lab.texts import newsgroups, reviews, topic_words

TITLE = "People's own marks, 500 dimensions"
PLACE = "Newsgroup dataset with human feedback, (a)"
FILMS = "Highlights in film reviews take the place of the paper's annotations of newsgroup messages, which are not public."


def players(run, space, world):
    """Explore-then-commit is given the rounds after which all deciding words of this world are marked, with probability 0.95, by
    somebody who marks such words as often as the readers of the reviews did."""
    movies = reviews(run)
    ours, oful, commit, soft = (shown_once(run, movies, policy, 1024) for policy in ("ff-oful", "oful", "explore-then-commit", "soft-marks"))
    asked = label_world(space, 0, world.relevant.tolist(), (movies.rates[0], 0.0))
    first = asked.rounds_to_find_all((commit.rounds + 1) // 2)
    return [ours, replace(oful, ridges=run.ridges()), replace(commit, settings=commit.settings | {"first_rounds": first}), soft]


def studies(run):
    made = [(reviews_space(run, 500), review_study(run, []))]
    try:
        data = newsgroups(run)
    except FileNotFoundError:
        pass  # the reviews alone
    else:
        space, given = person_space(run, 500), topic_words(run, data)
        world = partial(person_world, run, space, reviews(run).rates, given)
        who = "a simulated person" if given is None else "people, by the list given"
        made.append((space, text_study(run, "person", "person", space, world, [], [("who marks", who)])))
    for space, study in made:
        study.entrants = players(run, space, study.world(0))
    return [study for _, study in made]


def regrets(results, study):
    ours, oful, commit, soft = results[study]
    return (f"{ours.mean()} for FF-OFUL, {oful.mean()} for OFUL at its best ridge, {oful.setting}, {commit.mean()} for explore-then-commit, "
            f"and {soft.mean()} for soft marks, which are not in the paper")


def show(figure, results, run):
    films = results["reviews"]
    text = f"""The paper's own annotations of 50 newsgroup messages are not public, so real marks are taken from film reviews. The reward
is +1 where the review judges the film as the reader of the trial wants it and −1 otherwise; marked is what people highlighted in this
review as the reason. Highlights are phrases, so most marked words decide nothing. Each review is shown at most once. After
{films[0].entrant.rounds:,} rounds the regret is {regrets(results, 'reviews')}."""
    figure.regrets("", "Film reviews, what people highlighted is marked", films)
    figure.tuning("OFUL's regret by its ridge, film reviews", films)
    figure.outcomes(films)
    if "person" in results:
        text += f"""\n\nOn 20 Newsgroups, where no public list of people's words is known, the marks are those of a simulated person: a topic's oracle
words, and all other words, are marked as often as the readers of the reviews marked theirs. There the regret is
{regrets(results, 'person')}."""
        figure.regrets("newsgroups", "20 Newsgroups, marks of a person", results["person"])
        figure.outcomes(results["person"], "20 Newsgroups")
    figure.text(text)
    ours, oful, commit, _ = films
    why = f"""Highlights are phrases: {ours.mean('words')} words are marked in a trial, and few of them decide. Without noise, a tuned ridge gives
OFUL what marks give FF-OFUL, which is not tuned. [The next figure](#ridge-sensitivity) shows both at every ridge."""
    figure.less_regret("human-beats-oful", "paper", "FF-OFUL has less regret than tuned OFUL with people's own marks (film reviews).", ours, oful, why, FILMS)
    figure.less_regret("human-beats-explore-then-commit", "paper", "FF-OFUL has less regret than explore-then-commit with people's own marks "
                       "(film reviews).", ours, commit, stand_in=FILMS)
    figure.ridge_inside("human-ridge-inside", oful)
    if "person" in results:
        figure.less_regret("human-newsgroups-beats-oful", "paper", "FF-OFUL has less regret than tuned OFUL on 20 Newsgroups with a person's marks.",
                           *results["person"][:2], why, "A simulated person takes the place of the paper's annotators, whose marks are not public.")
