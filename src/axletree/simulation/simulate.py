"""``simulate``: a system, a span of time, a method; out comes a trajectory."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Protocol

from axletree.core.errors import SimulationError
from axletree.core.registry import load, section
from axletree.simulation.checks import constraint_drift, small_variable_excess
from axletree.simulation.euler_angles import check_start_orientation
from axletree.simulation.problem import Problem, Tolerances, state_problem
from axletree.simulation.recording import Recording
from axletree.simulation.signals import InputSignal
from axletree.simulation.trajectory import Trajectory
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
    relative_tolerance: float = Tolerances.relative,
    absolute_tolerance: float = Tolerances.absolute,
) -> Trajectory:
    """Integrate a system over ``duration`` from ``start``; texts may carry units.

    Parameters
    ----------
    duration, start: s.
    step: s; fixed-step methods need it and take all steps of this length, of which the
        duration is a whole number. For a variable-step method it is the longest step.
    method: a name of the catalogue (``axletree list``), or an integrator of your own.
    initial: values of states by name; the others start at their defaults.
    inputs: by name a number, a text such as ``"0.1*sin(2*t)"``, an expression of
        ``system.time.symbol`` and parameters, a pair (times, values) of arrays joined by
        straight lines and held at the ends, or a ``Table``.
    parameters: values by name; the others have their defaults.
    outputs: names of outputs, intermediate variables or inputs to record beside the
        states; all outputs by default.
    record_interval: s between records; by default the step of a fixed-step method, and
        1/500 of the duration for a variable-step one. The last instant is always recorded.
    relative_tolerance, absolute_tolerance: of variable-step methods, per step and state.

    An interrupt from the keyboard ends the run early: the trajectory then holds what was
    recorded, with ``complete`` False. A value that is not finite raises ``StoppedRunError``,
    which carries the trajectory up to there. Constraints that a run violates are named in a
    warning, and in ``note``; so are variables that do not stay as small as they were declared,
    and steps that were not solved well for set-valued forces.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> run = system.simulate("2 s", step="1 ms", initial={"pin.angle": 0.3})
    >>> energy = run["energy.total"]
    >>> len(run), bool(energy.max() - energy.min() < 1e-9)  # J
    (2001, True)
    """
    integrator: Integrator
    if isinstance(method, str):
        integrator = load("method", method, section("INTEGRATORS"))
    else:
        integrator = method
    problem = state_problem(
        system,
        initial=initial or {},
        inputs=inputs or {},
        parameters=parameters or {},
        outputs=outputs,
        start=start,
        duration=duration,
        step=step,
        record_interval=record_interval,
        tolerances=Tolerances(relative_tolerance, absolute_tolerance),
    )
    check_start_orientation(system, problem.states)
    recording = integrator.integrate(problem)
    solved = "" if recording.residual is None else recording.residual.remark
    remarks = (
        constraint_drift(problem, recording),
        small_variable_excess(problem, recording),
        solved,
    )
    remark = "; ".join(text for text in remarks if text)
    trajectory = _trajectory(problem, recording, integrator.name, remark)
    if recording.failure is not None:
        reasons = "; ".join(text for text in (str(recording.failure), remark) if text)
        raise StoppedRunError(f"{system.name}: {reasons}", trajectory)
    if remark:
        warnings.warn(f"{system.name}: {remark}", stacklevel=2)
    return trajectory


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
