"""The searches that are compared: in which pool, for how rare a topic, with which marks, and who plays."""
from lab.searches import Case, Effort

COMMON, COMMON_QUICK, SOME = Effort(0.2, 768, 0, 20_000), Effort(1.0, 100, 0, 3000), Effort(0.1, 100, 0, 5000)
WORDS, MARKED = (("words", 20), ("mark_probability", 0.3)), "20 words marked with p = 0.3"
MARKING = {"players": "marking"}


def rare(name, percent, of, full, quick=Effort(0.0), **more):
    """A case without marks, and the same with 20 words that are marked."""
    title, setting = f"Topics of at most {percent} %{of}", (("largest_share", percent / 100),)
    return {name: Case(f"{title}, no marks", full, quick, "many", setting=setting, **more),
            f"{name}-20-words": Case(f"{title}, {MARKED}", full, quick, "many", unmarked=name, setting=setting + WORDS, **MARKING, **more)}


CASES = {
    "topics": Case("Common topics, no marks", COMMON, COMMON_QUICK),
    "topics-20-words": Case(f"Common topics, {MARKED}", COMMON, COMMON_QUICK, unmarked="topics", setting=WORDS, **MARKING),
    "topics-150-words": Case("Common topics, 150 words marked with p = 0.1", Effort(0.2, 200, 0, 20_000), unmarked="topics",
                             setting=(("words", 150), ("mark_probability", 0.1)), **MARKING),
    **rare("rare-5", 5, "", Effort(2.0, 100, 0, 20_000), left_out="soft-marks"),
    **rare("rare-5-part", 5, " of 4,000 documents", Effort(0.2, 100, 1000, 4000)),
    **rare("rare-1", 1, "", Effort(0.2, 100, 600, 6000), Effort(0.8, 50, 0, 4000)),
    **rare("rare-0.3", 0.3, "", Effort(0.2, 100, 400, 10_000)),
    "by-words": Case("Begun by three words and no document, no marks", Effort(1.0, 25, 0, 4000), Effort(1.0, 25, 0, 2000), "many", "together",
                     setting=(("begins", "words"),)),
    "from-nothing": Case(f"Begun with nothing, {MARKED}", SOME, players="together", setting=(("begins", "nothing"), *WORDS)),
    "reviews": Case("Film reviews, what people highlighted in wanted ones is marked", Effort(0.2, 100, 0, 20_000), Effort(0.6, 50, 0, 2000),
                    "reviews", "together", left_out="ff-oful", setting=(("highlights", True),)),
    "reviews-both": Case("Film reviews, what people highlighted in all is marked", Effort(0.2, 100, 0, 20_000), searched="reviews",
                         unmarked="reviews", left_out="ff-oful", setting=(("highlights", True), ("marks_in_all", True)), **MARKING),
    "mistakes": Case(f"{MARKED}, 5 % of ratings wrong, 10 % of marks misleading", Effort(6.0, 200, 0, 2000), Effort(4.0, 100, 0, 2000), "many",
                     most_topics=6, setting=(*WORDS, ("wrong_ratings", 0.05), ("misleading_marks", 0.1)), **MARKING),
    **{f"p-{p:g}-{words}": Case(f"Common topics, {words} words{f' marked with p = {p:g}' if p else ', none marked'}", SOME,
                                setting=(("words", words), ("mark_probability", p)), **MARKING)
       for words, chances in ((20, (0.0, 0.1, 0.3, 1.0)), (150, (0.1, 0.3, 1.0))) for p in chances}}
