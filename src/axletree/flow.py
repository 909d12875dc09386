"""The whole flow on one page: what a model, a system and a trajectory lead on to.

    model = read_model("sedan")             a file            model_files   Model
    run = model.drive("iso-7401-step")      all that follows  analysis      Trajectory
    system = model.formulate()              graph, equations  system        System
    program = system.program()              routines          code          Program
    run = system.simulate("5 s")            C, integration    simulation    Trajectory
    found = system.functions("jacobian")    exact derivatives simulation    SystemFunctions
    steady = system.trim(...)               steady motion     analysis      Trim
    run.plot("vehicle.yaw_rate")            a figure          plot

Every stage is a function of what an earlier one returned, and imports nothing of later ones. So
that the flow can be written as it is read, from left to right, ``Model``, ``System`` and
``Trajectory`` have later functions as methods: an ``Arrow`` is such a function, imported when
it is first asked for. This is the only place where something leads on to a later stage.
A further analysis is a function of a system, its import for type checkers, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from types import MethodType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    import axletree.analysis.drive
    import axletree.analysis.drive_cycle
    import axletree.analysis.energy
    import axletree.analysis.handling.performance_envelope
    import axletree.analysis.linear.linearise
    import axletree.analysis.linear.stable_step
    import axletree.analysis.measurements.replay
    import axletree.analysis.procedures.contract
    import axletree.analysis.steady.root_locus
    import axletree.analysis.steady.trim
    import axletree.analysis.steady_start
    import axletree.code.external_functions
    import axletree.controllers.built_in
    import axletree.simulation.batch.batch
    import axletree.simulation.batch.batch_gradients
    import axletree.simulation.instant
    import axletree.simulation.run_gradient
    import axletree.simulation.simulate
    import axletree.simulation.system_functions
    import axletree.system.formulation
    from axletree.analysis.drive_cycle import CycleResult
    from axletree.code.program import Program
    from axletree.code.system_operations import Operations
    from axletree.model.model import Model
    from axletree.simulation.batch.batch_result import Batch
    from axletree.simulation.trajectory import Trajectory
    from axletree.system.symbolic_equations import SymbolicEquations
    from axletree.system.system import System


class Arrow:
    """A function of a later stage by its dotted name, as a method; attributes lie further on."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __getattr__(self, name: str) -> Arrow:
        if name.startswith("__"):
            raise AttributeError(name)
        return Arrow(f"{self._place}.{name}")

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        module, _, name = self._place.rpartition(".")
        function: Callable[..., Any] = getattr(import_module(module), name)
        return function if instance is None else MethodType(function, instance)


if not TYPE_CHECKING:  # editors and type checkers see the functions themselves
    axletree = Arrow("axletree")


class ModelFlow:
    """What a model leads on to."""

    formulate = axletree.system.formulation.formulate
    drive = axletree.analysis.drive.drive
    stepper = axletree.analysis.steady_start.stepper
    replay = axletree.analysis.measurements.replay.replay
    procedure = axletree.analysis.procedures.contract.procedure
    drive_cycle = axletree.analysis.drive_cycle.drive_cycle
    performance_limits = axletree.analysis.handling.performance_envelope.performance_limits

    @property
    def batch(self) -> Callable[..., Batch]:
        """Many of it at once, each with values of its own: ``drive_batch``, as ``System.batch``.

        Example:
        >>> import axletree as at
        >>> masses = {"rod.mass": ["1 kg", "2 kg"]}
        >>> len(at.read_model("pendulum").batch(masses, duration="0.1 s"))
        2
        """
        from axletree.analysis.studies.driven_batch import drive_batch

        return cast("Callable[..., Batch]", MethodType(drive_batch, self))

    @property
    def cycle(self) -> Callable[..., CycleResult]:
        """A driving cycle: ``drive_cycle``.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}})
        >>> hop = at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0))  # s, m/s
        >>> print(f"{car.cycle(hop, step='2 ms')['duration']:.0f} s")
        6 s
        """
        from axletree.analysis.drive_cycle import drive_cycle

        return cast("Callable[..., CycleResult]", MethodType(drive_cycle, self))

    def _repr_html_(self) -> str:
        from axletree.reports.notebook import model_html

        return model_html(cast("Model", self))


