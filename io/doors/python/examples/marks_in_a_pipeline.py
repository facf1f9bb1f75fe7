"""A pipeline of scikit-learn that learns from marked words, beside one without them: few ratings, many words."""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from inkling import FeatureFeedbackRegressor

random = np.random.default_rng(1)
filler = [f"word{n}" for n in range(500)]


def text(about_gardens: bool) -> str:
    words = list(random.choice(filler, 30))
    return " ".join(words + (["soil", "compost"] if about_gardens else ["tide"]))


wanted = random.random(300) < 0.3
texts = [text(bool(one)) for one in wanted]
y = wanted.astype(float)
train, test = slice(0, 20), slice(20, 300)

plain = make_pipeline(TfidfVectorizer(), Ridge()).fit(texts[train], y[train])
marked = make_pipeline(TfidfVectorizer(), FeatureFeedbackRegressor(ridge=0.1))
columns = marked[0].fit(texts[train]).vocabulary_
marks = [[columns["soil"], columns["compost"]] if one else [] for one in wanted[train]]
marked.fit(texts[train], y[train], featurefeedbackregressor__marks=marks)


def found(predictions: np.ndarray) -> float:
    """The share of wanted documents among the best."""
    count = int(wanted[test].sum())
    return float(wanted[test][np.argsort(-predictions)[:count]].mean())


print(f"ridge on all words: {found(plain.predict(texts[test])):.0%} of the best are wanted")
print(f"with marked words:  {found(marked.predict(texts[test])):.0%}")
assert found(marked.predict(texts[test])) > found(plain.predict(texts[test]))
