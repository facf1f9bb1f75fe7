"""Searches that begin with the words of a sentence, or whose reader names words after a run of useless documents."""
from dataclasses import replace

import numpy as np
from inkling import DEFAULT_POLICY, _core

from lab.estimates import median, ratio
from lab.measures import found_among, reading_for, share_reaching
from lab.searches import setting_of
from lab.texts import search_pools
from lab.trials import Study

from beyond.wanted_topics import WANTED_TOPICS

TITLE = "Words to begin with, and words where a search is at a standstill"
PLACE = "Beyond the paper: sentences of people"
SHARE, HALF, PART, MOST_ROUNDS = 0.01, 0.5, 6000, 1500
HELPED = "inkling, 2 words at each standstill"
BEGINNINGS = (("document", "a document", "document", False), ("words", "words of a sentence", "nothing", True),
              ("both", "a document and words", "document", True))


def sought_topics(data):
    """What somebody looks for: by document whether it is wanted, and the words that the product proposes for the sentence."""
    held = data.pool.X.astype(bool).tocsc()
    proposed = _core.words_of_sentences(data.pool.path, [sentence for _, sentence, _ in WANTED_TOPICS])
    sought = []
    for (group, _, words), of_sentence in zip(WANTED_TOPICS, proposed):
        wanted = data.labels == (data.names.index(group) if group in data.names else -2)
        if words:
            features = [feature for feature in map(data.pool._lookup_exactly, words) if feature is not None]
            wanted &= np.asarray(held[:, features].sum(axis=1)).ravel() >= 2
        if wanted.sum() >= 2:  # one to begin with, and one to find
            sought.append((wanted.astype(int).tolist(), of_sentence))
    return sought


def studies(run):
    data = search_pools(run)["many"]
    sought = sought_topics(data)
    made = []
    for study, name, begins, has_words in BEGINNINGS:
        setting = setting_of(PART, begins=begins, largest_share=SHARE, words=50, mark_probability=0.0)
        sizes = [setting.size(len(wanted), sum(wanted)) for wanted, _ in sought]
        rounds = min([MOST_ROUNDS, *(sum(size) - 1 for size in sizes)])
        alone = run.entrant(DEFAULT_POLICY, rounds, run.label_noise, with_replacement=False, end=(HALF, 0, 0))

        def world(trial, setting=setting, has_words=has_words):
            wanted, words = sought[trial % len(sought)]
            made_world = _core.search_world(data.pool._core, wanted, None, setting, 1, run.seed, trial)
            if has_words:
                made_world.begin_with_words(words, _core.proposed_confidence)
            return made_world

        about = f"beginnings in {data.pool.fingerprint()} by {name} {[words for _, words in sought]} seed {run.seed}"
        rows = [("documents of a search", f"{PART:,}"), ("topics", len(sought))]
        made.append(Study(study, world, about, 6 if run.quick else 2 * len(sought),
                          [alone, replace(alone, name=HELPED, words_at_standstill=2)], 0, rows))
    return made


def useless_until_half(trial):
    """Useless documents read until half of the topic was found; all useless documents if that never happened."""
    read = min(reading_for(HALF)(trial), float(trial.shown))
    return read - found_among(trial, read)


def show(figure, results, run):
    figure.text("""Thirty people look for a group of 20 Newsgroups, or for a part of one, and say so in a sentence that was written before any of
these searches was run. A topic is thinned to 1 % of 6,000 messages, and a search ends when half of it is found. "Words" are those that
the product proposes from the sentence, rated as it rates them. At a standstill, which is every four useless documents in a row up to twenty, a reader names two
more words: of the fifty that tell the topic best, or, one in five, a wrong one.""")
    alone, table = results["document", DEFAULT_POLICY].by_trial(useless_until_half), []
    for study, name, *_ in BEGINNINGS:
        for one in results[study]:
            useless, mean = one.by_trial(useless_until_half), one.mean(useless_until_half)
            share = ratio(useless, alone)
            table.append([name, one.entrant.name, f"{mean.mean:.1f} ± {mean.error:.1f}", f"{median(useless):.0f}",
                          f"{100 * share_reaching(one, HALF).mean:.0f}", f"{share.mean:.2f} ± {share.error:.2f}"])
    figure.table("Useless documents until half of a topic of 1 % is found", ["begun by", "who", "mean", "median", "half was found in %",
                 "as a share of a document alone"], table, first_number=2, open_=True)
    for id_, sentence, ours in (
            ("beginnings-words", "Begun by the words of a sentence, at least a quarter fewer documents are useless than begun by a document.",
             results["words", DEFAULT_POLICY]),
            ("beginnings-standstill", "Two words at each standstill of a search that a document begins save at least a quarter.",
             results["document", HELPED])):
        share = ratio(ours.by_trial(useless_until_half), alone)
        figure.claim(id_, "ours", sentence, share.mean <= 0.75, [("share of useless documents", share)])
