"""A tyre law of the user's own in C.

The model declares the function: its name, what it is told of the contact, its parameters.
The C text that defines it is no part of the model and is given when the model is run.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import (
    PARAMETER,
    FieldKind,
    Parameters,
    finite_number,
    flag,
    structure,
)
from axletree.core.errors import ModelError
from axletree.expr import as_expr, call, declared_function
from axletree.wheel.contract import Contact, Forces, TyreLaw

_OUTPUTS = tuple(field.name for field in dataclasses.fields(Forces))
KNOWN_INPUTS = tuple(field.name for field in dataclasses.fields(Contact))
USUAL_INPUTS = (
    "normal_load", "longitudinal_slip", "slip_angle", "inclination", "forward_speed", "spin_rate",
)  # fmt: skip
_C_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,50}")


def _function_name(value: Any) -> str:
    if isinstance(value, str) and _C_NAME.fullmatch(value):
        return value
    raise ModelError(f"expected the name of a C function, got {value!r}")


def _inputs(value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise ModelError(f"expected a list of {', '.join(KNOWN_INPUTS)}; got {value!r}")
    unknown = [str(name) for name in value if name not in KNOWN_INPUTS]
    if unknown:
        raise ModelError(f"{unknown[0]!r} is not one of {', '.join(KNOWN_INPUTS)}")
    return tuple(value)


def _numbers(value: Any) -> Mapping[str, float]:
    if not isinstance(value, Mapping):
        raise ModelError(f"expected a mapping {{name: number, ...}}, got {value!r}")
    wrong = [name for name in value if not (isinstance(name, str) and _C_NAME.fullmatch(name))]
    if wrong:
        raise ModelError(f"{wrong[0]!r} cannot name a parameter; expected letters and digits")
    return {name: finite_number(number, "1") for name, number in value.items()}


@dataclass(frozen=True)
class ExternalLaw(TyreLaw):
    """A law in C: ``void function(const double *input, double *output)``.

    ``input`` holds what ``inputs`` names and then the parameters, ``output`` takes Fx, Fy, Mx,
    My and Mz, all in SI units and ISO W axes. With ``slopes`` there is also a function
    ``<function>_slopes`` whose output is the Jacobian, row by row: 5 rows, a column for each
    input. The function keeps no state and allocates nothing.

    Example:
    >>> import axletree as at
    >>> law = at.ExternalLaw("my_law", ("normal_load", "slip_angle"), {"friction": 0.9})
    >>> law.inputs, law.numbers  # N, rad; 1
    (('normal_load', 'slip_angle'), {'friction': 0.9})
    """

    summary: ClassVar[str] = "a C function of your own, given when the model is run"
    example: ClassVar[Mapping[str, Any]] = {"function": "my_law", "parameters": {"friction": 0.9}}

    function: str = structure("name", "name of the C function", _function_name)
    inputs: tuple[str, ...] = structure(
        "names", "what the function is told of the contact, in order", _inputs, USUAL_INPUTS
    )
    parameters: Mapping[str, float] = structure(
        "numbers", "parameters that it is told after that, by name [SI]", _numbers, dict
    )
    slopes: bool = flag("whether <function>_slopes gives the Jacobian", default=False)

    @property
    def knows_friction(self) -> bool:
        return "friction" in self.inputs

    def named_parameters(self) -> Iterator[tuple[str, FieldKind, float]]:
        for name, number in self.parameters.items():
            text = f"{name} of the C function {self.function}"
            yield name, FieldKind(PARAMETER, text, lambda value: finite_number(value, "1")), number

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        told = (*self.inputs, *self.numbers)
        function = declared_function(self.function, told, _OUTPUTS, slopes=self.slopes)
        known = [getattr(contact, name) for name in self.inputs]
        absent = [name for name, v in zip(self.inputs, known, strict=True) if v is None]
        if absent:
            raise ModelError(
                f"{self.function} asks for {absent[0]}, which the tyre does not have; "
                "give it to the tyre, or leave it out of the law's inputs"
            )
        values = [as_expr(v) for v in (*known, *(p[name] for name in self.numbers))]
        return Forces(*call(function, *values))
