"""The paper's oracle: for each topic the words by which a sparse classifier recognises it."""
import math
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression

STEPS_TO_HALF = 32
LAST_STEP = 12 * STEPS_TO_HALF


class Path:
    """Supports of an L1 logistic regression of one label against the rest, at penalties that fall in steps of 2^(1/32).

    It minimises penalty * (|w|_1 + |c|) + the sum of ln(1 + exp(-y (x.w + c))) by LIBLINEAR. The constant is penalised like a weight:
    without one, words of nearly every row would act as one, because most rows have the other label."""

    def __init__(self, rows, is_wanted):
        self.rows = rows.astype(np.float64)
        self.signs = np.where(is_wanted, 1.0, -1.0)
        slopes = self.rows.T @ (0.5 * self.signs)
        self.largest_penalty = max(abs(0.5 * self.signs.sum()), np.abs(slopes).max())
        pulls = [self.rows.T @ (self.signs == sign) for sign in (1.0, -1.0)]
        self.most_pull = np.maximum(*pulls)  # if it does not exceed the penalty, the weight is 0
        self.fits = {}

    def at(self, step):
        """(features, their weights, penalty, share of the rows on their side)"""
        if step not in self.fits:
            penalty = self.largest_penalty * math.exp(-math.log(2.0) / STEPS_TO_HALF * step)
            features = np.flatnonzero(self.most_pull >= penalty * (1 - 1e-9))
            fitted = LogisticRegression(solver="liblinear", C=1.0 / penalty, tol=1e-6, intercept_scaling=1.0, random_state=1, max_iter=1000, **L1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fitted.fit(self.rows[:, features], self.signs)
            weights = fitted.coef_[0]
            share = np.mean((fitted.decision_function(self.rows[:, features]) > 0) == (self.signs > 0))
            self.fits[step] = (features[weights != 0], weights[weights != 0], penalty, share)
        return self.fits[step]

    def support_near(self, wanted, least=30, most=100):
        """Bisection finds the two fits around `wanted` features; the nearer one of a size within the range, or an error."""
        too_few, enough = 0, LAST_STEP
        while enough - too_few > 1:
            middle = (too_few + enough) // 2
            if len(self.at(middle)[0]) < wanted:
                too_few = middle
            else:
                enough = middle
        fits = [fit for fit in map(self.at, (too_few, enough)) if least <= len(fit[0]) <= most]
        if not fits:
            raise ValueError(f"expected a label that {least} to {most} words tell from the rest, found none near {wanted}")
        return min(fits, key=lambda fit: abs(len(fit[0]) - wanted))


L1 = {"l1_ratio": 1.0} if "l1_ratio" in LogisticRegression().get_params() and LogisticRegression().get_params().get("penalty") != "l2" \
    else {"penalty": "l1"}


def facts_of(name, fit):
    features, weights, penalty, share = fit
    return (f"{name} {len(features)} features at penalty {penalty:.4g} ({(weights > 0).sum()} speak for it; {100 * share:.1f} % of the "
            "documents on their side)")


def union(fits):
    return np.unique(np.concatenate([fit[0] for fit in fits]))


def topic_oracle(rows, labels, names, all_topics=153, least=30, most=100):
    """A fit for each topic, with supports of one size or, for some, the next smaller one, so that their union comes nearest to the
    wanted size (the paper's numbers); and a sentence."""
    paths = [Path(rows, labels == topic) for topic in range(len(names))]
    low, high = least, most
    size = min(max(all_topics // len(names), low), high)
    while low < high:  # the smallest size with which the union is as large as wanted
        size = min(max(size, low), high - 1)
        found = len(union([path.support_near(size) for path in paths]))
        steps = max(1, abs(found - all_topics) // len(names))
        if found < all_topics:
            low, size = size + 1, size + steps
        else:
            high, size = size, size - min(size, steps)
    fits = [path.support_near(low) for path in paths]
    smaller = [path.support_near(low - 1) for path in paths] if low > least else fits
    for topic in range(len(names)):
        other = [*fits[:topic], smaller[topic], *fits[topic + 1:]]
        if abs(len(union(other)) - all_topics) < abs(len(union(fits)) - all_topics):
            fits = other
    facts = "; ".join(facts_of(name, fit) for name, fit in zip(names, fits))
    return fits, ("An L1 logistic regression of each topic against the others, with penalties at which the topics keep about equally many "
                  f"features: {facts}. Together {len(union(fits))} features.")
