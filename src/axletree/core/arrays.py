"""Arrays of numbers: their annotation, and products of small ones that are the same everywhere.

BLAS, behind ``@`` and ``np.linalg.norm``, adds in an order that depends on the processor. Where
axes of frames are computed a last bit that differs is another constant in the equations.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def ordered_product(left: FloatArray, right: FloatArray) -> FloatArray:
    """``left @ right`` of a matrix or vector with another, each sum from its first term on.

    Example:
    >>> import numpy as np
    >>> from axletree.core.arrays import ordered_product
    >>> ordered_product(np.array([[0.0, -1.0], [1.0, 0.0]]), np.array([3.0, 4.0])).tolist()
    [-4.0, 3.0]
    """
    found = np.multiply.outer(left[..., 0], right[0])
    for k in range(1, len(right)):
        found = found + np.multiply.outer(left[..., k], right[k])
    return np.asarray(found, dtype=float)


def euclidean_norm(vector: FloatArray) -> float:
    """The Euclidean norm of a vector, likewise.

    Example:
    >>> import numpy as np
    >>> from axletree.core.arrays import euclidean_norm
    >>> euclidean_norm(np.array([3.0, 0.0, 4.0]))
    5.0
    """
    return math.sqrt(sum(x * x for x in vector.tolist()))
