"""Springs, dampers and stops of suspensions by hard points: in curves, and what is told."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import axletree as at
from axletree.core.errors import ModelError
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.linkages.corner import CornerSuspension
from axletree.vehicles.linkages.parts.coilover import Coilover
from axletree.vehicles.suspensions import Independent

CAR = "double-wishbone-sports-car"
FAST = 1.5  # m/s


def line(damping: float) -> at.Curve:
    """What a damper of this damping [N s/m] does, as a curve."""
    return at.Curve((-FAST, 0.0, FAST), (-damping * FAST, 0.0, damping * FAST))


def suspension_of(name: str, axle: str = "front") -> Any:
    return at.read_model(name).described["vehicle"].axles[axle].suspension


def by_curve(suspension: Any) -> Any:
    """With the damper of its springs as a curve."""
    spring = suspension.spring
    other = dataclasses.replace(spring, damping=0.0, damper=line(spring.damping))
    return dataclasses.replace(suspension, spring=other)


@pytest.mark.parametrize("name", [CAR, "beam-axle-truck", "pushrod-formula-student"])
def test_a_straight_curve_damps_as_its_slope(name: str) -> None:
    """Of corners, of a beam, whose curves have no curve of a damper, and of rockers."""
    suspension = suspension_of(name)
    assert suspension.damping_rate() > 0.0
    assert by_curve(suspension).damping_rate() == pytest.approx(suspension.damping_rate())


@pytest.mark.parametrize("own", [0.0, 900.0])  # of the third damper [N s/m]
@pytest.mark.parametrize("third", [0.0, 500.0])  # of the same, by a curve
def test_dampers_of_corners_and_between_rockers_add_up(own: float, third: float) -> None:
    """Half of the force of a third damper is each wheel's."""
    suspension = suspension_of("pushrod-formula-student")
    upper = suspension.spring.lower
    across = Coilover(1.0, lower=upper, upper=(upper[0], -upper[1], upper[2]), damping=own + third)
    linear = dataclasses.replace(suspension, third_spring=across)
    assert linear.damping_rate() > suspension.damping_rate() or own + third == 0.0
    if third and own == 0.0:
        across = dataclasses.replace(across, damping=0.0, damper=line(third))
    curved = dataclasses.replace(by_curve(suspension), third_spring=across)
    assert curved.damping_rate() == pytest.approx(linear.damping_rate())


def test_the_data_sheet_and_plain_suspensions_know_dampers_by_curves() -> None:
    strut = Independent(stiffness=25e3, mass=20.0, damping=1800.0)
    curved = Independent(stiffness=25e3, mass=20.0, damper=line(1800.0))
    assert curved.damping_rate() == pytest.approx(strut.damping_rate())
    assert curved.plain().damping == pytest.approx(1800.0)
    changes = {"damping": 0.0, "damper": [[-1.0, -7000.0], [1.0, 7000.0]]}
    changed = {"vehicle": {"axles": {"front": {"suspension": {"spring": changes}}}}}
    sheets = [data_sheet(at.read_model(CAR, c).described["vehicle"]) for c in ({}, changed)]
    expected, found = ([r.value for r in s.rows if "damping" in r.name] for s in sheets)
    assert found == pytest.approx(expected)


def test_a_damper_that_is_given_twice() -> None:
    for make in (
        lambda: Coilover(5e4, damping=2000.0, damper=line(2000.0)),
        lambda: Independent(stiffness=2e4, mass=20.0, damping=2000.0, damper=line(2000.0)),
    ):
        with pytest.raises(ModelError, match=r"2000 N\*s/m is given beside 'damper'"):
            make()


# -- what is told -------------------------------------------------------------------------


def warnings_of(**spring: Any) -> str:
    changed = {"vehicle": {"axles": {"front": {"suspension": {"spring": spring}}}}}
    return " ".join(data_sheet(at.read_model(CAR, changed).described["vehicle"]).warnings)


def test_springs_that_would_pull() -> None:
    upside_down = {"lower": [-0.008, 0.61, 0.56], "upper": [-0.024, 0.5, 0.175]}
    assert "left_spring pulls with 7421 N at design" in warnings_of(**upside_down)
    assert "pulls" in warnings_of(gas_force=6e3)
    assert "pulls" not in warnings_of(gas_force=300.0)


def test_springs_on_the_other_side() -> None:
    said = warnings_of(lower=[-0.008, -0.61, 0.175])
    assert "left spring lower is on the right, at y = -610 mm" in said


def test_what_a_beam_by_curves_leaves_out() -> None:
    beam = by_curve(suspension_of("beam-axle-truck"))
    dampers, steers = beam.notes_on_beam
    assert "count by their slope" in dampers
    assert "-0.1 deg by which it steers" in steers
    full = {"vehicle": {"fidelity": "full"}}
    for changes, told in (({}, False), (full, True)):
        sheet = data_sheet(at.read_model("beam-axle-truck", changes).described["vehicle"])
        assert ("by which it steers" in " ".join(sheet.warnings)) is told


def test_springs_and_stops_that_cannot_be() -> None:
    with pytest.raises(ModelError, match=r"front_left_spring: it would pull with .* N at design"):
        warnings_of(gas_force=6e4)
    with pytest.raises(ModelError, match="but it is 400.7 mm long at design"):
        warnings_of(bump_clearance=10.0)


@pytest.mark.parametrize("name", ["static_camber", "static_toe"])
def test_wheels_that_lie_down(name: str) -> None:
    """A division by zero where steering is measured."""
    changed = {"vehicle": {"axles": {"front": {"suspension": {name: "90 deg"}}}}}
    with pytest.raises(ModelError, match=f"{name}: a wheel stands within 45 deg, got 90 deg"):
        at.read_model(CAR, changed)


def test_a_tie_rod_on_the_kingpin() -> None:
    suspension = suspension_of(CAR)
    assert isinstance(suspension, CornerSuspension)
    points: Any = suspension.points
    moved = dataclasses.replace(points, tie_rod_outer=points.lower_ball_joint)
    with pytest.raises(ModelError, match="a tie rod has to pass beside the kingpin"):
        dataclasses.replace(suspension, points=moved).settled(3000.0).wheel_rate()


def test_springs_that_do_not_hold_a_vehicle_at_its_design_height() -> None:
    """Nearly across the travel a soft spring turns over, and a root of a frequency was of -19."""
    stops = dict.fromkeys(("bump_clearance", "rebound_clearance"))
    ends = {"lower": [-0.008, 0.61, 0.2], "upper": [-0.008, 0.4, 0.25]}
    with pytest.raises(ModelError, match=r"do not hold it at design: .* is -18.72 N/m there"):
        warnings_of(stiffness=1000.0, **ends, **stops)
