"""Linearly implicit steps: stiff springs and bushings at a fixed cost, without iterations.

ROS2 of Verwer, Spee, Blom and Hundsdorfer 1999, and two methods of our own, ROW3 and ROW4
(docs/theory/integrators.md). ``code.implicit_stages`` says what their stages compute: a matrix is
factorised once a step, in an order chosen beforehand. A method is an ``ImplicitTableau``, from
which its step in C and in Python is written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from axletree.code.lowering import Extra
from axletree.code.printers.c import c_number, wrapped_lines
from axletree.code.program import Program
from axletree.expr import OperationCount
from axletree.simulation.fixed_step import FixedStep, StepCost
from axletree.simulation.loops import PythonLoop, StepFunction


@dataclass(frozen=True)
class EvaluatedStage:
    """A w at t + ``at`` h: d, and where it is not g k1 - d also r, in h times vectors before it."""

    at: float
    d: tuple[float, ...]
    r: tuple[float, ...] | None = None


@dataclass(frozen=True)
class SolvedStage:
    """An e = T r, with r in vectors before it."""

    r: tuple[float, ...]


@dataclass(frozen=True)
class ImplicitTableau:
    """The coefficients of a step, x + h times a sum of vectors: k1, and one of each stage.

    Example:
    >>> from axletree.simulation.linearly_implicit import ROW4_TABLEAU, EvaluatedStage
    >>> sum(isinstance(stage, EvaluatedStage) for stage in ROW4_TABLEAU.stages)  # beside the first
    3
    """

    gamma: float
    stages: tuple[EvaluatedStage | SolvedStage, ...]
    shares: tuple[float, ...]  # of k1 and of each stage in the mean slope

    @property
    def evaluations(self) -> int:
        """Of the right-hand side, with the first."""
        return 1 + sum(isinstance(stage, EvaluatedStage) for stage in self.stages)


def _sum(shares: Sequence[float], entries: Sequence[str], number: str) -> str:
    """``number`` spells one, such as AXL_N(0.5) in C."""
    terms = [(share, name) for share, name in zip(shares, entries, strict=False) if share]
    text = ""
    for share, name in terms:
        size = name if abs(share) == 1.0 else f"{number.format(abs(share))} * {name}"
        sign = "-" if share < 0.0 else "+"
        text += f" {sign} {size}" if text else size if share > 0.0 else f"-{size}"
    return text


def _c_step(tableau: ImplicitTableau) -> str:
    """``axl_step``; NFIRST and NVECTOR are how many values the first and the other stages give."""
    entries, number = _names(tableau, "{}[i]"), "AXL_N({!r})"
    body: list[str] = []

    def each(size: str, *lines: str) -> None:
        inner = [text for line in lines for text in wrapped_lines(line, " " * 8)]
        body.extend([f"    for (i = 0; i < {size}; ++i) {{", *inner, "    }"])

    for name, stage in zip(_names(tableau)[1:], tableau.stages, strict=True):
        if isinstance(stage, SolvedStage):
            each("NVECTOR", f"r[i] = {_sum(stage.r, entries, number)};")
            body.append(f"    model_solved_stage(t, x, run->u, run->c, given, {name});")
            continue
        r = "g * k1[i] - d[i]" if stage.r is None else f"h * ({_sum(stage.r, entries, number)})"
        each("NVECTOR", f"d[i] = h * ({_sum(stage.d, entries, number)});", f"r[i] = {r};")
        each("NX", "y[i] = x[i] + d[i];")
        body += [
            f"    later = t + {c_number(stage.at)} * h;",
            "    axl_inputs(run, later);",
            f"    model_evaluated_stage(later, y, run->u, run->c, given, {name});",
        ]
    each("NX", f"x[i] += h * ({_sum(tableau.shares, entries, number)});")
    return _C_STEP.format(
        gamma=c_number(tableau.gamma),
        vectors=", ".join(f"{name}[NVECTOR_ARRAY]" for name in _names(tableau)[1:]),
        body="\n".join(body),
    )


_C_STEP: Final = """\
static void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x)
{{
    axl_real given[1 + NFIRST + 2 * NVECTOR], y[NX_ARRAY];
    axl_real {vectors};
    axl_real *k1 = given + 1, *r = k1 + NFIRST, *d = r + NVECTOR, later;
    const axl_real g = {gamma} * h;
    int i;
    given[0] = g;
    axl_inputs(run, t);
    model_first_stage(t, x, run->u, run->c, given, k1);
{body}
}}
"""


def _names(tableau: ImplicitTableau, spelt: str = "{}") -> list[str]:
    """Of k1 and of each stage: w and e, with its number."""
    kinds = ["k", *("e" if isinstance(one, SolvedStage) else "w" for one in tableau.stages)]
    return [spelt.format(f"{kind}{place}") for place, kind in enumerate(kinds, start=1)]


def _step_function(tableau: ImplicitTableau) -> StepFunction:
    """The step of ``_c_step``, operation by operation."""

    def combined(shares: Sequence[float], vectors: Sequence[list[float]]) -> list[float]:
        terms = [(a, v) for a, v in zip(shares, vectors, strict=False) if a]
        found = [terms[0][0] * value for value in terms[0][1]]
        for share, vector in terms[1:]:
            found = [a + share * b for a, b in zip(found, vector, strict=True)]
        return found

    def step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
        g = tableau.gamma * h
        first = loop.call("first_stage", t, x, [g])
        vectors: list[list[float]] = [first]
        for stage in tableau.stages:
            if isinstance(stage, SolvedStage):
                r = combined(stage.r, vectors)
                vectors.append(loop.call("solved_stage", t, x, [g, *first, *r]))
            else:
                d = [h * a for a in combined(stage.d, vectors)]
                if stage.r is None:
                    r = [g * a - b for a, b in zip(first, d, strict=False)]
                else:
                    r = [h * a for a in combined(stage.r, vectors)]
                later = t + stage.at * h
                y = [a + b for a, b in zip(x, d, strict=False)]
                vectors.append(loop.call("evaluated_stage", later, y, [g, *first, *r, *d]))
            vectors[0] = first[: len(vectors[-1])]  # k1, without what is kept
        slopes = combined(tableau.shares, vectors)
        return [a + h * b for a, b in zip(x, slopes, strict=False)]

    return step


def _counted(tableau: ImplicitTableau, program: Program) -> StepCost:
    """All routines, and the sums of vectors as they are written."""
    first, evaluated, solved = program.first_stage, program.evaluated_stage, program.solved_stage
    assert first is not None
    assert evaluated is not None
    assert solved is not None
    n, size = len(program.states), solved.size
    count = first.operations + OperationCount(0, 1)
    for stage in tableau.stages:
        if isinstance(stage, SolvedStage):
            count += solved.operations + size * _operations(stage.r)
        else:
            own = _operations(stage.d) + OperationCount(0, 1)  # by h, as r is, or g k1 - d
            own += OperationCount(1) if stage.r is None else _operations(stage.r)
            own += OperationCount(0, 1)
            count += evaluated.operations + size * own + OperationCount(n + 1, 1)
    count += n * (_operations(tableau.shares) + OperationCount(1, 1))
    return StepCost(count, inputs=tableau.evaluations)


def _operations(shares: Sequence[float]) -> OperationCount:
    """Of a sum of vectors, for each of their entries."""
    given = [share for share in shares if share]
    return OperationCount(len(given) - 1, sum(abs(share) != 1.0 for share in given))


def linearly_implicit(
    name: str, description: str, order: int, tableau: ImplicitTableau
) -> FixedStep:
    """The method of a tableau.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.linearly_implicit import ROS2_TABLEAU, linearly_implicit
    >>> method = linearly_implicit("verwer", "Order 2, L-stable.", 2, ROS2_TABLEAU)
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=1e-3, method=method)
    >>> print(f"{run['pin.angle'][-1]:.4f} rad")
    -0.2346 rad
    """
    return FixedStep(
        name=name,
        description=description,
        order=order,
        c_step=_c_step(tableau),
        python_step=_step_function(tableau),
        extras=(Extra.IMPLICIT_STAGES,),
        fixed_cost=True,
        counted=lambda program: _counted(tableau, program),
    )


def _ros2() -> ImplicitTableau:
    """Of order 2 and L-stable with any A (Verwer, Spee, Blom and Hundsdorfer 1999)."""
    g = 1.0 - math.sqrt(0.5)  # and c21 = -2: w = k2 - k1
    return ImplicitTableau(g, (EvaluatedStage(1.0, (1.0,), (-g,)),), (1.0, 0.5))


def _row3() -> ImplicitTableau:
    """Of order 3 and L-stable; docs/theory/integrators.md derives the coefficients."""
    g, a = 0.225, 2.0 / 3.0  # the least gamma for which it is L-stable is 0.22365
    p1, p2 = 0.5 / g - 1.0, 1.0 - 1.0 / g + 1.0 / (6.0 * g**2)
    p3 = 2.0 - 0.5 / g + p2 - g
    q0, q1, q2, q3 = (g / a * p for p in (1.0 + p1, p1 + p2, p2 + p3, p3))
    stages = (
        EvaluatedStage(a, (a,)),
        SolvedStage((p3, q3)),
        SolvedStage((p2, q2, 1.0)),
        SolvedStage((p1, q1, 0.0, 1.0)),
    )
    return ImplicitTableau(g, stages, (1.0, q0, 0.0, 0.0, 1.0))


ROS2_TABLEAU: Final = _ros2()
ROW3_TABLEAU: Final = _row3()


def _row4() -> ImplicitTableau:
    """Of order 3 with any A, 4 in what A does not have; L-stable. The page derives it."""
    stages = (
        EvaluatedStage(0.5, (0.5,)),
        EvaluatedStage(0.5, (0.5, 0.25)),
        SolvedStage((1.0, 0.0, 0.5)),
        EvaluatedStage(1.0, (1.0, -1.0, 2.0, 1.0)),
        SolvedStage((-1.0 / 3.0, 0.0, -1.0 / 6.0, -7.0 / 12.0, -7.0 / 48.0)),
        SolvedStage((1.0, 0.0, 19.0 / 24.0, 0.0, -11.0 / 48.0, 1.0)),
    )
    return ImplicitTableau(0.25, stages, (1.0, 0.0, 2.0 / 3.0, 0.0, 1.0 / 6.0, 0.0, 1.0))


ROW4_TABLEAU: Final = _row4()

ROS2 = linearly_implicit(
    "ros2",
    "Order 2, linearly implicit and L-stable; for bushings and other stiff springs.",
    2,
    ROS2_TABLEAU,
)
ROW3 = linearly_implicit(
    "row3",
    "As ros2, of order 3 in what is stiff: forces on bushings are more accurate.",
    3,
    ROW3_TABLEAU,
)
ROW4 = linearly_implicit(
    "row4",
    "As row3, of order 4 in what is not stiff: accelerations of light bodies on bushings, too.",
    3,
    ROW4_TABLEAU,
)
