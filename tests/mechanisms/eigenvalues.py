"""Sets of eigenvalues, compared whatever their order."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment


def assert_same(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    """As many of both, each within the tolerance of its partner."""
    assert len(found) == len(wanted)
    apart = np.abs(np.asarray(found)[:, None] - np.asarray(wanted)[None, :])
    rows, columns = linear_sum_assignment(apart)
    assert apart[rows, columns].max(initial=0.0) <= tolerance
