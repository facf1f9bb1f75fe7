"""What rules for stopping are worth, in searches of newsgroup messages; `stopping_reviews` is the same in systematic reviews."""
from inkling import DEFAULT_POLICY, _core

from lab.searches import setting_of, sizes_of, topics_of
from lab.stop_rules import GUESSES_EVERY, show_kinds
from lab.texts import search_pools
from lab.trials import Study

TITLE = "When to stop: topics of newsgroup messages"
PLACE = "Beyond the paper: rules for stopping"
PART = 2000  # documents of a search
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


def show(figure, results, run):
    figure.text("""Each search begins with one document that is wanted and continues until all are found. Its pool is a part of 20 Newsgroups, of
2,000 messages, in which the topic has 5 % or 1 % of them. A rule is asked after each document. "95 % found" counts the searches in which at
least 95 % of the wanted documents were found when the rule stopped, "read" is the share of the pool that was read by then. The model's
guess is the sum of the chances that unread documents are wanted, every 25 documents. Buscar is the test of Callaghan and Müller-Hansen
(2020). The last rule reads until 50 documents in a row were not wanted, and then draws at random until the bound says that 95 % are found.""")
    show_kinds(figure, {kind: results[name] for name, (kind, _) in KINDS.items()}, run)
