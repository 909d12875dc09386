"""What a fit is worth: limits, correlations, what data do not tell, residuals that are no noise.

With J the derivatives of predicted values over deviations of their noise, first states eliminated,
no unbiased estimate has a smaller covariance than (J^T J)^-1 (Cramer and Rao; Ljung 1999, section
7.4). It holds for white noise. Where residuals of neighbouring samples are alike, as those of a
model that is too simple, the covariance is taken as

    (J^T J)^-1 (sum over lags of w_l J_k^T r_k r_(k+l) J_(k+l)) (J^T J)^-1

with weights w_l that fall to 0 (Newey and West 1987). Whether residuals are white is tested by the
sum of squares of their autocorrelations (Ljung and Box 1978).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray

_LAGS: Final = 20  # of the test for white residuals
_LEVEL: Final = 0.01  # of the test
_COLOURED_SHARE: Final = 0.1  # of an autocorrelation: less is of no matter, however sure
_UNKNOWN: Final = 0.5  # of a value: with a larger deviation data do not determine it
_TIED: Final = 0.98  # of a correlation: two that move together
_BLIND: Final = 1e-10  # of the largest eigenvalue of the information: nothing is known there
_PART: Final = 0.3  # of a combination of unknowns, from which on one is named in it


@dataclass(frozen=True)
class Whiteness:
    """Of the residuals of a channel of a record."""

    channel: str
    first_autocorrelation: float  # of neighbouring samples [1]
    probability: float  # that white noise has autocorrelations as large [1]

    @property
    def is_white(self) -> bool:
        """Whether nothing speaks against it that matters."""
        return self.probability >= _LEVEL or abs(self.first_autocorrelation) < _COLOURED_SHARE


def whiteness(channel: str, residuals: FloatArray) -> Whiteness:
    """The test of Ljung and Box (1978, equation 1.4) of the residuals of one channel.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.identification.evidence import whiteness
    >>> noise = np.random.default_rng(1).standard_normal(1000)
    >>> whiteness("a", noise).is_white, whiteness("a", np.cumsum(noise)).is_white
    (True, False)
    """
    from scipy.stats import chi2

    r = residuals - residuals.mean()
    count, power = len(r), float(r @ r)
    if power == 0.0 or count <= 2 * _LAGS:
        return Whiteness(channel, 0.0, 1.0)
    rho = np.array([float(r[lag:] @ r[:-lag]) / power for lag in range(1, _LAGS + 1)])
    statistic = count * (count + 2) * float(np.sum(rho**2 / (count - np.arange(1, _LAGS + 1))))
    return Whiteness(channel, float(rho[0]), float(chi2.sf(statistic, _LAGS)))


def cramer_rao(jacobian: FloatArray, sizes: FloatArray) -> FloatArray:
    """The least covariance of the unknowns; infinite along what nothing tells."""
    scaled = jacobian * sizes
    information = scaled.T @ scaled
    values, vectors = np.linalg.eigh(information)
    with np.errstate(divide="ignore"):
        inverse = np.where(values > _BLIND * max(values[-1], 1e-300), 1.0 / values, math.inf)
    if not np.isfinite(inverse).all():
        blind = np.square(vectors[:, ~np.isfinite(inverse)]).sum(axis=1) > 1e-12
        inverse = np.where(np.isfinite(inverse), inverse, 0.0)
        covariance = (vectors * inverse) @ vectors.T
        covariance[np.diag_indices_from(covariance)] = np.where(
            blind, math.inf, np.diag(covariance)
        )
    else:
        covariance = (vectors * inverse) @ vectors.T
    return np.asarray(covariance * np.outer(sizes, sizes))


def coloured_covariance(
    jacobians: Sequence[FloatArray], residuals: Sequence[FloatArray], least: FloatArray
) -> FloatArray:
    """With residuals as alike as they are (Newey and West 1987); by record.

    ``jacobians`` are sample, channel, unknown; ``residuals`` sample, channel.
    """
    width = jacobians[0].shape[2]
    middle = np.zeros((width, width))
    for J, r in zip(jacobians, residuals, strict=True):
        scores = np.einsum("kcq,kc->kq", J, r)
        lags = _lags_that_are_alike(r)
        middle += scores.T @ scores
        for lag in range(1, lags + 1):
            one = scores[lag:].T @ scores[:-lag]
            middle += (1.0 - lag / (lags + 1.0)) * (one + one.T)
    known = np.isfinite(np.diag(least))
    found = np.where(np.outer(known, known), 0.0, least)
    inner = least[np.ix_(known, known)]
    found[np.ix_(known, known)] = inner @ middle[np.ix_(known, known)] @ inner
    return found


def _lags_that_are_alike(residuals: FloatArray) -> int:
    """Twice as many as it takes for the residuals of all channels to lose their likeness."""
    longest = 1
    count = len(residuals)
    for r in residuals.T:
        power = float(r @ r)
        if not power:
            continue
        spectrum = np.abs(np.fft.rfft(r, 2 * count)) ** 2
        rho = np.fft.irfft(spectrum)[: count // 4] / power
        below = np.flatnonzero(rho < _COLOURED_SHARE)
        longest = max(longest, int(below[0]) if len(below) else count // 4)
    return min(2 * longest, count // 2)


def undetermined(
    names: Sequence[str],
    starts: FloatArray,
    values: FloatArray,
    sizes: FloatArray,
    covariance: FloatArray,
    jacobian: FloatArray,
) -> tuple[str, ...]:
    """What the data do not determine, in sentences."""
    said = []
    deviations = np.sqrt(np.diag(covariance))
    scaled = jacobian * sizes
    powers, vectors = np.linalg.eigh(scaled.T @ scaled)
    blind = np.zeros(len(names), dtype=bool)
    for power, direction in zip(powers, vectors.T, strict=True):
        if power > _BLIND * max(powers[-1], 1e-300):
            continue
        parts = [k for k in range(len(names)) if abs(direction[k]) > _PART]
        blind[parts] = True
        if len(parts) == 1:
            said.append(f"the data do not tell {names[parts[0]]} at all")
        else:
            listed = " and ".join(names[k] for k in parts)
            said.append(
                f"the data do not tell {listed} apart: only a combination of them matters; hold "
                "one of them"
            )
    for k, name in enumerate(names):
        scale = max(abs(values[k]), 0.0 if starts[k] else sizes[k])
        if not blind[k] and not np.isfinite(deviations[k]):
            said.append(f"the data do not tell {name} beside these")
            blind[k] = True
        elif not blind[k] and deviations[k] > _UNKNOWN * scale:
            share = 100.0 * deviations[k] / scale
            said.append(f"the data hardly tell {name}: its deviation is {share:.0f} % of its value")
    for j in range(len(names)):
        for k in range(j):
            if blind[j] or blind[k]:
                continue
            tied = covariance[j, k] / (deviations[j] * deviations[k])
            if abs(tied) > _TIED:
                how = "rise together" if tied > 0.0 else "make up for one another"
                said.append(
                    f"{names[k]} and {names[j]} {how} (correlation {tied:.3f}): their deviations "
                    "are large for that, and one of them from elsewhere would sharpen the other"
                )
    return tuple(said)
