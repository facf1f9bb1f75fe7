#!/usr/bin/env python3
"""tfidf_vectorizer.py FILE: the seconds that scikit-learn's TfidfVectorizer takes for one document a line, reading
included, importing not; for `inkling-bench ingest --peer`."""
import sys
import time

from sklearn.feature_extraction.text import TfidfVectorizer

start = time.perf_counter()
with open(sys.argv[1], encoding='utf-8', errors='replace') as file:
    TfidfVectorizer().fit_transform(file)
print(time.perf_counter() - start)
