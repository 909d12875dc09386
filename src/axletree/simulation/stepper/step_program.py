"""What a stepper is made of, whatever runs it: a program, a method, starts, shapes of inputs."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from axletree.code.lowering import Extra, lower
from axletree.code.printers.steps import weighted_sum
from axletree.code.program import Program
from axletree.code.step_rules import Move, Rates, StatePart
from axletree.components.contract import Component
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.registry import refuse_unknown
from axletree.expr import OperationCount
from axletree.expr.quantity import Quantity
from axletree.simulation.checks import EulerAngles, euler_angles_of
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import state_problem
from axletree.simulation.simulate import check_form, load_integrator
from axletree.simulation.stepper.shaping import (
    COURSE_OPERATIONS,
    InputShape,
    ShapedInput,
    shaped_inputs,
)
from axletree.system.sampled_laws import Rule, SampledLaw
from axletree.system.system import System

OWN_START: Final = "own"  # the name of a model's own initial condition
SOLVED_METHOD: Final = "complementarity-sweeps"  # of steps that are solved for forces


@dataclass(frozen=True)
class StartPoint:
    """States and inputs that a stepper is reset to; all values in SI units."""

    name: str
    description: str
    states: FloatArray
    inputs: FloatArray  # without the forces that steps are solved for


class SolvedMotion(Protocol):
    """A motion at an instant, by name, in SI units, such as a ``Trim``."""

    @property
    def states(self) -> Mapping[str, float]: ...

    @property
    def inputs(self) -> Mapping[str, float]: ...

    @property
    def parameters(self) -> Mapping[str, float]: ...


def motion_start(system: System, found: SolvedMotion, name: str, description: str) -> StartPoint:
    """The values of a motion in the order of a system's arrays; rates of inputs are 0."""
    missing = [q.name for q in system.states if q.name not in found.states]
    if missing:
        raise SimulationError(
            f"the steady motion is not one of {system.name!r}: it has no {', '.join(missing[:3])}"
        )
    states = np.array([found.states[q.name] for q in system.states], dtype=float)
    known = found.inputs
    inputs = [0.0 if q.derivative_of else known.get(q.name, q.default) for q in system.inputs]
    return StartPoint(name, description, states, np.array(inputs, dtype=float))


@dataclass(frozen=True)
class StepProgram:
    """All that the steps of a model need; the first start is the model's own.

    With ``fixed_cost`` compiled steps take the same instructions whatever the numbers are, in a
    tenth more time.
    """

    system: System
    program: Program
    method: FixedStep
    starts: tuple[StartPoint, ...]
    shaped: tuple[ShapedInput, ...]
    fixed_cost: bool = True

    @property
    def forces(self) -> int:
        """How many of the program's inputs, at their end, are forces that steps are solved for."""
        return len(self.system.unknown_forces)

    @property
    def input_bounds(self) -> tuple[tuple[float, float], ...]:
        """Of each input that can be set, for generated code: no infinite number keeps to them."""
        largest = sys.float_info.max
        inputs = [self.program.inputs[one.places[0]] for one in self.shaped]
        return tuple((max(q.lower, -largest), min(q.upper, largest)) for q in inputs)

    @cached_property
    def turns(self) -> tuple[EulerAngles, ...]:
        return tuple(euler_angles_of(self.system))

    @property
    def laws(self) -> tuple[SampledLaw, ...]:
        """Of controllers that act in the steps."""
        return self.system.sampled

    @cached_property
    def commanded(self) -> dict[str, Rule]:
        """Inputs that these laws wish something for, and how their wishes come together."""
        return {one.name: one.rule for law in self.laws for one in law.commands}

    @property
    def memory(self) -> tuple[Quantity, ...]:
        """What these laws keep, in the order of the stepper."""
        return tuple(q for law in self.laws for q in law.memory)

    @property
    def has_fixed_cost(self) -> bool:
        """Whether every step takes the same operations, whatever the motion is."""
        return bool(self.method.lines) or self.method.fixed_cost

    def operations(self, parts: int = 1) -> OperationCount | None:
        """Of one step of so many parts; None where what it takes depends on the motion.

        Sums of slopes, the courses of inputs and the projection are included, and all controllers
        at their instants; times, and the look at each state whether it is finite, are not.
        """
        program, shaped = self.program, len(self.shaped)
        if self.method.lines:
            part, inputs = self._of_lines()
        elif self.method.counted is not None:
            cost = self.method.counted(program)
            part, inputs = cost.operations, cost.inputs
        else:
            return None
        if program.project is not None:
            part += program.project.operations
            inputs += 1
        if program.laws:
            part += sum((law.operations for law in program.laws), OperationCount())
            inputs += 1
            part += len(self.commanded) * COURSE_OPERATIONS
        part += inputs * shaped * COURSE_OPERATIONS
        return parts * part + shaped * COURSE_OPERATIONS  # inputs at the end

    def _of_lines(self) -> tuple[OperationCount, int]:
        """The operations of the lines of a step, and how often they take the inputs."""
        program = self.program
        routines = {
            StatePart.ALL: program.rhs,
            StatePart.SPEEDS: program.speed_rates,
            StatePart.OTHERS: program.other_rates,
        }
        states, others = len(program.states), program.other_rates.size if program.other_rates else 0
        sizes = {
            StatePart.ALL: states, StatePart.SPEEDS: states - others, StatePart.OTHERS: others
        }  # fmt: skip
        part, inputs = OperationCount(), 0
        for line in self.method.lines:
            if isinstance(line, Rates):
                routine = routines[line.part]
                assert routine is not None, f"{self.method.name} is lowered with {line.part}"
                part += routine.operations
                inputs += line.part is not StatePart.OTHERS
            else:
                part += _of_move(line, sizes[line.part])
        return part, inputs


