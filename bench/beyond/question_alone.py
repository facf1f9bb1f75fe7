"""Systematic reviews begun by the words of the question alone, until the first relevant record is found."""
from inkling import DEFAULT_POLICY, _core

from lab.estimates import estimate, median
from lab.review_readers import words_of_question
from lab.texts import screened_reviews
from lab.trials import Study

TITLE = "Systematic reviews, begun by the question alone"
PLACE = "Beyond the paper: no record is known"
MOST_SHOWN = 400  # a search that found nothing among so many counts as one that did then


def studies(run):
    made = []
    for data in screened_reviews(run):
        if not data.question:
            continue
        words, seed = words_of_question(data), run.seed ^ _core.checksum(data.name)
        rounds = min(MOST_SHOWN, data.pool.shape[0])

        def world(trial, data=data, words=words, seed=seed):
            begun = _core.screening_world(data.pool._core, data.is_relevant, None, seed, trial)
            begun.begin_with_words(words, _core.proposed_confidence)
            begun.begin_without_documents()
            return begun

        about = f"screening of {data.name} {data.pool.fingerprint()} by the question alone {words} seed {run.seed}"
        searcher = run.entrant(DEFAULT_POLICY, rounds, run.label_noise, with_replacement=False, end=(1e-9, 0, 0))
        made.append(Study(data.name, world, about, run.share_of_trials(0.3 if run.quick else 0.2), [searcher]))
    return made


def show(figure, results, run):
    reviews = [data for data in screened_reviews(run) if data.question]
    figure.text(f"""Somebody types the question of a review, here its published title, and rates no record before. The words that the product
proposes are rated as it rates them. Counted are the irrelevant records until the first relevant one, beside what reading in random order takes
on average: (irrelevant) / (relevant + 1). A search is watched for {MOST_SHOWN} records. Random draws, which a search makes after eight
irrelevant ones in a row, differ from trial to trial.""")
    shares, table = [], []
    for data in reviews:
        relevant = sum(data.is_relevant)
        chance = (len(data.is_relevant) - relevant) / (relevant + 1)
        until = results[data.name, DEFAULT_POLICY].mean(lambda trial: float(trial.found_at[0] - 1 if trial.found_at else trial.shown))
        shares.append((until.mean, chance))
        table.append([data.name, until, f"{chance:.1f}", f"{until.mean / chance:.2f}"])
    figure.table("Irrelevant records until the first relevant one", ["review", "by the question", "at random", "share"], table, open_=True)
    ratios = [until / chance for until, chance in shares]
    together = sum(until for until, _ in shares) / sum(chance for _, chance in shares)
    half = sum(share <= 0.5 for share in ratios)
    figure.claim("question-alone", "ours", "Begun by the question alone, at most half as many irrelevant records come before the first relevant one "
                 "as at random.", together <= 0.5,
                 [("all reviews together, share", together), ("mean share", estimate(ratios)), ("median share", median(ratios)), ("reviews", len(ratios)),
                  ("at most half in", half), ("more than at random in", sum(share > 1 for share in ratios))])
