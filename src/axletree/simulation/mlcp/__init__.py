"""Mixed linear complementarity problems: set-valued forces, such as contact and dry friction.

Read ``problem`` first, then ``methods``: pivoting, and a fixed number of sweeps. Both run in C
where there is a compiler (``c_code``, and the C files beside it). ``pivoting``, ``lemke`` and
``gauss_seidel`` are the same in Python.
"""

from __future__ import annotations

from axletree.simulation.mlcp.c_code import mlcp_text
from axletree.simulation.mlcp.methods import Pivoting, ProjectedSweeps
from axletree.simulation.mlcp.pivoting import Limits
from axletree.simulation.mlcp.problem import (
    ComplementarityProblem,
    ComplementaritySolution,
    Outcome,
)

__all__ = [
    "ComplementarityProblem",
    "ComplementaritySolution",
    "Limits",
    "Outcome",
    "Pivoting",
    "ProjectedSweeps",
    "mlcp_text",
]
