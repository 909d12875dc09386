"""A named quantity: symbol, unit, one sentence, bounds. The name is ``component.quantity``."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

from axletree.expr.expression import Expr, symbol


class Role(enum.Enum):
    """What a quantity is in a system."""

    TIME = "time"
    COORDINATE = "coordinate"
    SPEED = "speed"
    STATE = "state"  # internal to a component: an inductor's current, a lagged slip
    INPUT = "input"
    PARAMETER = "parameter"
    REACTION = "reaction"  # a multiplier of a constraint: a force or a moment
    OUTPUT = "output"


@dataclass(frozen=True)
class Quantity:
    """One number of a model, as people and code know it.

    Example:
    >>> import axletree as at
    >>> mass = at.read_model("pendulum").parameters[1]
    >>> f"{mass.name} = {mass.default} {mass.unit}", mass.lower
    ('rod.mass = 1.0 kg', 0.0)
    """

    name: str  # "component.quantity"
    unit: str  # SI, "1" for none
    description: str  # one sentence, with the frame for a vector's component
    role: Role
    default: float = 0.0  # parameters: the model's value; states and inputs: the start
    lower: float = -math.inf  # in the unit
    upper: float = math.inf  # in the unit
    above: bool = False  # whether the lower bound itself is excluded
    derivative_of: str = ""  # inputs: the name of the one whose rate this one is

    @property
    def symbol(self) -> Expr:
        """What stands for it in expressions: a symbol of its name."""
        return symbol(self.name)
