"""Butterworth filters without phase: forward and backward over a record."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from axletree.analysis.measurements.channel_sources import MeasurementError
from axletree.core.arrays import FloatArray
from axletree.model_files.channel_file import StatedFilter

_MOST_OF_HALF = 0.95  # of half the sampling rate, beyond which a cut-off says nothing
_LEAST_RECORDS = 10
_LEAST_PERIODS = 0.5  # of the cut-off in a record


@dataclass(frozen=True)
class ZeroPhaseButterworth:
    """A Butterworth filter of an order, once forward and once backward in time.

    The cut-off is that of both passes together: there the gain is 1/sqrt(2), and at any frequency

        |H(f)| = 1 / (1 + (sqrt(2) - 1) (w / w_c)^(2 order)),    w = tan(pi f / f_s),

    with the sampling rate f_s (bilinear transform); the phase is zero. Each pass has for that the
    higher cut-off w_c (sqrt(2) - 1)^(-1 / (2 order)). Beyond its ends a record is continued by its
    own half turn about them.

    Example:
    >>> from axletree.analysis.measurements.filters import ZeroPhaseButterworth
    >>> print(f"{ZeroPhaseButterworth(4, cutoff=10.0).gain(10.0, sampling=100.0):.4f}")
    0.7071
    """

    order: int  # of each pass
    cutoff: float  # [Hz]

    @property
    def in_words(self) -> str:
        """Order and cut-off, for a sentence."""
        return (
            f"Butterworth filter of order {self.order}, forward and backward, "
            f"-3 dB at {self.cutoff:g} Hz"
        )

    def gain(self, frequency: float, sampling: float) -> float:
        """[1] at a frequency [Hz], of records at a sampling rate [Hz].

        Example:
        >>> import axletree as at
        >>> print(f"{at.ZeroPhaseButterworth(2, cutoff=5.0).gain(1.0, sampling=1000.0):.4f}")
        0.9993
        """
        ratio = math.tan(math.pi * frequency / sampling) / math.tan(
            math.pi * self.cutoff / sampling
        )
        return 1.0 / (1.0 + (math.sqrt(2.0) - 1.0) * ratio ** (2 * self.order))

    def __call__(self, values: FloatArray, interval: float) -> FloatArray:
        """Values at even intervals [s]."""
        from scipy.signal import butter, sosfiltfilt

        half = 0.5 / interval
        if self.cutoff >= _MOST_OF_HALF * half:
            raise MeasurementError(
                f"a cut-off of {self.cutoff:g} Hz is too high for values every {interval:g} s; "
                f"at most {_MOST_OF_HALF * half:.4g} Hz has an effect: leave the filter out"
            )
        if len(values) < _LEAST_RECORDS:
            raise MeasurementError(
                f"{len(values)} values are too few for a filter; at least {_LEAST_RECORDS} are "
                "needed"
            )
        if self.cutoff * interval * len(values) < _LEAST_PERIODS:
            raise MeasurementError(
                f"a cut-off of {self.cutoff:.3g} Hz is too low for {interval * len(values):.3g} s: "
                "nothing would be left but a straight line"
            )
        wider = (math.sqrt(2.0) - 1.0) ** (-0.5 / self.order)
        warped = wider * math.tan(0.5 * math.pi * self.cutoff / half)
        share = 2.0 / math.pi * math.atan(warped)
        sections = butter(self.order, share, output="sos")
        # The transient of a pass has died away after a few periods of the cut-off.
        padding = min(len(values) - 1, math.ceil(3.0 * self.order / (self.cutoff * interval)))
        filtered = sosfiltfilt(sections, values, padtype="odd", padlen=padding)
        return np.asarray(filtered, dtype=float)


def filter_of(stated: StatedFilter | None) -> ZeroPhaseButterworth | None:
    return None if stated is None else ZeroPhaseButterworth(stated.order, stated.cutoff)
