"""Numbers of trials: means with standard errors, differences and ratios trial by trial, and numbers as text."""
import math
from typing import NamedTuple

import numpy as np

BAND = 1.96  # half the width of a 95 % band, in standard errors
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Estimate(NamedTuple):
    """A mean over trials with its standard error, which is NaN for a single value and 0 for an exact number."""

    mean: float
    error: float = 0.0

    def __str__(self):
        """As many decimals as show two digits of the standard error; three digits where there is none."""
        if not math.isfinite(self.mean):
            return "-"
        size = self.error if self.error > 0 else abs(self.mean) / 10
        decimals = min(max(1 - math.floor(math.log10(size)), 0), 6) if size > 0 and math.isfinite(size) else 0
        mean = plain(self.mean, decimals)
        return f"{mean} ± {plain(self.error, decimals)}" if self.error > 0 else mean

    def is_below(self, bound):
        return self.mean + BAND * self.error < bound

    def is_above(self, bound):
        return self.mean - BAND * self.error > bound


def all_below(bound, numbers):
    """Whether all are clearly below; None if that is open."""
    numbers = list(numbers)
    if any(number.is_above(bound) for number in numbers):
        return False
    return True if all(number.is_below(bound) for number in numbers) else None


def plain(number, decimals):
    return f"{number:,.0f}" if decimals == 0 and abs(number) >= 10_000 else f"{number:.{decimals}f}"


def total(values):
    """The sum over the first axis, by Neumaier's variant of Kahan's sum, as the engine's CompensatedSum."""
    values = np.asarray(values, dtype=float)
    total_, lost = np.zeros(values.shape[1:]), np.zeros(values.shape[1:])
    for term in values:
        next_ = total_ + term
        lost = lost + np.where(np.abs(total_) >= np.abs(term), (total_ - next_) + term, (term - next_) + total_)
        total_ = next_
    return total_ + lost


def estimate(values):
    """Of numbers by trial; of several points by trial, a list of estimates."""
    values = np.asarray(values, dtype=float)
    count = len(values)
    mean = total(values) / count
    error = np.sqrt(total((values - mean) ** 2) / (count - 1) / count) if count > 1 else np.full_like(mean, math.nan)
    if values.ndim == 1:
        return Estimate(float(mean), float(error))
    return [Estimate(*point) for point in zip(mean.tolist(), error.tolist())]


def difference(one, other):
    return estimate(np.subtract(one, other))


def ratio(one, other):
    """Mean of one over that of the other, with its error by the delta method."""
    below = estimate(other).mean
    share = estimate(one).mean / below
    return Estimate(share, estimate((np.asarray(one, dtype=float) - share * np.asarray(other, dtype=float)) / below).error)


def quantile(values, share):
    """Linear between the ordered values."""
    values = sorted(values)
    place = share * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else 0.5 * (values[middle - 1] + values[middle])


def power_law(x, y):
    """The exponent of the power law through these points; NaN if there are fewer than two with a logarithm."""
    points = [(math.log(a), math.log(b)) for a, b in zip(x, y) if a > 0 and b > 0]
    count = len(points)
    if count < 2:
        return math.nan
    middle_x = middle_y = 0.0
    for a, b in points:
        middle_x, middle_y = middle_x + a / count, middle_y + b / count
    spread = together = 0.0
    for a, b in points:
        spread += (a - middle_x) * (a - middle_x)
        together += (a - middle_x) * (b - middle_y)
    return together / spread if spread > 1e-20 else math.nan


def growth(x, by_trial):
    """The exponent of the power law through the means over trials, its error by leaving out one trial at a time (jackknife)."""
    if not len(by_trial):
        return Estimate(math.nan, math.nan)
    by_trial = np.asarray(by_trial, dtype=float)
    sums = np.add.accumulate(by_trial)[-1]
    without_one = [power_law(x, sums - trial) for trial in by_trial]
    count = len(by_trial)
    error = math.nan if count < 2 else (count - 1.0) * estimate(without_one).error
    return Estimate(power_law(x, sums), error)


def ridge_text(ridge):
    """As the paper writes it: 2⁻⁵, 1; in decimals if it is not a power of two."""
    power = math.log2(ridge)
    if power == round(power) and power not in (0, 1):
        return "2" + str(round(power)).translate(SUPERSCRIPTS)
    return f"{ridge:.4g}"


def number_text(number):
    """The shortest text that is this number; empty if it is not finite."""
    if number is None or not math.isfinite(number):
        return ""
    return repr(float(number)).removesuffix(".0")
