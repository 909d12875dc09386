"""Mixed linear complementarity problems: set-valued forces, such as contact and dry friction."""

from axletree.simulation.mlcp.compiled import mlcp_text
from axletree.simulation.mlcp.method import Pivoting, Projected
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
    "Projected",
    "mlcp_text",
]