def _of_move(line: Move, states: int) -> OperationCount:
    """x + h / n (w1 k1 + w2 (k2 + k3) + ...) as it is printed; h / n is computed once."""
    factor, text = weighted_sum(line.slopes, str, line.whole)
    multiplications = states * (1 + text.count("*"))
    return OperationCount(states * len(line.slopes), multiplications, factor.count("/"))


def step_program(
    system: System,
    method: str | FixedStep | None = None,
    *,
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
    by_parameters: Collection[str] | None = (),
    differentiated: Sequence[str] | None = None,
    shapes: Mapping[str, InputShape] | None = None,
    starts: Sequence[StartPoint] = (),
    fixed_cost: bool = True,
) -> StepProgram:
    """The program of a system with steps of a method; ``starts`` follow the model's own.

    Without a method steps are those of ``usual_method``. ``outputs``, ``extras``,
    ``by_parameters`` and ``differentiated`` choose what the program computes, as for ``lower``.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.stepper.step_program import step_program
    >>> prepared = step_program(at.read_model("pendulum").formulate(), "semi-implicit-euler")
    >>> print(prepared.operations())
    2 additions, 3 multiplications, 0 divisions, 1 functions
    """
    chosen = load_integrator(method or usual_method(system))
    if not isinstance(chosen, FixedStep):
        raise SimulationError(
            f"a stepper takes steps of one length, and {chosen.name!r} chooses its own; take a "
            "method such as 'rk4' or 'semi-implicit-euler' (see `axletree list integrators`)"
        )
    check_form(system, chosen)
    if chosen.for_rows is not None and system.rows is not None:
        chosen = chosen.for_rows(system.rows)
    program = lower(
        system, outputs, {*chosen.extras, *extras}, by_parameters=by_parameters,
        differentiated=differentiated,
    )  # fmt: skip
    settable = [q.name for q in system.inputs if not q.derivative_of]
    refuse_unknown("input", shapes or {}, settable, f"the stepper of {system.name!r}")
    return StepProgram(
        system=system,
        program=program,
        method=chosen,
        starts=(own_start(system), *starts),
        shaped=shaped_inputs(system.inputs, dict(shapes or {})),
        fixed_cost=fixed_cost,
    )


def usual_method(system: System) -> str:
    """Of steps that cost the same whatever the motion is: where forces are unknowns of each step
    complementarity-sweeps, where there are bushings row4, else rk4.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.stepper.step_program import usual_method
    >>> usual_method(at.read_model("pendulum").formulate())
    'rk4'
    """
    components = () if system.source is None else system.source.components
    return SOLVED_METHOD if system.rows is not None else explicit_or_implicit(components)


def explicit_or_implicit(components: Iterable[Component]) -> str:
    """The method for models without unknown forces: explicit steps of 1 ms do not bear bushings.

    Example:
    >>> from axletree.simulation.stepper.step_program import explicit_or_implicit
    >>> explicit_or_implicit([])
    'rk4'
    """
    return "row4" if any(one.is_stiff for one in components) else "rk4"


def own_start(system: System) -> StartPoint:
    """The model's own first states, assembled, and inputs."""
    problem = state_problem(system)
    inputs = np.array([q.default for q in system.inputs], dtype=float)
    return StartPoint(OWN_START, "the model's own initial condition", problem.states, inputs)
