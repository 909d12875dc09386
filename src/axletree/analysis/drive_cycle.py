"""``drive_cycle``: a vehicle follows a speed over time, and where its energy goes.

Pedals follow the cycle (``components.drivers.SpeedDriver``). Beside its states the run integrates
the power of every component and of every loss, by the same method and in the same steps, so that
two balances can be struck:

1. from the battery to the shafts of motors: what leaves its store is what becomes heat in the
   battery, goes to auxiliaries, becomes heat in inverters and motors, and turns shafts. These are
   algebraic at every instant, and their integrals close to rounding (``shaft_residual``);
2. from the store to the road: what the store holds less at the end, by its curve of voltage over
   charge, is what losses, brakes, tyres and air took, and what the vehicle has more of kinetic and
   potential energy (``residual``). Both sides are integrals of different things, and their
   difference is the error of the steps.

The tolerance that a cycle is to be followed with is that of UN GTR 15, annex 6: 2 km/h above and
below the speeds of the cycle within 1 s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from axletree.analysis.drive import PROPOSED_METHOD, PROPOSED_STEP, drive_start
from axletree.analysis.energy import WORK, EnergyAudit, energy_balance, with_work
from axletree.components.axle_drives import AxleDrive, WheelDrive
from axletree.components.battery import Battery
from axletree.components.brakes import FrictionBrake, SlipLimitedBrake
from axletree.components.contract import Component
from axletree.components.electric_drives import HybridShaft
from axletree.components.engines import CombustionEngine
from axletree.components.fuel_maps import FuelMap
from axletree.components.loads import Aerodynamics, JointTorque
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.text_table import TextTable
from axletree.expr import Expr, as_expr, maximum
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.metrics.findings import Diagram, Finding, over_time
from axletree.metrics.vehicle_signals import FORWARD_SPEED, THROTTLE
from axletree.metrics.verdict import Comparison, Criterion, Verdict, judge
from axletree.model.model import Model
from axletree.runs.drive_cycle import DriveCycle, FollowCycle, read_drive_cycle
from axletree.runs.standard_manoeuvres import FORWARD, standing_pedal
from axletree.simulation.simulate import Integrator, form_for, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.system.system import System
from axletree.vehicles.vehicle import Fidelity, Vehicle
from axletree.wheel.soils.soil_wheel import SoilWheel
from axletree.wheel.tyre import Tyre

SPEED_TOLERANCE, TIME_TOLERANCE = 2.0 / 3.6, 1.0  # m/s, s
_RECORDS = 0.1  # s
_KWH = 3.6e6  # J
_CYCLE = "cycle"  # first part of the names of integrals


@dataclass(frozen=True)
class EnergyFlow:
    """What a part of the vehicle took of the energy that was supplied [J]; negative: it gave some.

    Example:
    >>> from axletree.analysis.drive_cycle import EnergyFlow
    >>> EnergyFlow("tyres", 3.6e5).energy  # J
    360000.0
    """

    name: str
    energy: float


@dataclass(frozen=True, eq=False)
class CycleResult:
    """A driven cycle: the run, where the energy went, and what it comes to.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}})
    >>> hop = at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0))  # s, m/s
    >>> result = at.drive_cycle(car, hop, step="2 ms")
    >>> print(f"{result['maximum_battery_power']:.1f} kW")
    19.3 kW
    >>> result.residual < 1e-6  # of the energy that was supplied
    True
    """

    model: str
    cycle: DriveCycle
    run: Trajectory
    findings: tuple[Finding, ...]
    supplied: tuple[EnergyFlow, ...]  # by stores and engines
    flows: tuple[EnergyFlow, ...]  # where it went
    audit: EnergyAudit  # of the mechanics
    shaft_residual: float  # [1], of what batteries gave and took, that does not close
    residual: float  # [1], of all that was supplied, that does not close

    def __getitem__(self, name: str) -> float:
        """The value of a finding, in its unit."""
        for found in self.findings:
            if found.name == name:
                return found.value
        known = ", ".join(found.name for found in self.findings)
        raise KeyError(f"{name!r} is no finding of a driving cycle; it has {known}")

    @property
    def verdict(self) -> Verdict:
        """Whether the cycle was followed.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}})
        >>> hop = at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0))  # s, m/s
        >>> print(car.cycle(hop, step="2 ms").verdict.outcome.value)
        passed
        """
        limit = Criterion(
            "time_off_cycle", "time away from the cycle by more than 2 km/h within 1 s",
            Comparison.AT_MOST, 0.0, "s", "in the manner of UN GTR 15, annex 6",
        )  # fmt: skip
        key = ("energy_per_km", "fuel_consumption", "range", "distance")
        return judge(f"driving cycle {self.cycle.name}", [limit], self.findings, key)

    @property
    def energy_table(self) -> TextTable:
        """Supplied and taken [kWh], with shares.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}})
        >>> hop = at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0))  # s, m/s
        >>> car.cycle(hop, step="2 ms").energy_table.rows[0][0]
        'from the battery'
        """
        total = sum(flow.energy for flow in self.supplied)
        rows = [_row(flow, total) for flow in (*self.supplied, *self.flows)]
        taken = sum(flow.energy for flow in self.flows)
        rows.append(_row(EnergyFlow("does not close", total - taken), total))
        return TextTable("Energy", ("energy:", "[kWh]", "[%]"), tuple(rows))

    @property
    def balance_in_words(self) -> str:
        """One sentence on both balances."""
        road = f"from the supply to the road {self.residual:.1e} of the energy does not close."
        if not self.shaft_residual:
            return f"{road[0].upper()}{road[1:]}"
        return f"From the battery to the shafts {self.shaft_residual:.1e}, {road}"

    def diagrams(self) -> tuple[Diagram, ...]:
        """Speed, power, charge and temperature over time.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}})
        >>> hop = at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0))  # s, m/s
        >>> [one.title for one in car.cycle(hop, step="2 ms").diagrams()][:3]
        ['Speed', 'Speed error', 'Power']
        """
        time, run = self.run.time, self.run
        wanted, kmh = self.cycle.speed_at(time), 3.6
        found = [
            over_time("Speed", "km/h", time, {"vehicle": kmh * run[FORWARD_SPEED],
                                              "cycle": kmh * wanted}),
            over_time("Speed error", "km/h", time, {"": kmh * (wanted - run[FORWARD_SPEED])}),
        ]  # fmt: skip
        powers = {_label(n): 1e-3 * run[n] for n in run.names if n.endswith("battery.power")}
        powers |= {_label(n): 1e-3 * run[n] for n in run.names if n.endswith("_drive.power")}
        found.append(over_time("Power", "kW", time, powers))
        for ending, title, unit, factor, offset in (
            (".state_of_charge", "State of charge", "%", 100.0, 0.0),
            ("_drive.temperature", "Motor temperature", "°C", 1.0, -273.15),
            ("_drive.fuel_rate", "Fuel", "g/s", 1e3, 0.0),
        ):
            curves = {_label(n): factor * run[n] + offset for n in run.names if n.endswith(ending)}
            if curves:
                found.append(over_time(title, unit, time, curves))
        return tuple(found)

    def __str__(self) -> str:
        rows = [f"{one.description}: {one.in_words}" for one in self.findings]
        return "\n".join([*rows, self.energy_table.text(), self.balance_in_words])


def _label(column: str) -> str:
    return column.partition(".")[0].replace("_", " ")


def _row(flow: EnergyFlow, total: float) -> tuple[str, str, str]:
    share = 100.0 * flow.energy / total if total else 0.0
    return flow.name, f"{flow.energy / _KWH:z.4f}", f"{share:z.2f}"


def drive_cycle(
    model: Model,
    cycle: DriveCycle | str | Path,
    *,
    repeats: int = 1,
    charge: float | str | None = None,
    step: float | str | None = None,
    method: str | Integrator | None = None,
    parameters: Mapping[str, float | str] | None = None,
    record_interval: float | str = _RECORDS,
) -> CycleResult:
    """Drive a cycle: of the package by its name, of a file, or one that is made.

    ``repeats`` drives it several times; ``charge`` is the state of charge that a battery begins
    with. Step and method are as those of ``simulate``, by default 1 ms and rk4.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> hop = at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0))  # s, m/s
    >>> print(f"{at.drive_cycle(sedan, hop, step='2 ms')['mean_speed']:.1f} km/h")
    14.0 km/h
    """
    check_arguments(drive_cycle, locals())
    chosen = cycle if isinstance(cycle, DriveCycle) else read_drive_cycle(cycle)
    chosen = chosen.repeated(repeats)
    _refuse_undriven(model)
    start = chosen.speed[0]
    followed = FollowCycle(
        speed=start, forward=FORWARD, driven_by=(THROTTLE,) if start else (), cycle=chosen,
        duration=chosen.duration, pedal=_pedal_at_rest(model),
    )  # fmt: skip
    driven = model.with_changes(_changes(model, followed, charge))
    by = PROPOSED_METHOD if method is None else method
    system = formulate(driven, form=form_for(by))
    begun = drive_start(system, followed, parameters or {})
    integrals = _integrals(driven, system)
    run = simulate(
        _with_integrals(system, integrals), chosen.duration,
        step=PROPOSED_STEP if step is None else step, method=by, initial=begun.initial,
        inputs=begun.inputs, parameters=begun.parameters, record_interval=record_interval,
        outputs=_recorded(driven, system),
    )  # fmt: skip
    if not run.complete:
        raise SimulationError(
            f"{model.name} did not come to the end of {chosen.name}: it stopped at "
            f"{run.time[-1]:.4g} s of {chosen.duration:.4g} s"
        )
    _refuse_standing(model, chosen, run)
    return _result(driven, system, chosen, run)


_STOOD = 1.0  # m, of a cycle in which a vehicle has come nowhere


def _refuse_standing(model: Model, cycle: DriveCycle, run: Trajectory) -> None:
    """A run without a distance, by which nothing can be told."""
    distance = float(np.trapezoid(run[FORWARD_SPEED], run.time))
    if distance >= _STOOD:
        return
    empty = [
        one.name for one in _of(model, Battery)
        if isinstance(one, Battery)
        and run[f"{one.name}.state_of_charge"][0] <= one.lowest_charge
    ]  # fmt: skip
    why = f"; {empty[0]} is empty at the start: begin with a higher charge" if empty else ""
    raise SimulationError(
        f"{model.name} came {distance:.2g} m far in {cycle.name} of {cycle.distance:.4g} m, and "
        f"nothing can be told by distance{why}"
    )


def _refuse_undriven(model: Model) -> None:
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        raise SimulationError(
            f"{model.name} has no section vehicle; a driving cycle is driven by a described "
            "vehicle, such as sedan or electric-car"
        )
    if vehicle.fidelity is Fidelity.LINEAR:
        raise SimulationError(
            f"{model.name} is a linear model, which goes on at constant speed; take another "
            "fidelity, such as single-track"
        )
    for word in ("drive", "brakes"):
        if all(getattr(axle, word) is None for axle in vehicle.axles.values()):
            raise SimulationError(f"no axle of {model.name} has {word}; it cannot follow a cycle")


def _pedal_at_rest(model: Model) -> float:
    """Of the brake, where a torque converter moves the vehicle as the engine idles; else 0."""
    vehicle = model.described["vehicle"]
    assert isinstance(vehicle, Vehicle)
    drives = (axle.drive for axle in vehicle.axles.values() if axle.drive is not None)
    return standing_pedal(vehicle) if any(one.converter is not None for one in drives) else 0.0


def _changes(
    model: Model, followed: FollowCycle, charge: float | str | None
) -> dict[str, dict[str, object]]:
    changes = {"vehicle": dict(followed.changes["vehicle"])}
    if charge is not None:
        vehicle = model.described["vehicle"]
        assert isinstance(vehicle, Vehicle)
        if vehicle.battery is None:
            raise SimulationError(f"charge is given, and {model.name} has no battery")
        changes["vehicle"]["battery"] = {"initial_charge": charge}
    return changes


# What is integrated beside the states.


def _integrals(model: Model, system: System) -> dict[str, Expr]:
    """Powers by name [W]."""
    known = {d.quantity.name: d.expression for d in system.outputs}
    found: dict[str, Expr] = {}
    for component in _of(model, Battery):
        name = component.name
        for short in ("chemical_power", "losses", "auxiliary_power", "shortfall"):
            found[f"{name}.{short}"] = known[f"{name}.{short}"]
        found[f"{name}.given"] = as_expr(maximum(known[f"{name}.power"], 0.0))
        found[f"{name}.recovered"] = as_expr(maximum(-known[f"{name}.power"], 0.0))
    for component in _of(model, AxleDrive, WheelDrive):
        shorts = (
            "mechanical_power", "motor_losses", "inverter_losses", "engine_power",
            "converter_losses", "fuel_power", "fuel_rate",
        )  # fmt: skip
        names = (f"{component.name}.{short}" for short in shorts)
        found |= {name: known[name] for name in names if name in known}
    return found


def _with_integrals(system: System, integrals: Mapping[str, Expr]) -> System:
    """With works of components and these integrals as states, and all outputs."""
    audited = with_work(system)
    own = {d.quantity.name for d in system.outputs}
    outputs = (*system.outputs, *(d for d in audited.outputs if d.quantity.name not in own))
    states = [
        Quantity(
            f"{_CYCLE}.{name}",
            "kg" if name.endswith("fuel_rate") else "J",
            "integral over time",
            Role.STATE,
        )
        for name in integrals
    ]
    projection = audited.projection
    if projection is not None:
        projection = (*projection, *(one.symbol for one in states))
    return replace(
        audited,
        states=Quantities([*audited.states, *states]),
        derivatives=(*audited.derivatives, *integrals.values()),
        outputs=outputs,
        projection=projection,
    )


def _recorded(model: Model, system: System) -> list[str]:
    """Outputs of batteries and drives, speeds, energies."""
    owners = {one.name for one in _of(model, Battery, AxleDrive, WheelDrive, JointTorque)}
    own = [d.quantity.name for d in system.outputs]
    kept = [name for name in own if name.partition(".")[0] in owners]
    audited = [d.quantity.name for d in with_work(system).outputs]
    return list(dict.fromkeys([FORWARD_SPEED, *kept, *audited]))


def _of(model: Model, *kinds: type) -> list[Component]:
    return [component for component in model if isinstance(component, kinds)]


# What a run comes to.


def _result(model: Model, system: System, cycle: DriveCycle, run: Trajectory) -> CycleResult:
    audit = energy_balance(system, run)
    last = {name: float(run[f"{_CYCLE}.{name}"][-1]) for name in _integrals(model, system)}
    added = dict(audit.rows)
    supplied, flows = [], []
    batteries, drives = _of(model, Battery), _of(model, AxleDrive, WheelDrive, JointTorque)
    drives = [one for one in drives if not isinstance(one, JointTorque) or "_drive" in one.name]
    for one in batteries:
        supplied.append(
            EnergyFlow(
                "from the battery",
                -float(run[f"{one.name}.energy"][-1] - run[f"{one.name}.energy"][0]),
            )
        )
        flows += [EnergyFlow(text, last[f"{one.name}.{short}"]) for text, short in _OF_BATTERY]
    given, taken = _of_drives(drives, last, added)
    supplied += given
    flows += [flow for flow in taken if flow.energy]
    flows += _mechanical_flows(
        model, audit, {one.name for one in batteries}, {one.name for one in drives}
    )
    through = sum(last.get(f"{b.name}.{k}", 0.0) for b in batteries for k in ("given", "recovered"))
    open_end = sum(
        last[f"{b.name}.chemical_power"] - sum(last[f"{b.name}.{k}"] for _, k in _OF_BATTERY)
        for b in batteries
    ) - sum(
        last.get(f"{d.name}.{k}", 0.0)
        for d in drives for k in ("inverter_losses", "motor_losses", "mechanical_power")
    )  # fmt: skip
    total = sum(flow.energy for flow in supplied)
    missing = total - sum(flow.energy for flow in flows)
    return CycleResult(
        model.name, cycle, run, tuple(_findings(model, cycle, run, last)), tuple(supplied),
        tuple(flows), audit, abs(open_end) / through if through else 0.0,
        abs(missing) / max(abs(total), audit.flow),
    )  # fmt: skip


def _of_drives(
    drives: Sequence[Component], last: Mapping[str, float], added: Mapping[str, float]
) -> tuple[list[EnergyFlow], list[EnergyFlow]]:
    """What they were supplied with beside batteries, and what they lost on the way to wheels."""
    supplied, shafts = [], 0.0
    for one in drives:
        by = {short: last.get(f"{one.name}.{short}", 0.0) for short in _OF_DRIVE}
        shafts += by["mechanical_power"] + by["fuel_power"]
        if by["fuel_power"]:
            supplied.append(EnergyFlow("from fuel", by["fuel_power"]))
        elif by["engine_power"]:
            supplied.append(EnergyFlow("from the engine", by["engine_power"]))
            shafts += by["engine_power"]
        elif not by["mechanical_power"]:
            supplied.append(EnergyFlow("from the drive, at the wheels", added.get(one.name, 0.0)))
            shafts += added.get(one.name, 0.0)

    def lost(short: str) -> float:
        return sum(last.get(f"{one.name}.{short}", 0.0) for one in drives)

    oil, work = lost("converter_losses"), sum(added.get(one.name, 0.0) for one in drives)
    geared = "gears and engines" if any(_has_fuel(d) for d in drives) else "gears"
    return supplied, [
        EnergyFlow("inverters", lost("inverter_losses")),
        EnergyFlow("motors", lost("motor_losses")),
        EnergyFlow("torque converters", oil),
        EnergyFlow(geared, shafts - work - oil),
    ]


_OF_BATTERY = (
    ("battery", "losses"),
    ("auxiliaries", "auxiliary_power"),
)
_OF_DRIVE = ("mechanical_power", "engine_power", "fuel_power")
_TAKERS: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("brakes", (FrictionBrake, SlipLimitedBrake)),
    ("tyres", (Tyre, SoilWheel)),
    ("air", (Aerodynamics,)),
)


def _mechanical_flows(
    model: Model, audit: EnergyAudit, batteries: set[str], drives: set[str]
) -> list[EnergyFlow]:
    sums = dict.fromkeys([name for name, _ in _TAKERS] + ["suspensions and others"], 0.0)
    springs = 0.0
    for share in audit.shares:
        if share.component in batteries:
            continue
        if share.component in drives:  # engines that turn at a rate of their own
            springs += float(share.stored[-1])
            continue
        component = model[share.component]
        word = next((w for w, kinds in _TAKERS if isinstance(component, kinds)),
                    "suspensions and others")  # fmt: skip
        sums[word] -= float(share.added[-1])
        springs += float(share.stored[-1])
    sums["kinetic and potential energy"] = (
        float(audit.kinetic[-1]) + float(audit.gravity[-1]) + springs
    )
    return [EnergyFlow(name, value) for name, value in sums.items()]


def _has_fuel(drive: Component) -> bool:
    return fuel_of(drive) is not None


def fuel_of(drive: Component) -> FuelMap | None:
    """What the engine of a drive burns, if it says so.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.drive_cycle import fuel_of
    >>> print(fuel_of(at.read_model("electric-car")["rear_drive"]))
    None
    """
    source = getattr(drive, "source", None)
    if isinstance(source, HybridShaft):
        source = source.engine
    return source.fuel if isinstance(source, CombustionEngine) else None


def _findings(
    model: Model, cycle: DriveCycle, run: Trajectory, last: Mapping[str, float]
) -> list[Finding]:
    speed = run[FORWARD_SPEED]
    distance = float(np.trapezoid(speed, run.time))
    km = 1e-3 * distance
    error = speed - cycle.speed_at(run.time)
    found = [
        Finding("distance", km, "km", "distance"),
        Finding("duration", cycle.duration, "s", "duration"),
        Finding("mean_speed", 3.6 * distance / cycle.duration, "km/h", "mean speed"),
        Finding("rms_speed_error", 3.6 * float(np.sqrt(np.mean(error**2))), "km/h",
                "RMS of the speed error"),
        Finding("maximum_speed_error", 3.6 * float(np.abs(error).max()), "km/h",
                "maximum speed error"),
        Finding("time_off_cycle", _time_off(cycle, run.time, speed), "s",
                "time away from the cycle by more than 2 km/h within 1 s"),
    ]  # fmt: skip
    for battery in _of(model, Battery):
        found += _battery_findings(battery, run, last, km)
    for drive in _of(model, AxleDrive, WheelDrive):
        column = f"{drive.name}.temperature"
        if column in run:
            words = f"maximum temperature of the motor of {drive.name.replace('_', ' ')}"
            found.append(Finding(f"{drive.name}_temperature", float(run[column].max()), "K", words))
    burning = [
        (fuel_of(d), last.get(f"{d.name}.fuel_rate", 0.0))
        for d in _of(model, AxleDrive, WheelDrive)
    ]
    litres = sum(1e3 * burned / fuel.density for fuel, burned in burning if fuel is not None)
    if litres:
        found += [
            Finding("fuel_consumption", 100.0 * litres / km, "l", "fuel for 100 km"),
            Finding("fuel", litres, "l", "fuel"),
        ]
    return found


def _battery_findings(
    battery: Component, run: Trajectory, last: Mapping[str, float], km: float
) -> list[Finding]:
    assert isinstance(battery, Battery)
    name = battery.name
    given, back = last[f"{name}.given"], last[f"{name}.recovered"]
    charge = run[f"{name}.state_of_charge"]
    used = battery.energy_between(float(charge[-1]), float(charge[0]))
    whole = battery.energy_between(battery.lowest_charge, battery.highest_charge)
    reach = km * whole / used if used > 0.0 else float("nan")
    return [
        Finding("energy_per_km", (given - back) / 3600.0 / km, "Wh/km",
                "energy from the battery, at its terminals, by distance"),
        Finding("consumption", (given - back) / 3.6e6 / km * 100.0, "kWh",
                "energy from the battery for 100 km"),
        Finding("range", reach, "km", "range at this consumption, from full to empty"),
        Finding("recovered_share", 100.0 * back / given if given else float("nan"), "%",
                "energy brought back into the battery over energy that it gave"),
        Finding("final_charge", 100.0 * float(charge[-1]), "%", "state of charge at the end"),
        Finding("maximum_battery_power", 1e-3 * float(run[f"{name}.power"].max()), "kW",
                "maximum power of the battery"),
    ]  # fmt: skip


def _time_off(cycle: DriveCycle, time: FloatArray, speed: FloatArray) -> float:
    low, high = cycle.bounds_at(time, TIME_TOLERANCE)
    off = (speed < low - SPEED_TOLERANCE) | (speed > high + SPEED_TOLERANCE)
    return float(np.sum(off[1:] * np.diff(time)))


def cycle_columns(result: CycleResult) -> dict[str, FloatArray]:
    """Time, wanted speed and what was recorded of the vehicle, for a table."""
    run = result.run
    names: Sequence[str] = [
        name for name in run.names
        if not name.startswith(f"{_CYCLE}.") and not name.endswith((f".{WORK}", ".stored_energy"))
    ]  # fmt: skip
    return {"time": run.time, "cycle.speed": result.cycle.speed_at(run.time),
            **{name: run[name] for name in names}}  # fmt: skip
