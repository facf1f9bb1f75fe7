"""The data sets of the figures: messages of newsgroups, and film reviews with what people highlighted. Made once a run."""
import hashlib
import io
import json
import os
import re
import subprocess
import tarfile
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp
from inkling import Pool

from lab import oracle

TOPICS = ("misc.forsale", "rec.autos", "sci.med", "comp.graphics", "talk.politics.mideast")
PLAIN = ("--like-scikit-learn", "--tokens", "letters", "--stop-words", "english")
NEWSGROUPS, MOVIES = ("20news-bydate.tar.gz", "20newsgroups"), ("movie-rationales.tar.gz", "movie-rationales")


def found(run, file, name):
    """The path of a data set. Raises FileNotFoundError, which says how to get it."""
    path = run.data if os.path.basename(run.data) == file else os.path.join(run.data, file)
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path} is not there: get it with `datasets/fetch {name}`, or say with --data where it lies.")
    return path


def once(run, name, make):
    if name not in run.cache:
        run.cache[name] = make()
    return run.cache[name]


def key_of(path, *more):
    about = os.stat(path)
    return hashlib.sha256(repr((os.path.basename(path), about.st_size, about.st_mtime_ns, *more)).encode()).hexdigest()[:16]


def built(run, name, source, *options):
    """A pool that `inkling build` makes of a file, or made before with the same options."""
    folder = os.path.join(run.kept("pools"), f"{name}-{key_of(source, options)}")
    if not os.path.exists(folder):
        program = os.environ.get("INKLING_PROGRAM", "build/inkling")
        subprocess.run([program, "build", source, "--out", folder, "--json", *options], check=True, stdout=subprocess.DEVNULL)
    return Pool.open(folder)


def kept_json(run, name, make):
    """What `make` returns, from a file where this version of the oracle made it before."""
    with open(oracle.__file__, "rb") as file:
        version = hashlib.sha256(file.read()).hexdigest()[:8]
    path = os.path.join(run.kept("data"), f"{name}-{version}.json")
    if not os.path.exists(path):
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(make(), file)
        os.replace(path + ".new", path)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def labelled(pool):
    return SimpleNamespace(pool=pool, labels=np.asarray(pool._core.labels()), names=pool._core.label_names())


def newsgroups(run):
    """The paper's messages of five topics, and the oracle's words of each."""
    def make():
        source = found(run, *NEWSGROUPS)
        options = ("--format", "dir", "--encoding", "latin-1", "--topics", ",".join(TOPICS), *PLAIN)
        data = labelled(built(run, "newsgroups", source, *options))
        data.raw = lambda: built(run, "newsgroups-raw", source, *options, "--norm", "none").X

        def find():
            fits, facts = oracle.topic_oracle(data.pool.X, data.labels, data.names)
            return {"words": [fit[0].tolist() for fit in fits], "weights": [fit[1].tolist() for fit in fits], "facts": facts}

        kept = kept_json(run, f"oracle-with-weights-{key_of(source)}", find)
        data.words, data.weights = ([np.array(one) for one in kept[name]] for name in ("words", "weights"))
        data.facts = kept["facts"]
        data.words_of_all = np.unique(np.concatenate(data.words))
        return data
    return once(run, "newsgroups", make)


