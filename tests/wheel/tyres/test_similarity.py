"""Laws that know one friction, on ground with a share of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mechanisms.laws import LAWS_OF_FORCES

import axletree as at
from axletree.wheel.bound_law import BySimilarity
from axletree.wheel.contract import Contact, TyreLaw
from axletree.wheel.tyre import Tyre

SLIPS = np.linspace(0.0, 3.0, 3001)


def law_named(name: str) -> TyreLaw:
    return at.read_tyre_law(name)


@pytest.mark.parametrize("name", ["fiala", "brush", "tmeasy", "linear", "magic-formula-5.2"])
@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_curves_are_lower_and_narrower_alike(name: str, share: float) -> None:
    law = law_named(name)
    on_ice = BySimilarity(law).forces(
        Contact(4000.0, SLIPS * share, 0.0, forward_speed=20.0, friction=share), law.numbers
    )
    dry = law(Contact(4000.0, SLIPS, 0.0, forward_speed=20.0))
    assert np.broadcast_to(on_ice.Fx, SLIPS.shape) == pytest.approx(
        share * np.broadcast_to(dry.Fx, SLIPS.shape), rel=1e-12, abs=1e-9
    )


def test_small_slip_does_not_feel_it() -> None:
    law = law_named("fiala")
    small = Contact(4000.0, 1e-6, -2e-6, forward_speed=20.0)
    ice, dry = BySimilarity(law).forces(replace(small, friction=0.3), law.numbers), law(small)
    assert (ice.Fx, ice.Fy) == pytest.approx((dry.Fx, dry.Fy), rel=1e-4)


def test_no_friction_is_finite() -> None:
    law = law_named("magic-formula-5.2")
    found = BySimilarity(law).forces(
        Contact(4000.0, SLIPS, 0.4, forward_speed=20.0, friction=0.0), law.numbers
    )
    assert np.isfinite(found.Fx).all()
    assert np.abs(found.Fx).max() < 100.0


@pytest.mark.parametrize("name", LAWS_OF_FORCES)
def test_laws_that_know_friction_use_it(name: str) -> None:
    """What a law does with the ground's friction is what it says it does."""
    law = law_named(name)
    sliding = Contact(4000.0, -0.6, 0.3, forward_speed=20.0, radius=0.3)
    changed = law(replace(sliding, friction=0.3)).Fx != law(sliding).Fx
    assert changed == law.knows_friction


@pytest.mark.filterwarnings("ignore:.*its slip times the tangent")  # it spins
def test_a_car_turns_on_split_ground() -> None:
    """Braked on ice to the left and asphalt to the right it turns to the right."""
    described, car = at.read_model("car"), at.Model("car")
    ground = at.Flat(friction_map=at.SplitFriction(left=0.1, right=1.0))
    for part in described:
        car.add(replace(part, surface=ground) if isinstance(part, Tyre) else part)
    car.start.update(described.start)
    brakes = {f"{a}_{b}_brake.torque": -800.0 for a in ("front", "rear") for b in ("left", "right")}
    system = car.formulate()
    run = system.simulate(1.5, step=5e-4, inputs=brakes, outputs=[])
    assert run["chassis.yaw"][-1] < -0.05
