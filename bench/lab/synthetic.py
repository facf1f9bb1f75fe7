"""The paper's synthetic worlds: 1,000 documents over 40 words, of which some matter."""
from inkling import World, _core

from lab.trials import Study


def synthetic(run, name, relevant, entrants, noise=None, sphere=False, documents=1000, irrelevant=None, mark_probability=None):
    """A study in such worlds, a new one for each trial. With `irrelevant` as many other words are marked likewise."""
    noise = run.noise if noise is None else noise
    probability = run.mark_probability if mark_probability is None else mark_probability
    reader = {"relevant": relevant, "norm": run.norm_bound, "noise": noise, "mark_probability": probability, "sphere": sphere,
              "documents": documents, "words": run.words, "marks": "oracle" if irrelevant is None else "noisy",
              "irrelevant_marks": irrelevant or 0, "random_state": run.seed}

    def world(trial) -> _core.World:
        return World(**reader, trial=trial)._core

    rows = [("documents", f"{documents:,}"), ("features (d)", "40")]
    rows += [] if sphere else [("words drawn for a document", f"{run.words:,}")]
    rows += [("features that matter (k)", f"{relevant:,}"), ("noise of the rewards", f"{noise:g}"),
             ("probability that a relevant feature of a shown document is marked (p)", f"{probability:g}")]
    return Study(name, world, f"synthetic: {reader}", run.trials, entrants, run.tuning_trials, rows)


def least_discovery(study, probability):
    """How likely a random play marks its least likely relevant word, the least over all trials: the p of Assumption 2."""
    worlds = map(study.world, range(study.trials))
    return min(min(probability * (world.holders() / world.documents)) for world in worlds)
