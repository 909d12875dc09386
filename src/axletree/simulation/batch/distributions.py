"""Values that are drawn: distributions by their quantiles, and plans that spread shares evenly.

A distribution gives the value below which a share of all values lies; a plan gives shares, a column
for each quantity. So every distribution goes with every plan.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.units import to_si
from axletree.simulation.problem import SettingsError

Bound = float | str  # a number is in SI units, a text may carry a unit


class DrawnValue(ABC):
    """What a quantity is drawn from.

    Example:
    >>> import axletree as at
    >>> isinstance(at.Normal("1500 kg", "50 kg"), at.DrawnValue)
    True
    """

    @abstractmethod
    def quantile(self, share: FloatArray, unit: str) -> FloatArray:
        """The values [unit] below which these shares, of 1, of all values lie.

        Example:
        >>> import axletree as at
        >>> at.Uniform("1 t", "2 t").quantile(0.25, "kg").tolist()
        1250.0
        """


@dataclass(frozen=True)
class Uniform(DrawnValue):
    """Every value between two bounds is as likely as any other.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> at.Uniform("10 deg", "20 deg").quantile(np.array([0.0, 0.5]), "rad").round(4).tolist()
    [0.1745, 0.2618]
    """

    lower: Bound
    upper: Bound

    def quantile(self, share: FloatArray, unit: str) -> FloatArray:
        lower, upper = to_si(self.lower, unit), to_si(self.upper, unit)
        if not lower <= upper:
            raise SimulationError(f"{self}: the lower bound is above the upper one")
        return lower + (upper - lower) * np.asarray(share)


@dataclass(frozen=True)
class Normal(DrawnValue):
    """A normal distribution by its mean and its standard deviation.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> at.Normal("1500 kg", "50 kg").quantile(np.array([0.5, 0.9772]), "kg").round(0).tolist()
    [1500.0, 1600.0]
    """

    mean: Bound
    deviation: Bound

    def quantile(self, share: FloatArray, unit: str) -> FloatArray:
        from scipy.special import ndtri

        deviation = to_si(self.deviation, unit)
        if not deviation >= 0.0:
            raise SimulationError(f"{self}: the standard deviation is negative")
        found: FloatArray = to_si(self.mean, unit) + deviation * ndtri(np.asarray(share))
        return found


@dataclass(frozen=True)
class Triangular(DrawnValue):
    """Likeliest at a peak, and less so along straight lines down to two bounds.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> at.Triangular(0.0, 1.0, 2.0).quantile(np.array([0.0, 0.5, 1.0]), "1").tolist()
    [0.0, 1.0, 2.0]
    """

    lower: Bound
    peak: Bound
    upper: Bound

    def quantile(self, share: FloatArray, unit: str) -> FloatArray:
        a, c, b = (to_si(value, unit) for value in (self.lower, self.peak, self.upper))
        if not (a <= c <= b and a < b):
            raise SimulationError(f"{self}: expected lower, peak and upper in rising order")
        q = np.asarray(share)
        rising = a + np.sqrt(q * (b - a) * (c - a))
        falling = b - np.sqrt((1.0 - q) * (b - a) * (b - c))
        return np.where(q * (b - a) < c - a, rising, falling)


class Sampling(enum.Enum):
    """How shares are spread over the members."""

    RANDOM = "random"  # each by itself
    LATIN_HYPERCUBE = "latin-hypercube"  # one of each of as many stretches (McKay et al. 1979)
    SOBOL = "sobol"  # a scrambled sequence of Sobol (1967; Owen 1998)


def drawn(
    distributions: Mapping[str, tuple[DrawnValue, str]],
    count: int,
    sampling: Sampling = Sampling.RANDOM,
    seed: int | None = None,
) -> dict[str, FloatArray]:
    """So many values of each quantity, by name, of its distribution and in its unit.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.batch.distributions import Sampling, drawn
    >>> masses = {"body.mass": (at.Uniform("1 t", "2 t"), "kg")}
    >>> drawn(masses, 4, Sampling.LATIN_HYPERCUBE, seed=1)["body.mass"].round(0).tolist()
    [1075.0, 1456.0, 1839.0, 1670.0]
    """
    if seed is not None and seed < 0:
        raise SettingsError(f"seed is {seed}; expected a whole number from 0 on, or None")
    if not distributions:
        return {}
    shares, found = _shares(len(distributions), count, sampling, seed), {}
    problems = []
    for (name, (one, unit)), share in zip(distributions.items(), shares.T, strict=True):
        try:
            found[name] = one.quantile(share, unit)
        except AxletreeError as error:
            problems.append(f"{name}: {error}")
    if problems:
        raise SettingsError(*problems)
    return found


def _shares(width: int, count: int, sampling: Sampling, seed: int | None) -> FloatArray:
    """Shares of 1, none of which is 0 or 1: there a normal distribution has no value."""
    from scipy.stats import qmc

    if sampling is Sampling.RANDOM:
        shares = np.random.default_rng(seed).random((count, width))
    elif sampling is Sampling.LATIN_HYPERCUBE:
        shares = qmc.LatinHypercube(width, rng=np.random.default_rng(seed)).random(count)
    else:
        power = int(np.ceil(np.log2(max(count, 1))))
        shares = qmc.Sobol(width, rng=np.random.default_rng(seed)).random_base2(power)[:count]
    small = np.finfo(float).tiny
    return np.clip(shares, small, np.nextafter(1.0, 0.0))
