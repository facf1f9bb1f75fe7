"""The policy for searches in the paper's synthetic worlds, where rewards are noisy numbers."""
from dataclasses import replace

from inkling import DEFAULT_POLICY

from lab.synthetic import synthetic

TITLE = "The policy for searches in the paper's worlds"
PLACE = "Beyond the paper: synthetic worlds with noise"
WORLDS = [(noise, relevant) for noise in (0.1, 0.5) for relevant in (5, 15, 40)]
MOST = 1.1


def name_of(noise, relevant):
    return f"noise-{noise}-relevant-{relevant}"


def studies(run):
    rounds, made = run.horizon(4096), []
    for noise, relevant in WORLDS:
        soft, ours, oful = (run.entrant(policy, rounds, noise) for policy in ("soft-marks", "ff-oful", "oful"))
        entrants = [soft, ours, replace(oful, ridges=run.ridges(2)), run.entrant(DEFAULT_POLICY, rounds, noise)]
        study = synthetic(run, name_of(noise, relevant), relevant, entrants, noise=noise)
        made.append(replace(study, trials=run.share_of_trials(2.0)))  # regret has a long tail: a mean of few trials says little
    return made


def show(figure, results, run):
    figure.text("""The default policy for searches gets no settings and no tuning. Here it plays in the worlds of the paper, where a reward is a
noisy number, beside policies that know the true noise and norm; OFUL also plays at its best ridge. The claims ask for at most 1.1 times
the regret of the best of them in each world.""")
    table = []
    for noise, relevant in WORLDS:
        study = results[name_of(noise, relevant)]
        *others, ours = study
        suffix = name_of(noise, relevant) if table else ""
        figure.regrets(suffix, f"Noise {noise}, {relevant} of 40 words matter", study)
        table.append([f"noise {noise}, {relevant} of 40 words matter",
                      *(f"{one.mean()} ({one.setting})" if one.tuning else one.mean() for one in study)])
        best = min(others, key=lambda one: one.mean().mean)
        numbers = [(f"regret of {one.entrant.name}", one.mean()) for one in (ours, *others)]
        figure.claim(f"paper-worlds-{name_of(noise, relevant)}", "ours", f"At noise {noise} with {relevant} of 40 words that matter, the regret of "
                     "inkling, untuned, is at most 1.1 times that of the best of soft-marks, ff-oful and tuned oful.",
                     ours.over(best).mean <= MOST, [*numbers, (f"ratio to {best.entrant.name}", ours.over(best))])
    first = results[name_of(*WORLDS[0])]
    figure.table("Regret", ["world", *(one.entrant.name for one in first)], table, open_=True)
    tried = [("settings tried by the tuning", f"{one.entrant.name} {len(one.tuning)}") for one in first if one.tuning]
    figure.settings += [*tried, ("noise, in place of the above", "0.1 and 0.5")]
