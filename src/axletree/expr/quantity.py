"""A named quantity: symbol, unit, one sentence, bounds. The name is ``component.quantity``."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, SupportsIndex, overload

from axletree.core.registry import few_names, unknown_name
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
    is_store: bool = False  # states: whether steady motions leave it as it is, as they do a charge

    @property
    def symbol(self) -> Expr:
        """What stands for it in expressions: a symbol of its name."""
        return symbol(self.name)


_SHOWN = 8  # quantities that are listed by name


class Quantities(tuple[Quantity, ...]):
    """Quantities in their order, which are also found by name.

    Example:
    >>> import axletree as at
    >>> parameters = at.read_model("pendulum").formulate().parameters
    >>> parameters["rod.mass"].default, parameters["rod.mass"].unit
    (1.0, 'kg')
    >>> "rod.mas" in parameters, len(parameters)
    (False, 5)
    """

    def __new__(cls, quantities: Iterable[Quantity] = ()) -> Quantities:
        return super().__new__(cls, quantities)

    @overload
    def __getitem__(self, key: str | SupportsIndex) -> Quantity: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[Quantity, ...]: ...

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        for quantity in self:
            if quantity.name == key:
                return quantity
        raise unknown_name("quantity", key, [one.name for one in self], "these quantities")

    def __repr__(self) -> str:
        """The first names with their units, and how many more there are."""
        listed = [f"{one.name} [{one.unit}]" for one in self]
        return f"{len(self)} quantities: {few_names(listed, _SHOWN)}" if self else "no quantities"

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            return any(one.name == key for one in self)
        return super().__contains__(key)
