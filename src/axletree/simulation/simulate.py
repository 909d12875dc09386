"""``simulate``: a system, a span of time, a method; out comes a trajectory."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from axletree.core.arguments import check_arguments
from axletree.core.errors import SimulationError
from axletree.core.problems import shown
from axletree.core.registry import few_names, load, section
from axletree.simulation.checks import (
    check_start_orientation,
    check_start_range,
    constraint_drift,
    left_behind,
    lost_digits,
    passed_dead_centre,
    range_excess,
    small_variable_excess,
)
from axletree.simulation.control.controllers import ControlLoop, controlled_names, controllers_of
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import (
    USUAL_TOLERANCES,
    Problem,
    Tolerances,
    state_problem,
)
from axletree.simulation.recording import Recording, StepError
from axletree.simulation.signals import InputSignal
from axletree.simulation.step_watch import watched_steps
from axletree.simulation.trajectory import Trajectory
from axletree.simulation.variable_step import VariableStep
from axletree.system.forms.automatic import Automatic
from axletree.system.forms.contract import Form
from axletree.system.forms.projected import Projected
from axletree.system.forms.set_valued import SetValuedForm
from axletree.system.reactions import undetermined_reactions
from axletree.system.system import System


class Integrator(Protocol):
    """A method of integration: a name, a sentence, and a way to run a problem."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    def integrate(self, problem: Problem) -> Recording: ...


class StoppedRunError(SimulationError):
    """A run that failed on its way; ``trajectory`` holds what was recorded until then."""

    def __init__(self, message: str, trajectory: Trajectory) -> None:
        super().__init__(message)
        self.trajectory = trajectory


class FailedControllerError(StoppedRunError):
    """A run that a controller stopped, whose failure says nothing about the vehicle."""


