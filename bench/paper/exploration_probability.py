"""How often the algorithms play at random: their schedules, by arithmetic alone."""
from inkling import _core

from lab.estimates import total
from lab.figure import series

from paper.epoch import OF_PROOF, PLAIN, constant_of_proof

TITLE = "When to play at random"
PLACE = "Appendix, choice of epsilon_t for both the algorithms"


def studies(run):
    return []


def schedule(policy, rounds, **settings):
    """The program's own probability of a random play in each round."""
    return _core.exploration_probabilities(_core.Preset(policy), _core.PolicyOptions(policy, settings), rounds).tolist()


def show(figure, results, run):
    rounds = range(1, (run.rounds or 4096) + 1)
    constant = constant_of_proof(run.delta)
    schedules = {"Algorithm 2": schedule("ff-oful", len(rounds)), PLAIN: schedule("ff-oful-epoch", len(rounds), epoch_constant=1.0),
                 OF_PROOF: schedule("ff-oful-epoch", len(rounds), epoch_constant=constant)}
    expected = {name: float(total(schedule)) for name, schedule in schedules.items()}
    figure.text(f"""How often do the algorithms play at random, t rounds after the first mark? Up to round {len(rounds):,} Algorithm 2 plays
{expected['Algorithm 2']:.0f} rounds at random on average, the epoch variant {expected[PLAIN]:.0f} with c = 1 and {expected[OF_PROOF]:.0f} with
c = {constant:.3g}, which the proof needs.""")
    lines = [series(name, zip(map(float, rounds), chances)) for name, chances in schedules.items()]
    figure.chart("", "The probability of a random play", lines, "rounds since the first mark", "probability", x_log=True)
    outside = sum(not (0.5 * epoch * epoch <= plain * plain and plain <= epoch)
                  for plain, epoch in zip(schedules["Algorithm 2"], schedules[PLAIN]))
    figure.claim("epsilon-between-epochs", "ours", "In every round 1/√2^(s+1) ≤ 1/√t ≤ 1/√2^s with s = ⌊log₂ t⌋, on which the proof rests.",
                 outside == 0, [("rounds looked at", len(rounds)), ("rounds in which it is not so", outside)])
    figure.fact("random rounds of Algorithm 2", expected["Algorithm 2"])
    figure.fact("random rounds with c = 1", expected[PLAIN])
    figure.fact("random rounds with the c of the proof", expected[OF_PROOF])
    figure.fact("c of the proof", constant)
    figure.settings += [("rounds", f"{len(rounds):,}"), ("δ₁", f"{run.delta:g}")]
