"""The energy audit: does the energy of a model change by what its components bring in?

Each component that exerts something gets one more state, the work that it has done on the
rest of the model, integrated by the method of the run itself: what the states are to its
order, the works are too. What a model stores (kinetic energy, gravity, springs, capacitors,
inductors) must change by the sum of these works; what is missing is the error of the steps,
or a component whose power is wrong. Without a method named, the steps are divided
where forces ask for it (landings, wheels that lock, inputs that switch), and only the latter
is left.

``EnergyAudit`` is the balance at the records of a run, ``EnergyShare`` what one component did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np

from axletree.components.edges import MotionLaw
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.equations.equations import Equations
from axletree.expr import Expr
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.simulation.integrators import SUBDIVIDED_RK45
from axletree.simulation.problem import Tolerances
from axletree.simulation.signals import InputSignal
from axletree.simulation.simulate import Integrator, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System, output

BALANCED: Final = 1e-8  # of the flow; what is more asks for an explanation


@dataclass(frozen=True)
class EnergyShare:
    """What one component did to the energy of a model over a run."""

    component: str
    work: FloatArray  # [J] done on the rest of the model since the start
    stored: FloatArray  # [J] by which the energy in its springs, capacitors, inductors has grown

    @property
    def added(self) -> FloatArray:
        """[J] supplied to the model; negative for what became heat, or left it."""
        return self.work + self.stored


@dataclass(frozen=True)
class EnergyAudit:
    """The balance of a run, at its records."""

    time: FloatArray  # [s]
    kinetic: FloatArray  # [J] by which kinetic energy has grown since the start
    gravity: FloatArray  # [J] likewise, energy in the field of gravity
    shares: tuple[EnergyShare, ...]  # of the components that exert something
    unknown: tuple[str, ...] = ()  # drivers whose effort the equations do not determine
    fine_residual: float | None = None  # over the flow, of the same run in parts of steps, if known

    @property
    def energy(self) -> FloatArray:
        """[J] by which everything that the model stores has grown."""
        stored = sum((share.stored for share in self.shares), np.zeros_like(self.time))
        return self.kinetic + self.gravity + stored

    @property
    def added(self) -> FloatArray:
        """[J] that all components have supplied."""
        return sum((share.added for share in self.shares), np.zeros_like(self.time))

    @property
    def residual(self) -> float:
        """[J], the maximum difference of the two at any record."""
        return float(np.abs(self.energy - self.added).max(initial=0.0))

    @property
    def flow(self) -> float:
        """[J] that changed place: half of all changes from record to record, for what leaves
        one place enters another."""
        places = [self.kinetic, self.gravity]
        for share in self.shares:
            places += [share.added, share.stored]
        return 0.5 * float(sum(np.abs(np.diff(place)).sum() for place in places))

    @property
    def relative_residual(self) -> float:
        """The residual over the flow."""
        return self.residual / self.flow if self.flow else 0.0

    @property
    def rows(self) -> tuple[tuple[str, float], ...]:
        """The energy that each component supplied in total [J], by size."""
        ends = [(share.component, float(share.added[-1])) for share in self.shares]
        return tuple(sorted(ends, key=lambda row: -abs(row[1])))

    @property
    def verdict(self) -> str:
        """One sentence on the balance as a whole."""
        found = (
            f"The energy changed by {self.energy[-1]:.6g} J, the components supplied "
            f"{self.added[-1]:.6g} J; the maximum residual is {self.residual:.2g} J, "
            f"{self.relative_residual:.1e} of the {self.flow:.4g} J exchanged."
        )
        if self.fine_residual is not None:
            cause = "it is" if self.fine_residual < BALANCED else "not all of it is"
            found += f" With subdivided steps it is {self.fine_residual:.1e}: {cause} step error."
        if self.unknown:
            found += f" The work of {', '.join(self.unknown)} is missing: it is not determined."
        return found

    def __str__(self) -> str:
        width = max((len(name) for name, _ in self.rows), default=0)
        lines = [f"{name:<{width}}  {value:14.6g} J" for name, value in self.rows]
        return "\n".join([*lines, self.verdict])


_S = TypeVar("_S", bound=System)

_ENERGIES = ("energy.kinetic", "energy.gravity")
WORK, _STORED = "work", "stored_energy"
# Of a run by no method in particular: its error is far below the 1e-8 that a balance is held to.
FINE: Final = Tolerances(1e-8, 1e-8)


class EnergyAuditError(AxletreeError):
    """A system whose energy cannot be balanced."""


def audit_energy(
    system: System,
    duration: float | str,
    *,
    step: float | str | None = None,
    method: str | Integrator | None = None,
    initial: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, InputSignal] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    record_interval: float | str | None = None,
    start: float | str = 0.0,
    relative_tolerance: float | None = None,
    absolute_tolerance: float | None = None,
) -> EnergyAudit:
    """Make a run with the settings of ``simulate`` and balance its energy [J].

    With the ``method`` of a run, and the tolerances that it has by default, the residual
    is the error of that run. Without, steps are divided until each part is exact to 1e-8, so
    that a residual reveals a component.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> audit = pendulum.audit_energy("1 s", step="10 ms", initial={"pin.angle": 0.3})
    >>> audit.residual < 1e-6  # J
    True
    """
    check_arguments(audit_energy, locals())
    audited = with_work(with_smooth_forces(system) if method is None else system)
    given = relative_tolerance, absolute_tolerance
    if method is None:
        given = relative_tolerance or FINE.relative, absolute_tolerance or FINE.absolute
    run = simulate(
        audited, duration, step=step, method=SUBDIVIDED_RK45 if method is None else method,
        initial=initial, inputs=inputs, parameters=parameters, start=start,
        outputs=[d.quantity.name for d in audited.outputs], record_interval=record_interval,
        relative_tolerance=given[0], absolute_tolerance=given[1],
        watch=False,
    )  # fmt: skip
    return energy_balance(system, run)


def with_work(system: _S) -> _S:
    """The system with one state more for each component: ``component.work`` [J].

    Its outputs are the energies of the model and what each component stores, alone.
    """
    powers = _powers(system)
    text = "work done on the rest of the model"
    states = [Quantity(f"{c}.{WORK}", "J", text, Role.STATE) for c in powers]
    stores = {a.component: a.stored for a in _source(system).answers if a.stored is not ZERO}
    stored = [output(f"{c}.{_STORED}", "J", "energy stored", e) for c, e in stores.items()]
    projection = system.projection
    if projection is not None:
        projection = (*projection, *(quantity.symbol for quantity in states))
    return replace(
        system,
        states=Quantities([*system.states, *states]),
        derivatives=(*system.derivatives, *powers.values()),
        outputs=(*(d for d in system.outputs if d.quantity.name in _ENERGIES), *stored),
        projection=projection,
    )


def energy_balance(system: System, run: Trajectory) -> EnergyAudit:
    """The audit of a run of ``with_work(system)``."""
    nothing = np.zeros_like(run.time)

    def grown(name: str) -> FloatArray:
        return run[name] - run[name][:1] if name in run else nothing

    powers = _powers(system)
    shares = [EnergyShare(c, grown(f"{c}.{WORK}"), grown(f"{c}.{_STORED}")) for c in powers]
    kinetic, gravity = (grown(name) for name in _ENERGIES)
    unknown = [name for name in _drivers(system) if name not in powers]
    return EnergyAudit(run.time, kinetic, gravity, tuple(shares), tuple(unknown))


def working_components(system: System) -> tuple[str, ...]:
    """The components that do work on the rest of the model, or may."""
    return tuple(_powers(system))


def _powers(system: System) -> dict[str, Expr]:
    """The power of each component into the rest of the model [W], drivers last."""
    found = {a.component: a.power for a in _source(system).answers if a.power is not ZERO}
    outputs = {d.quantity.name: d.expression for d in system.outputs}
    for driver in _drivers(system):
        if f"{driver}.power" in outputs:
            found[driver] = outputs[f"{driver}.power"]
    return found


def _drivers(system: System) -> list[str]:
    """The components that prescribe a motion."""
    laws = ((edge.component, edge.law) for edge in _source(system).graph.edges)
    driven = (c for c, law in laws if isinstance(law, MotionLaw) and law.given_rate is not None)
    return list(dict.fromkeys(driven))


def _source(system: System) -> Equations:
    if system.source is None:
        raise EnergyAuditError(
            f"{system.name} was not made from components, so that nothing tells which powers "
            "act in it; audit the system of a model"
        )
    return system.source
