"""A linear system as an object of python-control."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from axletree.analysis.tangent import LinearisationError


def control_object(
    A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray, names: Sequence[Sequence[str]]
) -> Any:
    """A ``control.StateSpace`` with the names of states, inputs and outputs, in this order.

    Dots of names are underscores there, which python-control asks for.
    """
    try:
        import control
    except ImportError:
        raise LinearisationError(
            "python-control is not installed; pip install axletree[control], or use the matrices "
            "A, B, C and D of the linearisation"
        ) from None
    states, inputs, outputs = ([name.replace(".", "_") for name in kind] for kind in names)
    return control.StateSpace(
        A, B, C, D, states=states, inputs=inputs, outputs=outputs, remove_useless_states=False
    )
