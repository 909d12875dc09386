"""Lift-off, flight and landing: smooth enough for fixed steps, and never a gain of energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanisms.dropped import GRAVITY, MASS, RADIUS, SHAPES, VERTICALS, Ice, falling, flying, peaks

import axletree as at

FIALA = at.Fiala(**at.Fiala.example)


def fall(model: Any, step: float, time: float = 3.0, **start: float) -> Any:
    initial = {"mast.position": RADIUS + 0.3, **start}
    return model.formulate().simulate(
        time, step=step, record_interval=1e-3, initial=initial, outputs=["tyre.Fz"], watch=False
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lean", [0.0, 0.5])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("vertical", VERTICALS)
def test_no_bounce_is_higher_than_the_one_before(vertical: str, shape: str, lean: float) -> None:
    model = falling(lean, Ice(), normal_force=VERTICALS[vertical], contact=SHAPES[shape])
    run = fall(model, 1e-3)
    tops = peaks(run["mast.position"])
    assert len(tops) > 3
    assert np.all(np.diff(tops) < 1e-5)  # of a metre, by steps of 1 ms
    assert np.all(run["tyre.Fz"] >= 0.0)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("vertical", ["linear", "kelvin", "elasto"])
def test_without_damping_it_comes_back_to_where_it_fell_from(vertical: str, shape: str) -> None:
    """And the error falls as the step does, over touch-down and lift-off."""
    force = {**VERTICALS[vertical], "damping": 0.0}
    system = falling(0.3, Ice(), normal_force=force, contact=SHAPES[shape])
    losses = []
    for step in (1e-3, 2.5e-4):
        tops = peaks(fall(system, step, 2.0)["mast.position"])
        losses.append(float(np.abs(tops - tops[0]).max()))
    assert losses[0] < 1e-4  # of a metre, over five bounces
    assert losses[1] < 0.5 * losses[0]


@pytest.mark.parametrize("vertical", VERTICALS)
def test_it_comes_to_rest_under_its_weight(vertical: str) -> None:
    force = dict(VERTICALS[vertical]) | ({} if vertical == "gehmann" else {"damping": 3e3})
    run = fall(falling(0.0, FIALA, normal_force=force), 5e-4, 6.0)
    assert run["tyre.Fz"][-1] == pytest.approx(MASS * GRAVITY, rel=1e-3)
    assert abs(run["mast.speed"][-1]) < 1e-4


@pytest.mark.parametrize("shape", SHAPES)
def test_pressed_in_along_the_normal_a_wheel_on_ice_keeps_its_energy(shape: str) -> None:
    """It falls, leans, rocks, spins and bounces; every exchange is reversible."""
    contact = {**SHAPES[shape], "deflects": "normal"}
    model = flying(Ice(), normal_force={"type": "linear", "stiffness": 2e4}, contact=contact)
    system = model.formulate()
    run = system.simulate(
        1.2, step=1e-4, record_interval=1e-3,
        initial={
            "flight.z": RADIUS + 0.1, "flight.roll": 0.35, "flight.wz": 2.0, "flight.wx": -0.4,
            "axle.rate": 15.0,
        },
        outputs=["energy.total", "tyre.loaded_radius", "tyre.inclination"],
    )  # fmt: skip
    depth = np.maximum(RADIUS - run["tyre.loaded_radius"], 0.0)
    total = run["energy.total"] + 0.5 * 2e4 * depth**2
    assert np.count_nonzero(np.diff((depth > 0.0).astype(int))) >= 2  # landed and lifted
    assert np.ptp(run["tyre.inclination"]) > 0.3
    scale = MASS * GRAVITY * RADIUS
    assert np.abs(total - total[0]).max() < 1e-4 * scale


def upright(run: Any) -> np.ndarray:
    """The vertical part of the direction in the wheel plane that goes up."""
    return np.asarray(np.cos(run["tyre.inclination"]))


MOVING: dict[str, dict[str, Any]] = {
    "torsion": {"belt": at.TorsionBelt(inertia=0.5, stiffness=1e4, damping=10.0)},
    "longitudinal-lateral": {
        "belt": at.LongitudinalLateralBelt(longitudinal_damping=100.0, lateral_damping=100.0)
    },
    "quad": {"belt": at.QuadBelt(damping=50.0, twist_damping=2.0)},
    "second-order": {
        "contact_dynamics": at.SecondOrderContact(longitudinal_damping=200.0, lateral_damping=200.0)
    },
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("word", MOVING)
@pytest.mark.parametrize("shape", SHAPES)
def test_belts_and_contact_points_gain_nothing_at_a_landing(word: str, shape: str) -> None:
    """A spinning wheel lands, rolls off and bounces; what its parts store counts, too."""
    contact = {**SHAPES[shape], "deflects": "normal"}
    model = flying(FIALA, normal_force=VERTICALS["elasto"], contact=contact, **MOVING[word])
    system = model.formulate()
    stored = [d.quantity.name for d in system.outputs if d.quantity.name.endswith("_energy")]
    assert len(stored) == 1
    start = {"flight.z": RADIUS + 0.3, "flight.roll": 0.1, "axle.rate": 20.0}
    start |= {q.name: 20.0 for q in system.states if q.name == "tyre.belt_rate"}
    run = system.simulate(
        1.5, step=2e-4, record_interval=2e-3, initial=start, watch=False,
        outputs=["energy.total", "tyre.Fz", "tyre.inclination", *stored],
    )  # fmt: skip
    for name in run.names:
        assert np.all(np.isfinite(run[name]))
    total = run["energy.total"] + run[stored[0]]
    if word == "quad":  # the weight of the ring works on its height
        mass = MOVING[word]["belt"].mass
        total = total + mass * GRAVITY * (run["flight.z"] + run["tyre.belt_z"] * upright(run))
    in_air = total[run["tyre.Fz"] == 0.0]
    assert len(in_air) > 100
    assert np.all(np.diff(in_air) < 1e-4 * total[0])
    assert in_air[-1] < in_air[0] - 1.0
