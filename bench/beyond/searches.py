"""What people look for in a pool, with the policies of this program and those in use beside each other."""
from lab.measures import reading_for, share_failed, useless
from lab.search_cases import CASES, MARKED
from lab.searches import (against_best, chart_over_cases, difference_table, fewer_than_rivals, finds_at_least, firsts_of, ours_of, over_topics,
                          players_in, search_table, study_of, topics_of_case, useless_chart)
from lab.texts import search_pools

TITLE = "Searches, beside what people use"
PLACE = "Beyond the paper: searches for the documents of a topic"
def studies(run):
    there = search_pools(run)
    return [study_of(name, case, run) for name, case in CASES.items() if case.searched in there and case.effort(run).trials > 0]


def show(figure, results, run):
    figure.text(f"""Somebody looks for the documents of one topic in a pool, rates each document that is shown, and sees no document twice. A wanted
document is given at the beginning, unless a table says otherwise. Every policy plays the same searches: the same first document, ratings
and marked words. A useless document is one that is shown in place of a wanted one. A search failed if it found less than half of what the
median search of the same policy for the same topic found. The marked words tell the topic from all others (log-odds with a prior).
Without marks inkling shows {ours_of(results['topics']).mean(useless(100))} useless documents among the first 100.""")
    for suffix, name in (("", "topics"), ("marks", "topics-20-words"), ("reviews", "reviews"), ("mistakes", "mistakes")):
        if name in results:
            useless_chart(figure, results, suffix, name, CASES[name])
        for end, title in (("", "Rare topics, no marks"), ("-20-words", f"Rare topics, {MARKED}")) if suffix == "marks" else ():
            if "rare-5" + end in results:
                chart_over_cases(figure, results, "share-marks" if end else "share", title, "share of the pool that is wanted, %", CASES,
                                 [(share, f"rare-{share:g}{end}") for share in (0.3, 1.0, 5.0)], 25, x_log=True)
    for words, suffix in ((20, "probability"), (150, "probability-150")):
        if f"p-1-{words}" in results:
            chart_over_cases(figure, results, suffix, f"Common topics, a list of {words} words", "probability that a word of the list is marked",
                             CASES, [(0.0, "p-0-20"), *((p, f"p-{p:g}-{words}") for p in (0.1, 0.3, 1.0))], 100)
    for name, case in CASES.items():
        if name in results:
            search_table(figure, results, name, case, run)
    for name, case in CASES.items():
        if name in results:
            difference_table(figure, results, name, case)
    claims(figure, results, run)


def claims(figure, results, run):
    def claim(id_, sentence, name, holds_and_numbers):
        if name in results:
            figure.claim("searches-" + id_, "ours", sentence, *holds_and_numbers(CASES[name], players_in(results, name, CASES[name])),
                         why="The numbers are means over the searches, and their difference trial by trial.")

    def at_least(id_, sentence, name, least):
        claim(id_, sentence, name, lambda _, players: finds_at_least(results, name, players, least, run))

    def against(id_, sentence, name, firsts, factor):
        claim(id_, sentence, name, lambda case, players: against_best(results, name, case, firsts, factor))

    def over(id_, sentence, end, names, bounds):
        there = [name + end for name in CASES if name in names and name + end in results]
        claim(id_, sentence, "rare-1" + end, lambda case, players: over_topics(results, CASES, there, bounds))

    def found_early(case, players):
        share = ours_of(players).mean(lambda trial: bool(trial.found_at) and trial.found_at[0] <= 3)
        return share.mean >= 0.9, [("share of searches", share)]

    def few_fail(case, players):
        last, topics = firsts_of(results, "mistakes")[-1], len(topics_of_case(case, run))
        failed = {one.entrant.name: share_failed(one, last, topics) for one in players}
        return failed["inkling"].mean <= 0.01, [(f"share failed, {name}", share) for name, share in failed.items()]

    at_least("unmarked-found", "Without marks inkling finds at least 751 wanted documents among the first 768.", "topics", 751)
    against("unmarked", "Without marks inkling shows at most as many useless documents as the better of AutoTAR and ASReview among the first 100, "
            "200 and 400.", "topics", (100, 200, 400), 1.0)
    against("marked", "With 20 words marked with p = 0.3 inkling shows at most half as many useless documents as the better of AutoTAR and "
            "ASReview among the first 25 and 100.", "topics-20-words", (25, 100), 0.5)
    at_least("marked-found", f"With {MARKED} inkling finds at least 756 wanted documents among the first 768.", "topics-20-words", 756)
    for end, id_, marks, factor in (("", "rare", "without marks", 0.7), ("-20-words", "rare-marked", f"with {MARKED}", 0.4)):
        for first in (25, 100):
            against(f"{id_}-{first}", f"On topics of at most 5 % {marks} inkling shows at most {factor} times the useless documents of the better "
                    f"of AutoTAR and ASReview among the first {first}.", "rare-5" + end, (first,), factor)
    early = (25,) if run.quick else (25, 100)
    for end, id_, marks, factor in (("", "rarer", "without marks", 0.7), ("-20-words", "rarer-marked", f"with {MARKED}", 0.4)):
        over(id_, f"On topics of at most 1 % {marks} inkling shows at most {factor} times the useless documents of the best rival among the first "
             "25 and 100.", end, ("rare-1", "rare-0.3"), [(f"useless among {first}", useless(first), factor) for first in early])
    for end, id_, sentence, factor in (
            ("", "rare-all", "without marks inkling needs no more documents for 95 % of all than the best rival.", 1.0),
            ("-20-words", "rare-all-marked", f"with {MARKED} inkling needs at most 0.8 times the documents of the best rival for 95 % of all.", 0.8)):
        reading = [] if run.quick else [("to read for 95 %", reading_for(0.95), factor)]  # a quick run shows too few documents
        over(id_, f"On topics of at most 5 % {sentence}", end, ("rare-5-part", "rare-1", "rare-0.3"), reading)
    claim("by-words", "Begun by three words alone, inkling shows the first wanted document by round 3 in 90 % of searches.", "by-words", found_early)
    for name, marked in (("reviews", "wanted reviews"), ("reviews-both", "all reviews")):
        claim(name, f"On film reviews with people's highlights in {marked} inkling shows fewer useless ones than every rival.", name,
              lambda case, players, name=name: fewer_than_rivals(results, name, players))
    claim("mistakes", "With 5 % of ratings wrong and 10 % of marks misleading, at most 1 % of searches with inkling find less than half of the "
          "median for their topic.", "mistakes", few_fail)
