"""The energy audit against works that are known by hand, and over every shipped model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import LARGE, models, shipped_system

import axletree as at
from axletree.analysis.drive import proposed_step
from axletree.analysis.energy import EnergyAuditError, audit_energy
from axletree.expr import symbol
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import System

G = 9.80665


def falling(*parts: str, tree: list[str] | None = None) -> System:
    """A mass of 2 kg on a vertical rail, with the named parts between it and the ground."""
    model = at.Model("lift")
    mass = model.add(at.RigidBody("mass", 2.0, (1.0, 1.0, 1.0)))
    rail = model.add(at.Prismatic("rail", model.ground, mass, axis="z"))
    makers: dict[str, Any] = {
        "spring": lambda: at.SlideSpringDamper("spring", rail, stiffness=50.0),
        "damper": lambda: at.SlideSpringDamper("damper", rail, damping=3.0),
        "push": lambda: at.JointForce("push", rail, force=30.0),
        "hoist": lambda: at.TranslationDriver("hoist", rail, position="0.5*t^2"),
        "second_hoist": lambda: at.TranslationDriver("second_hoist", rail, position="0.5*t^2"),
    }
    for part in parts:
        model.add(makers[part]())
    return model.formulate(tree=tree)


def added(audit: Any) -> dict[str, float]:
    return dict(audit.rows)


def test_a_free_fall_moves_energy_from_gravity_to_motion() -> None:
    audit = audit_energy(falling(), 1.0, step=1e-2)
    assert audit.shares == ()
    assert audit.kinetic[-1] == pytest.approx(0.5 * 2.0 * G**2)
    assert audit.gravity[-1] == pytest.approx(-0.5 * 2.0 * G**2)
    assert audit.flow == pytest.approx(0.5 * 2.0 * G**2)
    assert audit.relative_residual < 1e-12


def test_a_force_works_along_its_way() -> None:
    """30 N on 2 kg against gravity for 1 s: the way is (15 - g) / 2."""
    audit = audit_energy(falling("push"), 1.0, step=1e-2)
    assert added(audit) == pytest.approx({"push": 30.0 * (15.0 - G) / 2})
    assert audit.relative_residual < 1e-12


def test_a_spring_adds_nothing_and_a_damper_takes() -> None:
    """At rest in the end: gravity has given m g d, d = m g / k; the spring keeps half of it."""
    given = 2.0 * G * (2.0 * G / 50.0)
    audit = audit_energy(falling("spring", "damper"), 40.0, step=1e-3, record_interval=0.1)
    shares = {share.component: share for share in audit.shares}
    assert shares["spring"].stored[-1] == pytest.approx(0.5 * given, rel=1e-6)
    assert shares["spring"].added[-1] == pytest.approx(0.0, abs=1e-9)
    assert shares["damper"].added[-1] == pytest.approx(-0.5 * given, rel=1e-6)
    assert audit.relative_residual < 1e-12


@pytest.mark.parametrize("tree", [["hoist"], ["rail"]])
def test_a_driver_lifts_in_the_tree_and_in_the_cotree(tree: list[str]) -> None:
    """1 m/s^2 for 2 s: 2 m higher, 2 m/s faster."""
    system = falling("hoist", tree=tree)
    assert len(system.constraints) == int(tree == ["rail"])
    audit = audit_energy(system, 2.0, step=1e-2)
    assert added(audit) == pytest.approx({"hoist": 2.0 * G * 2.0 + 0.5 * 2.0 * 2.0**2})
    assert audit.relative_residual < 1e-9
    assert audit.unknown == ()


def test_a_driver_whose_effort_is_not_determined_is_named() -> None:
    """Two drivers share one load in proportions that rigid bodies do not tell."""
    audit = audit_energy(falling("hoist", "second_hoist", tree=["rail"]), 1.0, step=1e-2)
    assert len(audit.unknown) == 1
    assert f"The work of {audit.unknown[0]} is missing" in audit.verdict


@pytest.mark.validation("numerics")
def test_half_of_the_work_of_a_battery_heats_the_wire(agrees: Agrees) -> None:
    """A capacitor charged through a resistor takes C V^2 / 2, whatever the resistance."""
    model = at.Model("charger")
    model.add(at.VoltageSource("battery", "plus", "ground", voltage=10.0))
    model.add(at.Resistor("wire", "plus", "tip", resistance=100.0))
    model.add(at.Capacitor("store", "tip", "ground", capacitance=1e-3))
    audit = audit_energy(model.formulate(), 4.0, step=1e-3)
    assert added(audit) == pytest.approx({"battery": 0.1, "wire": -0.05, "store": 0.0}, abs=1e-10)
    agrees(
        "capacitor charged through a wire: stored energy", audit.energy[-1], 0.05, rel=1e-6,
        unit="J", source="Closed form, half of the work of the battery",
    )  # fmt: skip
    assert audit.relative_residual < 1e-12


def test_a_motor_heats_its_winding() -> None:
    """Held still it turns everything into heat; R i^2 with the steady current V / R."""
    model = at.Model("stalled", gravity=(0.0, 0.0, 0.0))
    rotor = model.add(at.RigidBody("rotor", 0.5, (1e-3, 1e-3, 1e-3)))
    shaft = model.add(at.Revolute("shaft", model.ground, rotor, axis="z"))
    model.add(at.RotationDriver("clamp", shaft, angle=0.0))
    model.add(at.VoltageSource("battery", "plus", "ground", voltage=12.0))
    model.add(at.DCMachine("motor", shaft, "plus", "ground", torque_constant=0.05, resistance=0.8))
    audit = audit_energy(model.formulate(), 2.0, step=1e-3)
    heat = 2.0 * 12.0**2 / 0.8
    assert added(audit) == pytest.approx({"battery": heat, "motor": -heat, "clamp": 0.0})


def test_a_power_that_is_told_wrongly_shows() -> None:
    system = falling("push", "damper")
    assert system.source is not None
    answers = [
        replace(a, power=1.01 * a.power) if a.component == "push" else a
        for a in system.source.answers
    ]
    wrong = replace(system, source=replace(system.source, answers=tuple(answers)))
    audit = audit_energy(wrong, 1.0, step=1e-2)
    assert audit.residual == pytest.approx(0.01 * abs(added(audit)["push"]) / 1.01, rel=1e-6)


@cache
def shipped(name: str) -> tuple[System, Mapping[str, Any], float, int]:
    """A shipped model, the inputs of the run that it proposes, its step and their number."""
    model = at.read_model(name)
    run = model.run
    assert run.duration is not None
    step = proposed_step(run, "rk4")  # steps that another method divides are too long for it
    assert step is not None
    return shipped_system(name), run.inputs, step, round(run.duration / step)


# Of these the run takes longer than the others together.
LONG = {
    "soil-track", "car-on-soil", "rover", "off-road-truck",
    "dropped-tyre", "soil-bin", "motorcycle-jump",
}  # fmt: skip
# Of these the optimiser saves more time than it takes.
OPTIMISED = {"soil-track", "car-on-soil", "dropped-tyre", "soil-bin"}


def marks(name: str) -> list[pytest.MarkDecorator]:
    found = [pytest.mark.slow] if name in LONG else []
    found = [pytest.mark.long] if name in LARGE else found
    return [*found, pytest.mark.shipped_flags] if name in OPTIMISED else found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [pytest.param(n, marks=marks(n)) for n in models()])
@pytest.mark.filterwarnings("ignore:.*soil. it creeps for a second or more")  # and balances
@pytest.mark.validation("numerics")
def test_every_shipped_model_balances(name: str, agrees: Agrees) -> None:
    """Over the whole of its run: with landings, locked wheels, standstill and switched inputs."""
    system, inputs, step, steps = shipped(name)
    if name == "off-road-truck":
        steps = round(6.0 / step)  # its gears are changed by then
    audit = audit_energy(system, steps * step, step=step, inputs=inputs)
    assert audit.unknown == ()
    assert audit.flow > 0.0
    agrees(
        "models of the package, each in the run of its file: energy less work, over the flow",
        audit.relative_residual, 0.0, abs=1e-8, case=name, source="Balance of energy",
    )  # fmt: skip


# Where RK4 with the proposed step leaves more than 1e-8: what it leaves, and the parts of that
# step in which it meets 1e-8. The slider-crank turns through its stretched position within a few
# steps. All others have a force that fades within a step or two: that of tyres started
# off the balance of their damped springs and slips, or of the dropped tyre after it lands.
ERROR_OF_STEPS = {
    "slider-crank": (1e-6, 4),
    "compact-car": (1e-6, 4),
    "bicycles-friction": (1e-6, 4),
    "motorcycle-jump": (2e-8, 2),
    "drifting-car": (1e-6, 4),
    "dropped-tyre": (2e-4, 8),
}


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(n, marks=marks(n)) for n in ERROR_OF_STEPS])
def test_what_rk4_leaves_is_its_error(name: str) -> None:
    """Over a tenth of the run. An error falls by 2^4 with half the step; a leak would stay."""
    system, inputs, step, steps = shipped(name)

    def residual(parts: int) -> float:
        return audit_energy(
            system, round(0.1 * steps) * step, step=step / parts, method="rk4",
            inputs=inputs, record_interval=step,
        ).relative_residual  # fmt: skip

    bound, parts = ERROR_OF_STEPS[name]
    found = residual(1)
    assert 1e-8 < found < bound
    coarse, fine = residual(parts // 2) if parts > 2 else found, residual(parts)
    assert fine < 1e-8
    assert np.log2(coarse / fine) == pytest.approx(4.0, abs=0.5)


def test_a_system_without_components_is_refused() -> None:
    time = Quantity("time", "s", "time", Role.TIME)
    state = Quantity("x", "m", "a number", Role.COORDINATE)
    bare = System("bare", time, (state,), (), (), (-symbol("x"),), (), (), None)
    with pytest.raises(EnergyAuditError, match="bare was not made from components"):
        audit_energy(bare, 1.0, step=1e-2)


def test_the_verdict_tells_an_error_of_steps_from_a_leak() -> None:
    audit = audit_energy(falling("spring"), 1.0, step=0.1, method="rk4")
    assert "subdivided steps" not in audit.verdict
    explained = replace(audit, fine_residual=2e-12).verdict
    assert "With subdivided steps it is 2.0e-12: it is step error." in explained
    assert "not all of it is step error" in replace(audit, fine_residual=1e-5).verdict


def test_the_text_lists_components_by_size() -> None:
    text = str(audit_energy(falling("spring", "damper", "push"), 1.0, step=1e-2))
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["push", "damper", "spring"]
    assert "of the" in lines[-1]
    assert np.isfinite(float(lines[0].split()[1]))
