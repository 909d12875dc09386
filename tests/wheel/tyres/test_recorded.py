"""Where a tyre says that it meets the ground, and along which axes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import axletree as at
from axletree.model.model import Model

RADIUS = 0.3
WAVES = at.Sine(amplitude=0.05, wavelength=4.0, heading="30 deg")


def leaning_wheel(**parts) -> Model:
    """A wheel that yaws by 0.5 rad and leans by 0.3 rad to the right, at a fixed height."""
    model = at.Model("wheel")
    turns = [("z", 0.5), ("x", 0.3)]
    hub = model.ground.frame("hub", position=(1.0, 2.0, 0.28), turn=turns)
    wheel = model.add(at.BodyOfRevolution("wheel", 5.0, 0.4, 0.2, axis="y"))
    axle = model.add(at.Revolute("axle", hub, wheel, axis="y"))
    spring, law = at.LinearNormalForce(stiffness="100 kN/m"), at.Brush(**at.Brush.example)
    chosen = {"normal_force": spring, "law": law} | parts
    model.add(at.Tyre("tyre", axle, model.ground, RADIUS, **chosen))
    return model


def vectors(model: Model) -> dict[str, np.ndarray]:
    run = model.formulate().simulate(1e-3, step=1e-3)
    words = ("contact_point", "forward", "normal")
    return {word: np.array([run[f"tyre.{word}.{axis}"][0] for axis in "xyz"]) for word in words}


def test_on_flat_ground_it_is_below_the_disc_in_the_wheel_plane() -> None:
    found = vectors(leaning_wheel())
    left = 0.28 * math.tan(0.3)  # of a wheel that leans to the right the lowest point is left
    place = [1.0 - left * math.sin(0.5), 2.0 + left * math.cos(0.5), 0.0]
    assert found["contact_point"] == pytest.approx(place)
    assert found["forward"] == pytest.approx([math.cos(0.5), math.sin(0.5), 0.0])
    assert found["normal"] == pytest.approx([0.0, 0.0, 1.0])


def test_an_ideal_wheel_tells_the_same() -> None:
    loaded = vectors(leaning_wheel(law="no-slip"))
    assert loaded["contact_point"][2] == pytest.approx(0.0)
    assert loaded["contact_point"] == pytest.approx(vectors(leaning_wheel())["contact_point"])


@pytest.mark.parametrize(
    "shape", [at.PlanarDisc(), at.Toroid(crown_radius=0.05), at.Belted(crown_radius=0.1, width=0.1)]
)
def test_on_curved_ground_it_lies_there_and_the_axes_follow_the_slope(shape) -> None:
    found = vectors(leaning_wheel(contact=shape, surface=WAVES, contact_steps=6))
    x, y, z = found["contact_point"]
    assert z == pytest.approx(WAVES.height(x, y, WAVES.numbers), abs=2e-4)
    along, across = WAVES.slopes(x, y, WAVES.numbers)
    normal = np.array([-along, -across, 1.0]) / math.sqrt(1.0 + along**2 + across**2)
    assert abs(normal[0]) > 0.02
    assert found["normal"] == pytest.approx(normal, abs=2e-3)
    assert found["forward"] @ found["normal"] == pytest.approx(0.0, abs=1e-12)