class SystemFlow:
    """What a system leads on to."""

    with_functions = axletree.code.external_functions.with_functions
    with_controllers = axletree.controllers.built_in.with_controllers
    state = axletree.simulation.instant.state
    rhs = axletree.simulation.instant.rhs
    outputs_at = axletree.simulation.instant.outputs_at
    functions = axletree.simulation.system_functions.functions
    simulate = axletree.simulation.simulate.simulate
    batch = axletree.simulation.batch.batch.batch
    batch_gradients = axletree.simulation.batch.batch_gradients.batch_gradients
    run_gradient = axletree.simulation.run_gradient.run_gradient
    stepper = axletree.analysis.steady_start.stepper
    trim = axletree.analysis.steady.trim.trim
    root_locus = axletree.analysis.steady.root_locus.root_locus
    linearise = axletree.analysis.linear.linearise.linearise
    stable_step = axletree.analysis.linear.stable_step.stable_step
    drive = axletree.analysis.drive.drive
    audit_energy = axletree.analysis.energy.audit_energy

    def _repr_html_(self) -> str:
        from axletree.reports.notebook import system_html

        return system_html(cast("System", self))

    def equations(self, simplify: bool = False) -> SymbolicEquations:
        """M dp/dt + C^T f = b, Phi = 0 and dq/dt = h in SymPy, to read and to manipulate.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("pendulum").formulate().equations().text())
        M[pin.rate, pin.rate] = rod.inertia.yy + rod.mass*rod.top.z**2
        b[pin.rate] = gravity.z*rod.mass*rod.top.z*sin(pin.angle)
        d(pin.angle)/dt = pin.rate
        """
        from axletree.system.symbolic_equations import symbolic_equations

        return symbolic_equations(cast("System", self), simplify)

    @property
    def operations(self) -> Operations:
        """Operation counts of the right-hand side, by block, and of what is computed once.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("pendulum").formulate().operations.total)
        0 additions, 1 multiplications, 0 divisions, 1 functions
        """
        from axletree.code.system_operations import count_system

        return count_system(cast("System", self))

    def program(self, outputs: Iterable[str] | None = None) -> Program:
        """The routines that are printed as C, with these outputs (default: all of them).

        Example:
        >>> import axletree as at
        >>> program = at.read_model("pendulum").formulate().program(outputs=["energy.total"])
        >>> [routine.name for routine in program.routines]
        ['constants', 'rhs', 'outputs']
        """
        from axletree.code.lowering import lower

        return lower(cast("System", self), outputs)

    if not TYPE_CHECKING:  # a checker would take any name for one that a system has

        def __getattr__(self, name: str) -> Any:
            meant = f"; it is {_BY_TRIM[name]} now" if name in _BY_TRIM else ""
            raise AttributeError(f"a system has no attribute {name!r}{meant}")


_BY_TRIM = {
    "steady_state": "trim(given, find)",
    "rolling_start": "trim(given, wheels=RollingWheels(slip, deflection))",
    "continue_steady": "trim(given, find).continued(along, to, step=...)",
}


class TrajectoryFlow:
    """What a trajectory leads on to."""

    def _repr_html_(self) -> str:
        from axletree.reports.notebook import trajectory_html

        return trajectory_html(cast("Trajectory", self))

    def plot(self, *names: str, path: str | Path | None = None) -> Figure:
        """The columns over time, in panels by unit; also saved where a path is given.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> [axes.get_ylabel() for axes in run.plot("pin.angle", path="angle.png").axes]
        ['[deg]']
        """
        from axletree.plot.model_plots import plot_trajectory

        run = cast("Trajectory", self)
        return plot_trajectory(run, names, path)

    def report(self, folder: str | Path, *, pictures: bool = False) -> Path:
        """The page that ``axletree run`` leaves, of a run that a model drove.

        Example:
        >>> import axletree as at
        >>> at.read_model("pendulum").drive().report("results").name
        'report.html'
        """
        from axletree.reports.run_report import report_of_run

        return report_of_run(cast("Trajectory", self), folder, pictures=pictures)
