"""Energy over whole manoeuvres of the two vehicles (Morency 2007, sections 5.3 and 5.4).

Kinetic and potential energy change by the work of tyres, dampers, brakes and steering.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.analysis.energy import EnergyAudit, audit_energy
from axletree.system.system import System
from axletree.wheel.tyre import Tyre

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
# Torques at times; ramps take half a second (figures 5.8 and 5.20).
BRAKES = {
    "car": ([0.0, 2.0, 2.5, 4.5, 5.0, 10.0], [0.0, 0.0, -1000.0, -1000.0, 0.0, 0.0]),
    "skidder": ([0.0, 2.0, 2.5, 3.5, 4.0, 10.0], [0.0, 0.0, -20e3, -20e3, 0.0, 0.0]),
}
STEERING = {"car": ("steer", "front_right_steer"), "skidder": ("articulation",)}
START: dict[str, dict[str, float]] = {"car": {}, "skidder": {"chassis.wz": 0.0}}


@pytest.fixture(scope="module", params=["car", "skidder"])
def vehicle(request: pytest.FixtureRequest) -> tuple[str, System]:
    return request.param, shipped_system(request.param)


def steered(name: str, system: System, **settings: Any) -> EnergyAudit:
    return audit_energy(system, 10.0, inputs=at.read_model(name).run.inputs, **settings)


def braked(name: str, system: System, **settings: Any) -> EnergyAudit:
    inputs = {f"{corner}_brake.torque": BRAKES[name] for corner in CORNERS}
    return audit_energy(system, 10.0, inputs=inputs, initial=START[name], **settings)


def sum_of(audit: EnergyAudit, *names: str) -> float:
    return sum(value for name, value in audit.rows if name in names)


def check(audit: EnergyAudit) -> None:
    """At every record the residual is below 1e-8 of the change of energy itself."""
    assert audit.unknown == ()
    assert audit.residual < 1e-8 * abs(audit.energy[-1])
    assert audit.residual < 1e-8 * audit.flow


@pytest.mark.validation("numerics")
def test_sine_steer(vehicle: tuple[str, System], agrees: Agrees) -> None:
    name, system = vehicle
    audit = steered(name, system, method="rk4", step=1e-3, record_interval=0.01)
    check(audit)
    agrees(
        "vehicles, sine steer over 10 s: energy less work, over the change of energy",
        audit.residual / abs(audit.energy[-1]), 0.0, abs=1e-8, case=name,
        source="Balance of energy",
    )  # fmt: skip
    tyres = sum_of(audit, *(f"{c}_tyre" for c in CORNERS))
    assert tyres == pytest.approx(audit.energy[-1], rel=0.01)  # the steering does the rest
    assert sum_of(audit, *STEERING[name]) != 0.0
    assert sum_of(audit, *(f"{c}_brake" for c in CORNERS)) == 0.0


@pytest.mark.validation("numerics")
def test_braking(vehicle: tuple[str, System], agrees: Agrees) -> None:
    name, system = vehicle
    audit = braked(name, system, method="rk4", step=1e-3, record_interval=0.01)
    check(audit)
    agrees(
        "vehicles, braked over 10 s: energy less work, over the change of energy",
        audit.residual / abs(audit.energy[-1]), 0.0, abs=1e-8, case=name,
        source="Balance of energy",
    )  # fmt: skip
    brakes = sum_of(audit, *(f"{c}_brake" for c in CORNERS))
    assert 0.7 < brakes / audit.energy[-1] < 1.0  # the tyres take the rest by slip and rolling
    assert sum_of(audit, *STEERING[name]) == pytest.approx(0.0, abs=1e-9)
    assert all(value <= 1e-9 for _, value in audit.rows)  # nothing drives


def test_dampers_of_the_car_take_energy() -> None:
    system = shipped_system("car")
    audit = braked("car", system, step=1e-3, record_interval=0.01)
    springs = {share.component: share for share in audit.shares if "spring" in share.component}
    assert len(springs) == 4
    for share in springs.values():
        assert share.added[-1] < 0.0
        assert np.diff(share.added).max() < 1e-9  # what is heat stays heat


def test_another_method_and_law_balance_as_well() -> None:
    """Variable steps and Fiala's law: the audit depends on neither."""
    described, model = at.read_model("car"), at.Model("car")
    law = at.read_tyre_law("fiala")
    for part in described:
        model.add(replace(part, law=law) if isinstance(part, Tyre) else part)
    model.start = described.start
    check(
        steered(
            "car", model.formulate(), method="dop853", record_interval=0.1,
            relative_tolerance=1e-11, absolute_tolerance=1e-11,
        )
    )  # fmt: skip
