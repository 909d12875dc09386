"""Integrators with steps of one length, each an object of the catalogue.

What a step computes is a tableau or a rule of ``code.step_rules``, from which its text in C and
its function in Python are printed. A method more is a tableau there, an object here and a line
of the catalogue. Steps with set-valued forces are in ``complementarity``, methods with error
control in ``solvers``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from axletree.code.lowering import Extra
from axletree.code.printers.c import c_definitions, c_number, wrapped_lines
from axletree.code.printers.dialect import packaged_text
from axletree.code.printers.steps import (
    c_lines,
    c_step,
    python_function,
    python_lines,
    python_step,
    weighted_sum,
)
from axletree.code.step_rules import (
    CLASSICAL,
    DORMAND_PRINCE,
    FORWARD_EULER,
    SEMI_IMPLICIT,
    Move,
    StepLine,
    Tableau,
    runge_kutta,
    weighted_slopes,
)
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.loops import PythonLoop
from axletree.simulation.problem import Tolerances


def fixed_step(
    name: str,
    description: str,
    order: int,
    lines: Sequence[StepLine],
    extras: tuple[Extra, ...] = (),
) -> FixedStep:
    """The method whose steps consist of these lines.

    Example:
    >>> import axletree as at
    >>> from axletree.code.step_rules import Tableau, runge_kutta
    >>> from axletree.simulation.integrators import fixed_step
    >>> heun = runge_kutta(Tableau.of("0 |", "1 | 1", "| 1/2 1/2"))
    >>> method = fixed_step("heun", "Order 2, two evaluations in a step.", 2, heun)
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=1e-3, method=method)
    >>> print(f"{run['pin.angle'][-1]:.4f} rad")
    -0.2345 rad
    """
    return FixedStep(
        name=name,
        description=description,
        order=order,
        c_step=c_step(lines),
        python_step=python_step(lines),
        extras=extras,
        lines=tuple(lines),
    )


EXPLICIT_EULER = fixed_step(
    "explicit-euler",
    "Order 1, one evaluation in a step; unstable for undamped oscillations.",
    1,
    runge_kutta(FORWARD_EULER),
)

SEMI_IMPLICIT_EULER = fixed_step(
    "semi-implicit-euler",
    "Order 1, one evaluation in a step; keeps the energy of undamped oscillations.",
    1,
    SEMI_IMPLICIT,
    extras=(Extra.SPLIT_RATES,),
)

RK4 = fixed_step(
    "rk4",
    "Order 4, four evaluations in a step; the usual choice.",
    4,
    runge_kutta(CLASSICAL),
)

# A tableau with an error estimate in steps of one length, parts of which are halved until each
# meets the tolerances.
#
# Blows, corners of forces and switches of inputs are stepped over in parts as short as they
# need, down to 2^-10 of a step, while records stay at whole steps. A part that cannot be halved
# any more is taken as it is: a force that jumps has no error estimate that ends.

SMALLEST_PARTS: Final = 1 << 10  # of the shortest parts make a step
HALVINGS: Final = 4  # at most, from one try to the next
SMALL_ERROR: Final = 1.0 / 64.0  # twice this part would still be within: 2^5, and a factor of 2
GAIN: Final = 1.0 / 32.0  # what halving a part makes of its error, where forces are smooth
# Of a part. With these, signals of vehicles by axles are right to 0.2 % of their ranges, with few
# exceptions, and with steps of 5 ms most steps are one part.
_OF_PARTS: Final = Tolerances(relative=1e-4, absolute=1e-6)


def _lines_after_first_slope(tableau: Tableau) -> list[StepLine]:
    """Those of a part of a step, whose states at the end are ``y``.

    The first slope is known from the part before, and the last stage is at the end.
    """
    assert tableau.has_last_stage_at_end, "the slope at the end is that of the next part"
    lines: list[StepLine] = []
    for line in runge_kutta(tableau)[1:-1]:
        if isinstance(line, Move):
            lines.append(replace(line, result="y"))
        else:
            lines.append(replace(line, of="y"))
    return lines


def _subdivided_c(tableau: Tableau) -> str:
    """C99 that defines ``axl_step``."""
    places = {f"k{j + 1}": f"k[{j}]" for j in range(tableau.stages)}
    _, difference = weighted_sum(
        weighted_slopes(tableau.error), lambda name: f"{places[name]}[i]", False, c_number
    )
    sum_lines = wrapped_lines(f"const double sum = {difference};", " " * 8)
    text = packaged_text(__package__, "c/subdivided_step.c")
    text = text.replace("\nSTAGE_LINES", f"\n{c_lines(_lines_after_first_slope(tableau), places)}")
    text = text.replace("\nSUM_LINES", "\n" + "\n".join(sum_lines))
    numbers = {
        "STAGES": tableau.stages,
        "WHOLE": SMALLEST_PARTS,
        "HALVINGS": HALVINGS,
        "SMALL_ERROR": SMALL_ERROR,
        "GAIN": GAIN,
    }
    return c_definitions(numbers) + text


def _part_function(tableau: Tableau) -> Callable[..., tuple[list[float], list[float], float]]:
    """States and their slopes at the end of a part, and the error over what it may be."""
    slopes = [f"k{j + 1}" for j in range(tableau.stages)]
    _, difference = weighted_sum(weighted_slopes(tableau.error), "{}_i".format, whole=False)
    entries = ", ".join(f"{name}_i" for name in ("x", "y", *slopes))
    return python_function(
        "part(loop, t, h, x, k1)",
        [
            *python_lines(_lines_after_first_slope(tableau)),
            "worst, limits = 0.0, loop.tolerances",
            f"for {entries} in zip(x, y, {', '.join(slopes)}):",
            "    largest = max(abs(x_i), abs(y_i))",
            f"    off = h * abs({difference}) / (limits.absolute + limits.relative * largest)",
            "    if not off <= worst:",
            "        worst = off",
            "    if off != off:",
            "        break",
            f"return y, {slopes[-1]}, worst",
        ],
    )


_rk45_part: Final = _part_function(DORMAND_PRINCE)


def _subdivided_rk45_step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    done, size = 0, SMALLEST_PARTS
    slope = loop.call("rhs", t, x)
    while done < SMALLEST_PARTS:
        y, end_slope, worst = _rk45_part(
            loop, t + h * (done / SMALLEST_PARTS), h * (size / SMALLEST_PARTS), x, slope
        )
        if not worst <= 1.0 and size > 1:
            for _ in range(HALVINGS):
                if worst <= 1.0 or size == 1:
                    break
                size //= 2
                worst *= GAIN
            continue
        x, slope, done = y, end_slope, done + size
        if worst <= SMALL_ERROR and done % (2 * size) == 0:
            size *= 2
    return x


SUBDIVIDED_RK45 = FixedStep(
    name="subdivided-rk45",
    description="Order 5, parts of steps halved until they meet the tolerances; blows, switches.",
    order=5,
    c_step=_subdivided_c(DORMAND_PRINCE),
    python_step=_subdivided_rk45_step,
    subdivides=True,
    tolerances=_OF_PARTS,
)
