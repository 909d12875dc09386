"""A stepper in C: a structure of the caller that is reset, given values, and moved on by steps.

A person, another program or an action gives values of inputs at instants. An input goes over
into its new value along a polynomial of degree five, so that it, its rate and its acceleration
have no jump (Flash and Hogan 1985), and inputs that are rates of others follow from it. Nothing
is allocated, and several steppers run side by side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from axletree.code.printers.dialect import packaged_text
from axletree.code.printers.steps import c_step
from axletree.code.program import Program
from axletree.code.step_rules import StepLine
from axletree.expr.quantity import Quantity, Role

# A course: coefficients of s = (t - begin) / over from power 0 up, begin and over [s], the end.
_DECLARATIONS: Final = packaged_text(__package__, "stepper.h")
_FUNCTIONS: Final = packaged_text(__package__, "stepper.c")


def input_courses(inputs: Sequence[Quantity]) -> list[tuple[int, int, int]]:
    """The places of every input that is no rate, of its rate and of its acceleration; or -1."""
    rates = {q.derivative_of: (k, q.name) for k, q in enumerate(inputs) if q.derivative_of}
    found = []
    for k, quantity in enumerate(inputs):
        if not quantity.derivative_of:
            rate, name = rates.get(quantity.name, (-1, ""))
            found.append((k, rate, rates.get(name, (-1, ""))[0] if name else -1))
    return found


def stepper_declarations(program: Program, prefix: str = "model") -> list[str]:
    """What the header says of the stepper."""
    courses = len(input_courses(program.inputs))
    sizes = f"enum {{ {prefix.upper()}_COURSES = {courses} }};"
    return ["", sizes, "", _named(_DECLARATIONS.rstrip(), prefix)]


def stepper_text(program: Program, lines: Sequence[StepLine], prefix: str = "model") -> list[str]:
    """The functions of the stepper, which take steps of these lines; they follow the unit."""
    courses = input_courses(program.inputs)
    sizes = {
        "NX": len(program.states),
        "NX_ARRAY": len(program.states) + 1,
        "NP": sum(q.role is Role.SPEED for q in program.states),
        "NS_ARRAY": 1 + (program.speed_rates.size if program.speed_rates is not None else 0),
        "NU_ARRAY": len(program.inputs) + 1,
        "NC": len(courses),
    }
    places = courses or [(-1, -1, -1)]
    step = c_step(lines)
    given = {
        "SIZES": ", ".join(f"{name} = {size}" for name, size in sizes.items()),
        "INPUT_COUNT": str(len(places)),
        "INPUT_PLACES": ", ".join("{" + ", ".join(map(str, row)) + "}" for row in places),
        "STEP_FUNCTION\n": step,
    }
    present = {
        "SLOPE": "axl_slope" in step,
        "SPEED_RATES": "axl_speed" in step,
        "PROJECTED": program.project is not None,
    }
    text = _chosen_parts(_FUNCTIONS, present)
    for word, value in given.items():
        text = text.replace(word, value)
    return [_named(text, prefix)]


def _chosen_parts(text: str, present: Mapping[str, bool]) -> str:
    """The text with those of its parts between #if NAME and #endif that are present."""
    part = re.compile(r"^#if (\w+)\n(.*?)^#endif\n", re.MULTILINE | re.DOTALL)
    return part.sub(lambda found: found[2] if present[found[1]] else "", text)


def _named(text: str, prefix: str) -> str:
    return text.replace("PREFIX", prefix.upper()).replace("model_", f"{prefix}_")