def simulate(
    system: System,
    duration: float | str,
    *,
    step: float | str | None = None,
    method: str | Integrator = "rk4",
    initial: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, InputSignal] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    outputs: Sequence[str] | None = None,
    record_interval: float | str | None = None,
    start: float | str = 0.0,
    relative_tolerance: float | None = None,
    absolute_tolerance: float | None = None,
    watch: bool = True,
    further_runs: bool = True,
    controllers: Sequence[ControlLoop] = (),
) -> Trajectory:
    """Integrate a system over ``duration`` from ``start``; texts may carry units.

    Parameters
    ----------
    duration, start: s.
    step: s; fixed-step methods need it and take all steps of this length, of which the
        duration is a whole number. For a variable-step method it is the longest step.
    method: a name of the catalogue (``axletree list``), or an integrator of your own. One that
        solves for set-valued forces steps a system that is formulated in the set-valued form,
        and the others step all other forms.
    initial: values of states by name; the others start at their defaults.
    inputs: by name a number, a text such as ``"0.1*sin(2*t)"``, an expression of
        ``system.time.symbol`` and parameters, a pair (times, values) of arrays joined by
        straight lines and held at the ends, or a ``Table``.
    parameters: values by name; the others have their defaults.
    outputs: names of outputs, intermediate variables or inputs to record beside the
        states, which may be named among them; all outputs by default.
    record_interval: s between records; by default the step of a fixed-step method, and
        1/500 of the duration for a variable-step one. The last instant is always recorded.
    relative_tolerance, absolute_tolerance: of methods with error control, per step and state; by
        default 1e-6 and 1e-9, and 1e-4 and 1e-6 with ``subdivided-rk45``.
    watch: whether a step of one length is looked at for being too large; ``step_error`` of a run
        without it says that the step was not judged.
    further_runs: whether runs with other steps decide where samples of steps are in doubt, which
        takes half the time of the run or more; otherwise the doubt itself is told, as it is with
        controllers, to which no second run is the same.
    controllers: what reads values of the run and sets inputs, each at its own rate; for methods
        with steps of one length. What they read and set is recorded, too.

    An interrupt from the keyboard ends the run early: the trajectory then holds what was
    recorded, with ``complete`` False. A value that is not finite raises ``StoppedRunError``,
    which carries the trajectory up to there. Constraints that a run violates are named in a
    warning, and in ``note``; so are loops that come next to a dead centre, variables that do not
    stay as small as they were declared, belts that start at rest under a rolling wheel, components
    that leave the range of their laws, steps that were not solved well for set-valued forces,
    forces at rest that press against one another, states that a step of one length is too large
    for, with a step that holds, and reactions that ``outputs`` asks for and the motion does not
    determine; of others that are recorded ``caveat`` tells. Forces that press so by their laws, for
    they hold a motion by a short lever, are in ``note`` alone.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> run = system.simulate("2 s", step="1 ms", initial={"pin.angle": 0.3})
    >>> energy = run["energy.total"]
    >>> len(run), bool(energy.max() - energy.min() < 1e-9)  # J
    (2001, True)
    """
    check_arguments(simulate, locals())
    integrator = load_integrator(method)
    refuse_laws(system)
    check_form(system, integrator)
    if controllers and not isinstance(integrator, FixedStep):
        raise SimulationError(
            f"controllers have instants of their own, and {integrator.name!r} chooses its steps; "
            "take a method with steps of one length, such as 'rk4' or 'subdivided-rk45'"
        )
    further = controlled_names(system, controllers)
    if controllers and outputs is not None:
        outputs = list(dict.fromkeys([*outputs, *further]))
    problem = state_problem(
        system,
        initial=initial,
        inputs=inputs,
        parameters=parameters,
        outputs=outputs,
        start=start,
        duration=duration,
        step=step,
        record_interval=record_interval,
        tolerances=_tolerances(integrator, relative_tolerance, absolute_tolerance),
    )
    if controllers:
        problem = replace(problem, controllers=controllers_of(problem, controllers))
    check_start_orientation(system, problem.states)
    check_start_range(problem)
    recording = integrator.integrate(problem)
    solved = "" if recording.residual is None else recording.residual.remark
    beyond = range_excess(problem, recording)
    stuck = passed_dead_centre(problem, recording)
    error = _step_error(integrator, problem, recording, watch=watch, further_runs=further_runs)
    unshared, jammed = _forces_at_rest(problem, recording, integrator.name)
    remarks = (
        constraint_drift(problem, recording),
        stuck,
        "" if stuck else lost_digits(problem, recording),
        small_variable_excess(problem, recording),
        left_behind(problem),
        beyond,
        solved,
        unshared,
        "" if error is None else error.remark,
    )
    remark = "; ".join(text for text in remarks if text)
    recorded = (quantity.name for quantity in recording.output_quantities)
    caveat = undetermined_reactions(system, recorded)
    asked_for = caveat if outputs is not None else ""
    note = "; ".join(text for text in (remark, asked_for, jammed) if text)
    trajectory = replace(
        _trajectory(problem, recording, integrator.name, note), step_error=error, caveat=caveat
    )
    if recording.failure is not None:
        # What left the range of its law or its reach is the cause, and a smaller step no cure.
        failed = recording.failure.message if beyond or stuck else str(recording.failure)
        reasons = "; ".join(text for text in (failed, remark) if text)
        kind = FailedControllerError if recording.failure.of_controller else StoppedRunError
        raise kind(f"{system.name}: {reasons}", trajectory)
    if warned := "; ".join(text for text in (remark, asked_for) if text):
        warnings.warn(f"{system.name}: {warned}", stacklevel=2)
    return trajectory


def _step_error(
    integrator: Integrator,
    problem: Problem,
    recording: Recording,
    *,
    watch: bool,
    further_runs: bool,
) -> StepError | None:
    """None of runs that did not end, and of methods with error control."""
    if isinstance(integrator, FixedStep) and watch:
        return watched_steps(integrator, problem, recording, further_runs=further_runs)
    if isinstance(integrator, VariableStep):
        return None
    known = isinstance(integrator, FixedStep)
    reason = "the watch was left out" if known else f"{integrator.name!r} is no method of Axletree"
    return StepError(math.nan, "", undecided=reason)


