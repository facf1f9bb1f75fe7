"""What rules for stopping are worth, in searches of newsgroup messages; `stopping_reviews` is the same in systematic reviews."""
import math

from inkling import DEFAULT_POLICY, _core

from lab.estimates import estimate, median
from lab.figure import series
from lab.measures import documents_until, found_among
from lab.searches import setting_of, sizes_of, topics_of
from lab.stop_rules import rules_of
from lab.texts import search_pools
from lab.trials import Study

TITLE = "When to stop: topics of newsgroup messages"
PLACE = "Beyond the paper: rules for stopping"
RECALL, GUESSES_EVERY, PART = 0.95, 25, 2000
KINDS = {"topics-5": ("newsgroups, 5 % good", 0.05), "topics-1": ("newsgroups, 1 % good", 0.01)}


def reader(run, documents):
    """A search until all is found, and 400 rounds more, so that the guess can fall."""
    return run.entrant(DEFAULT_POLICY, documents, run.label_noise, with_replacement=False, end=(1.0, 0, 400), guesses_every=GUESSES_EVERY)


def studies(run):
    data, made = search_pools(run)["many"], []
    topics, labels = topics_of(data, run.seed), data.labels.tolist()
    for name, (_, share) in KINDS.items():
        setting = setting_of(PART, largest_share=share)
        documents = min([PART, *(sum(size) - 1 for size in sizes_of(data, topics, setting))])

        def world(trial, setting=setting):
            return _core.search_world(data.pool._core, labels, None, setting, topics[trial % len(topics)], run.seed, trial)

        about = f"stopping in {data.pool.fingerprint()} share {share} of {PART} topics {topics} seed {run.seed}"
        rows = [("documents of a search", f"{documents:,}"), ("topics", len(topics))]
        made.append(Study(name, world, about, run.share_of_trials(0.2 if run.quick else 0.8), [reader(run, documents)], 0, rows))
    return made


def endings(results, rule):
    """How the searches ended by a rule: whether 95 % were found, percent found, percent read, read beyond, and how many did not stop."""
    reached, found, read, beyond, running = [], [], [], [], 0
    for result in results:
        for number, trial in enumerate(result.trials):
            documents = result.entrant.rounds
            stop = rule(trial, documents, number)
            until = min(stop, documents) if isinstance(stop, int) else stop[0]
            got = found_among(trial, until) if isinstance(stop, int) else stop[1]
            needed, enough = documents_until(trial, RECALL), math.ceil(RECALL * trial.wanted - 1e-9)
            reached.append(100.0 if got >= enough else 0.0)
            found.append(100.0 * got / max(trial.wanted, 1))
            read.append(100.0 * until / max(documents, 1))
            if got >= enough and needed is not None:
                beyond.append(float(max(0, until - needed)))
            running += until >= documents
    return reached, found, read, beyond, running


def guess_row(kind, results):
    """The guess beside the truth, wherever it is known."""
    rows = []
    for trial in (trial for result in results for trial in result.trials):
        for n, guess in enumerate(trial.guesses):
            if guess >= 0.0:
                found = found_among(trial, (n + 1) * GUESSES_EVERY)
                rows.append((trial.wanted - found, guess, found / max(found + guess, 1.0) - found / trial.wanted))
    if not rows:
        return []
    lefts, guesses, biases = zip(*rows)
    return [[kind, f"{len(lefts):,}", f"{estimate(lefts).mean:.1f}", f"{estimate(guesses).mean:.1f}", f"{median(guesses):.1f}", f"{median(lefts):.1f}",
             f"{estimate(biases).mean:+.3f}", f"{estimate([abs(bias) for bias in biases]).mean:.3f}"]]


def show_kinds(figure, kinds, run):
    """Tables and chart of `kinds`: by name, the results of all searches of a kind."""
    rows, lines = [], []
    for kind, results in kinds.items():
        points = []
        for name, rule in rules_of(run.seed, RECALL, GUESSES_EVERY).items():
            reached, found, read, beyond, running = endings(results, rule)
            rows.append([kind, name, len(found), f"{estimate(reached).mean:.0f}", f"{estimate(found).mean:.1f}", f"{estimate(read).mean:.1f}",
                         f"{median(beyond):.0f}" if beyond else "-", running])
            points.append((estimate(read).mean, estimate(reached).mean))
        lines.append(series(kind, sorted(points)) | {"low": [], "high": []})
    figure.chart("", "What rules find, and what they cost", lines, "documents read, %", "searches with 95 % found, %",
                 "A point is a rule: the searches in which 95 % were found, against what was read. Up and to the left is better.")
    figure.table("How searches end by a rule (means, and the median of documents read after 95 % were found)", ["searched", "rule", "searches",
                 "95 % found in %", "found %", "read %", "read beyond", "never stopped"], rows, first_number=2, open_=True)
    figure.table("The guess beside the truth, wherever it is known (every 25 documents)", ["searched", "guesses", "left, mean", "guessed, mean",
                 "guessed, median", "left, median", "recall guessed less recall, mean", "distance of both, mean"],
                 [row for kind, results in kinds.items() for row in guess_row(kind, results)])


def show(figure, results, run):
    figure.text("""Each search begins with one document that is wanted and continues until all are found. Its pool is a part of 20 Newsgroups, of
2,000 messages, in which the topic has 5 % or 1 % of them. A rule is asked after each document. "95 % found" counts the searches in which at
least 95 % of the wanted documents were found when the rule stopped, "read" is the share of the pool that was read by then. The model's
guess is the sum of the chances that unread documents are wanted, every 25 documents. Buscar is the test of Callaghan and Müller-Hansen
(2020). The last rule reads until 50 documents in a row were not wanted, and then draws at random until the bound says that 95 % are found.""")
    show_kinds(figure, {kind: results[name] for name, (kind, _) in KINDS.items()}, run)