def topic_words(run, data):
    """By topic, the words of a list that people gave, a line 'topic: word, word' each; None without a list."""
    if not run.topic_words:
        return None
    words = {name: set() for name in data.names}
    with open(run.topic_words, encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            topic, colon, some = line.partition(":")
            if not line.strip() or line.startswith("#"):
                continue
            if not colon or topic.strip() not in words:
                raise ValueError(f"{run.topic_words}:{number}: expected a topic of {', '.join(words)}, a colon and its words")
            found_ = (data.pool._lookup_exactly(word.lower()) for word in re.split(r"[\s,;]+", some) if word)
            words[topic.strip()] |= {feature for feature in found_ if feature is not None}
    return [np.array(sorted(words[name])) for name in data.names]


def read_reviews(path):
    """Of an archive in the ERASER format, sorted by name: (name, text, judgement, highlighted phrases)."""
    texts, notes = {}, {}
    with tarfile.open(path) as archive:
        for member in archive:
            name = os.path.basename(member.name)
            if name.endswith(".txt") and os.path.basename(os.path.dirname(member.name)) == "docs":
                texts[name] = archive.extractfile(member).read().decode("utf-8", "replace")
            elif name in ("train.jsonl", "test.jsonl"):
                for line in io.TextIOWrapper(archive.extractfile(member), encoding="utf-8"):
                    note = json.loads(line)
                    phrases = [one["text"] for group in note["evidences"] for one in group]
                    if name == "train.jsonl" or note["annotation_id"] not in notes:
                        notes[note["annotation_id"]] = (note["classification"], phrases)
    return [(name, texts[name], *notes[name]) for name in sorted(notes)]


def highlights_of(pool, phrases):
    """By review, the words of its row that a phrase holds, a 1 each."""
    spoken = pool.transform(["\n".join(some) for some in phrases])
    both = spoken.astype(bool).multiply(sp.csr_array(pool.X).astype(bool)).tocsr()
    both.sort_indices()
    return both


def reviews(run, **recipe):
    """Film reviews with what people highlighted, and how often they highlight an oracle's word or another one."""
    def make():
        source = found(run, *MOVIES)
        notes = read_reviews(source)
        names, texts, judged, phrases = zip(*notes)
        folder = os.path.join(run.kept("pools"), f"reviews-{key_of(source, sorted(recipe.items()))}")
        options = {"like_scikit_learn": True, "stop_words": "english", "keep_text": False, **recipe}
        pool = Pool.open(folder) if os.path.exists(folder) else Pool.from_text(texts, ids=names, labels=judged, out=folder, **options)
        data = labelled(pool)
        data.raw = lambda: Pool.from_text(texts, **{**options, "norm": None}).X
        data.highlights = highlights_of(pool, phrases)

        def find():
            fit = oracle.Path(pool.X, data.labels == data.names.index("POS")).support_near(92)  # as many as the paper's people marked
            return {"words": fit[0].tolist(), "facts": "An L1 logistic regression of the judgement, with the penalty at which it keeps "
                    f"nearest to 92 features: {oracle.facts_of('POS', fit)}."}

        if not recipe:
            kept = kept_json(run, f"reviews-oracle-{key_of(source)}", find)
            data.words, data.facts = np.array(kept["words"]), kept["facts"]
            deciding = np.isin(np.arange(pool.shape[1]), data.words)
            words, hits = deciding[pool.X.indices].sum(), deciding[data.highlights.indices].sum()
            data.rates = (hits / words, (data.highlights.nnz - hits) / (pool.nnz - words))
        return data
    return once(run, f"reviews {recipe}", make)


def search_pools(run):
    """The pools in which searches are compared: five topics, all twenty with stop words, and film reviews; or a user's pool."""
    def make():
        if run.pool:
            given = labelled(Pool.open(run.pool))
            return {"topics": given, "many": given}
        source, common = found(run, *NEWSGROUPS), ("--format", "dir", "--encoding", "latin-1", "--like-scikit-learn", "--tokens", "letters",
                                                   "--tf", "sublinear")
        pools = {"topics": labelled(built(run, "five-topics", source, *common, "--stop-words", "english", "--topics", ",".join(TOPICS))),
                 "many": labelled(built(run, "all-topics", source, *common))}
        if os.path.exists(os.path.join(run.data, MOVIES[0])):
            pools["reviews"] = reviews(run, sublinear_tf=True)
        return pools
    return once(run, "search pools", make)


def screened_reviews(run):
    """Systematic reviews, for `beyond reviews`: pools made by the defaults of `inkling build`, in order of name."""
    def make():
        folder = os.path.join(run.data, "reviews") if os.path.isdir(os.path.join(run.data, "reviews")) else run.data
        files = sorted(name for name in os.listdir(folder) if name.endswith((".jsonl.gz", ".jsonl"))) if os.path.isdir(folder) else []
        if not files:
            raise FileNotFoundError(f"{folder} has no files NAME.jsonl.gz: get them with `datasets/fetch reviews`, or say with --data where.")
        questions = os.path.join(folder, "questions.json")
        asked = json.loads(open(questions, encoding="utf-8").read()) if os.path.exists(questions) else {}
        made = []
        for file in files:
            path, name = os.path.join(folder, file), file.removesuffix(".gz").removesuffix(".jsonl")
            data = labelled(built(run, name, path, "--format", "jsonl", "--text-field", "title,abstract", "--label-field", "included"))
            data.question = asked.get(name, "")
            data.name, data.path, data.is_relevant = name, path, (data.labels == data.names.index("1")).tolist()
            data.to_show = data.pool.shape[0] - 2  # all but the two that are given
            made.append(data)
        return sorted(made, key=lambda data: data.to_show)[:3] if run.quick else made
    return once(run, "screened reviews", make)