def _forces_at_rest(problem: Problem, recording: Recording, method: str) -> tuple[str, str]:
    """Of forces that press against one another: what is warned of, and what is only noted.

    Forces that hold a motion by a short lever are those of their laws.
    """
    if problem.system.rows is None:
        return "", ""
    from axletree.simulation.self_stress import jammed_forces, unshared_forces

    unshared = unshared_forces(problem, recording, method)
    return unshared, "" if unshared else jammed_forces(problem, recording)


def load_integrator(method: str | Integrator) -> Integrator:
    """The method of this name, or the one that is given."""
    if not isinstance(method, str):
        if not hasattr(method, "integrate"):
            raise SimulationError(
                f"method is {shown(method)}; expected the name of one, such as 'rk4', or one"
            )
        return method
    found: Integrator = load("method", method, section("INTEGRATORS"))
    return found


def _tolerances(
    integrator: Integrator, relative: float | None, absolute: float | None
) -> Tolerances:
    """What is given, and for the rest what the method has by default."""
    own = integrator.tolerances if isinstance(integrator, FixedStep) else USUAL_TOLERANCES
    return Tolerances(
        own.relative if relative is None else relative,
        own.absolute if absolute is None else absolute,
    )


def form_for(method: str | Integrator, form: Form | None = None) -> Form:
    """The form in which a model is formulated that a method is to step.

    For a method that solves for set-valued forces this is the set-valued form, with constraints
    in the ``form`` that is given, by default projected; for all others it is that form, by
    default what the model proposes or what is cheapest.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.simulate import form_for
    >>> form_for("complementarity", at.Baumgarte(alpha=10.0, beta=10.0))  # 1/s
    SetValuedForm(constraints=Baumgarte(alpha=10.0, beta=10.0))
    >>> form_for("rk4")
    Automatic()
    """
    if _solves_for_forces(load_integrator(method)) and not (form and form.set_valued):
        return SetValuedForm(form or Projected())
    return form or Automatic()


def _solves_for_forces(integrator: Integrator) -> bool:
    return isinstance(integrator, FixedStep) and integrator.for_rows is not None


def refuse_laws(system: System) -> None:
    """An error for a system with controllers in its steps, which steppers alone evaluate.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.simulate import refuse_laws
    >>> refuse_laws(at.read_model("pendulum").formulate())
    """
    if system.sampled:
        names = ", ".join(law.name for law in system.sampled)
        raise SimulationError(
            f"{system.name} has controllers in its steps ({names}), which act in steppers and in "
            "what is exported; of a run they are arguments: give controllers=[...] to drive or "
            "simulate, and the system without them"
        )


def check_form(system: System, method: str | Integrator) -> None:
    """An error unless the method steps the form of the system, which says what to do."""
    integrator = load_integrator(method)
    solves = _solves_for_forces(integrator)
    if solves and system.smooth_forces:
        raise SimulationError(
            f"{integrator.name!r} solves for set-valued forces, and those of {system.name} are "
            f"smooth functions of its state ({few_names(system.smooth_forces)}); formulate the "
            'model with form="set-valued"'
        )
    if system.rows is not None and not solves:
        names = [quantity.name for quantity in system.unknown_forces]
        raise SimulationError(
            f"{integrator.name!r} needs forces that are functions of the state, and those of "
            f"{system.name} are unknowns of each step ({few_names(names)}); take "
            'method="complementarity", or formulate the model without form="set-valued"'
        )


def _trajectory(problem: Problem, recording: Recording, method: str, remark: str) -> Trajectory:
    system = problem.system
    columns = {q.name: recording.states[:, k] for k, q in enumerate(system.states)}
    for k, quantity in enumerate(recording.output_quantities):
        columns.setdefault(quantity.name, recording.outputs[:, k])
    quantities = (*system.states, *recording.output_quantities)
    note = remark if recording.failure is None else recording.failure.message
    return Trajectory(
        system=system.name,
        time=recording.time,
        columns=columns,
        units={quantity.name: quantity.unit for quantity in quantities},
        states=tuple(quantity.name for quantity in system.states),
        method=method,
        complete=not recording.interrupted and recording.failure is None,
        note="interrupted from the keyboard" if recording.interrupted else note,
        elapsed=recording.elapsed,
        steps=recording.steps,
        residual=recording.residual,
        time_name=system.time.name,
    )
