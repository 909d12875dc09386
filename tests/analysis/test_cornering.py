"""Turns that vehicles hold, against closed forms and against one another."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from agreement import Agrees
from analysis.plain_car import (
    FRICTION,
    SINGLE,
    TEXT,
    bicycle_of,
    loads_and_heights,
    plain_model,
    with_friction,
)
from scipy.optimize import minimize_scalar

import axletree as at
from axletree.analysis.handling.cornering_curve import cornering_curve, course_at_speed
from axletree.analysis.handling.g_g_diagram import g_g_diagram
from axletree.analysis.handling.turn_branch import Ending, follow_turns
from axletree.analysis.handling.yaw_moment import held, yaw_moment_diagram
from axletree.analysis.steady.turning import Turning, described_vehicle, turning_of
from axletree.core.errors import TrimError
from axletree.model.model import STANDARD_GRAVITY

SPEED = 25.0  # m/s
RATIO = 16.0
C_F, C_R = 5.0e4, 5.5e4


@cache
def sedan() -> Turning:
    return turning_of(at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}}))


@cache
def plain(folder: Path) -> Turning:
    return turning_of(plain_model(folder, SINGLE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plain")


@pytest.mark.validation("vehicles")
def test_understeer_gradient_of_the_single_track_model(folder: Path, agrees: Agrees) -> None:
    turning = plain(folder)
    bicycle = bicycle_of(turning.of.vehicle, C_F, C_R)
    way = follow_turns(turning, course_at_speed(SPEED), turning.straight(SPEED), 0.0, 1.0, 0.5)
    by_lateral = way.slopes[0][turning.names.index("driver.steering")] / RATIO
    L = bicycle.a + bicycle.b
    assert by_lateral == pytest.approx(L / SPEED**2 + bicycle.K, rel=1e-7)
    curve = cornering_curve(turning, SPEED)
    found = {one.name: one.value for one in curve.findings}
    agrees(
        "steady cornering: understeer gradient", np.radians(found["understeer_gradient"]),
        bicycle.K, rel=2e-3, unit="rad s²/m", source="Closed form, single-track model",
    )  # fmt: skip
    agrees(
        "steady cornering: characteristic speed", found["characteristic_speed"] / 3.6,
        np.sqrt(L / bicycle.K), rel=1e-3, unit="m/s", source="Closed form, single-track model",
    )  # fmt: skip
    assert np.isnan(found["critical_speed"])


def test_slip_angles_of_the_handling_diagram(folder: Path) -> None:
    """The difference of slip angles is the angle of the road wheels less wheelbase / radius."""
    curve = cornering_curve(plain(folder), SPEED)
    few = np.abs(curve.lateral) < 2.0
    assert curve.slip_difference[few] == pytest.approx(curve["steer.understeer"][few], abs=3e-6)


@pytest.mark.validation("vehicles")
def test_yaw_moments_of_the_single_track_model(folder: Path, agrees: Agrees) -> None:
    turning = plain(folder)
    bicycle = bicycle_of(turning.of.vehicle, C_F, C_R)
    diagram = yaw_moment_diagram(turning, SPEED, sideslip=1e-4, steer=1e-4, lines=3)
    for i, beta in enumerate(diagram.sideslip):
        for j, delta in enumerate(diagram.steering / RATIO):
            lateral, moment = bicycle.held(SPEED, beta, delta)
            assert diagram.lateral[i, j] == pytest.approx(lateral, rel=1e-5, abs=1e-9)
            assert diagram.moment[i, j] == pytest.approx(moment, rel=1e-5, abs=1e-6)
    found = {one.name: one.value for one in diagram.findings}
    (A, N), weight = bicycle.held(SPEED, 1e-6, 0.0), bicycle.m * STANDARD_GRAVITY
    stability = N / (weight * (bicycle.a + bicycle.b)) / (A / STANDARD_GRAVITY)
    agrees(
        "yaw moment diagram: stability index", found["stability_index"], stability, rel=1e-6,
        source="Closed form, single-track model",
    )  # fmt: skip


@pytest.mark.validation("vehicles")
def test_turns_are_those_of_steady_state(agrees: Agrees) -> None:
    """Found by other equations: compiled rows here, exact slopes and a yaw rate there."""
    turning, lateral = sedan(), 6.0
    turn = turning.solve(course_at_speed(SPEED), turning.straight(SPEED), lateral)
    assert turn is not None
    told = turning.columns([turn])
    speed = "sqrt(vehicle.forward_speed^2 + vehicle.lateral_speed^2)"
    system = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}}).formulate()
    near = dict(zip(turning.names[:-4], turn[:-4], strict=True))
    steady = system.trim(
        {speed: SPEED, f"{speed}*vehicle.yaw_rate": lateral},
        ["driver.steering", "driver.throttle"],
        start={**near, "driver.throttle": 0.3},
    )
    agrees(
        "sedan at 25 m/s and 6 m/s²: steering wheel", told["driver.steering"][0],
        steady.inputs["driver.steering"], rel=1e-8, unit="rad",
        source="Another formulation, equations of a yaw rate with exact slopes",
    )  # fmt: skip
    assert steady.inputs["driver.throttle"] == pytest.approx(told["driver.effort"][0], rel=1e-8)
    assert steady["front_left_tyre.Fy"] == pytest.approx(told["front_left_tyre.Fy"][0], rel=1e-8)


def test_left_and_right_are_alike() -> None:
    left, right = (cornering_curve(sedan(), SPEED, to_the_right=side) for side in (False, True))
    assert left.limit == pytest.approx(right.limit, rel=1e-9)
    for name in ("driver.steering", "path.sideslip", "vehicle.yaw_rate"):
        assert left[name][-1] == pytest.approx(-right[name][-1], rel=1e-5)
    assert left["front_left_tyre.Fz"] == pytest.approx(right["front_right_tyre.Fz"], rel=1e-6)


def test_turns_of_the_handling_diagram_have_no_yaw_moment() -> None:
    turning = sedan()
    curve = cornering_curve(turning, SPEED)
    assert curve.ending is Ending.GRIP
    for k in (len(curve.lateral) // 4, len(curve.lateral) // 2, -4):
        beta, wheel = curve["path.sideslip"][k], curve["driver.steering"][k]
        turn = turning.solve(
            course_at_speed(SPEED), turning.straight(SPEED), 0.8 * curve.lateral[k]
        )
        assert turn is not None
        found = turning.solve(held(SPEED, beta, wheel), turn)
        assert found is not None
        told = turning.columns([found])
        assert told["path.lateral"][0] == pytest.approx(curve.lateral[k], rel=1e-7)
        assert told["restraint.Mz"][0] == pytest.approx(0.0, abs=1e-4)  # N m


def test_the_lateral_limit_is_that_of_cornering_and_braking_is_symmetric() -> None:
    turning = turning_of(at.read_model("sedan", {"vehicle": {"fidelity": "two-track-static"}}))
    diagram = g_g_diagram(turning, [SPEED], directions=3)
    (one,) = diagram.envelopes
    assert one.lateral[1] == pytest.approx(cornering_curve(turning, SPEED).limit, rel=1e-9)
    assert one.lateral == pytest.approx([0.0, one.lateral[1], 0.0, -one.lateral[1]], abs=1e-9)
    assert one.along[0] > 0.0 > one.along[2]


@pytest.mark.validation("vehicles")
def test_limits_straight_ahead_in_closed_form(folder: Path, agrees: Agrees) -> None:
    """Wheels in front braked, at the rear driven, come to the greatest force of their tyres.

    Loads are as they stand, and wheels have no inertia that counts.
    """
    turning = turning_of(plain_model(folder, with_friction()))
    vehicle = turning.of.vehicle
    loads, heights = loads_and_heights(vehicle)
    mu, loss, C = FRICTION["peak_friction"], 0.3, FRICTION["slip_stiffness"]

    def force(slip: float, load: float) -> float:
        limit = (mu - loss * slip) * load
        n = C * slip / limit
        return -limit * (n if n < 0.5 else 1.0 - 0.25 / n)

    def best(axle: str) -> float:
        found = minimize_scalar(
            force, bounds=(0.01, 0.9), args=(loads[axle],), method="bounded",
            options={"xatol": 1e-9},
        )  # fmt: skip
        return float(-found.fun)

    rear = best("front") * (1000.0 / heights["rear"]) / (2000.0 / heights["front"])
    braked = 2.0 * (best("front") + rear) / vehicle.mass
    (one,) = g_g_diagram(turning, [SPEED], directions=3).envelopes
    agrees(
        "g-g diagram: greatest deceleration", -one.along[2], braked, rel=1e-6, unit="m/s²",
        source="Closed form, greatest forces of the tyres",
    )  # fmt: skip
    agrees(
        "g-g diagram: greatest acceleration", one.along[0], 2.0 * best("rear") / vehicle.mass,
        rel=1e-6, unit="m/s²", source="Closed form, greatest forces of the tyres",
    )  # fmt: skip
    assert one.endings[2] is one.endings[0] is Ending.GRIP


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(TrimError, match="no section `vehicle`"):
        described_vehicle(at.read_model("pendulum"))
    with pytest.raises(TrimError, match="either a speed or a radius"):
        cornering_curve(sedan())
    with pytest.raises(TrimError, match="positive"):
        cornering_curve(sedan(), -3.0)
    with pytest.raises(TrimError, match="odd number"):
        yaw_moment_diagram(sedan(), SPEED, lines=4)


def test_a_vehicle_without_a_drive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pushed.yaml").write_text(TEXT.replace("drive: {torque: 1500 N*m}", ""))
    with pytest.raises(TrimError, match="drive"):
        turning_of(at.read_model(str(tmp_path / "pushed.yaml"), SINGLE))


@pytest.mark.slow
def test_the_whole_vehicle_leans_on_its_wheels() -> None:
    """Moments about the ground under the middle of the vehicle, of a full model."""
    turning = turning_of(at.read_model("sedan"))
    curve = cornering_curve(turning, radius=80.0)
    assert curve.ending is Ending.GRIP
    vehicle = turning.of.vehicle
    sides = {"left": 1.0, "right": -1.0}
    loads = {n: c[0] for n, c in curve.columns.items() if n.endswith("_tyre.Fz")}
    assert sum(loads.values()) == pytest.approx(turning.of.weight, rel=5e-3)  # less lift
    k = int(np.searchsorted(curve.lateral, 4.0))
    leaning = -sum(
        0.5 * axle.track * sign * curve[f"{name}_{side}_tyre.Fz"][k]
        for name, axle in vehicle.axles.items()
        for side, sign in sides.items()
    )
    height = vehicle.body.centre_height * vehicle.body.mass
    height += sum(axle.unsprung_mass * axle.wheel.radius for axle in vehicle.axles.values())
    assert leaning == pytest.approx(height * curve.lateral[k], rel=0.12)  # and weight to the side
    assert curve["path.speed"][k] ** 2 / 80.0 == pytest.approx(curve.lateral[k], rel=1e-9)
