"""From texts to a search: a person who looks for gardening rates documents and marks words."""

import inkling as ink

texts = [
    "Dig the soil over before the frost comes",
    "The boat left the harbour at high tide",
    "Compost makes poor soil rich",
    "Knead the dough and let it rest",
    "Sow the seeds in rows and water them",
    "A storm broke the mast of the boat",
    "Worms turn leaves into compost",
    "Bake the bread until it is brown",
]
wanted = {0, 2, 4, 6}

pool = ink.Pool.from_text(texts)
session = ink.Session(pool, random_state=1)
while session.remaining:
    choice = session.next()
    good = choice.document in wanted
    marks = [word for word in ("soil", "compost", "seeds") if word in choice.text.lower()]
    session.rate(choice.document, float(good), marks if good else [])
    print(f"{choice.round}. {'+' if good else '-'} {choice.text}")
print(session.words()["word"])
