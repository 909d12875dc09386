"""Ready-made tyres by name: what they are made of, what replaces it, and mistakes with lines."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from model_files.schema_check import validator

import axletree as at
from axletree import catalogue
from axletree.core.errors import ModelError
from axletree.model_files.included_files import read_ready_made
from axletree.wheel.tyre import Tyre

# Andres 2009, figure 4.1, with vertical dynamics and shapes as its library has them:
# belt, contact point, normal force, law, shape.
FIGURE = {
    "slim-ideal": ("rigid", "none", "NoDeflection", "NoSlip", "PlanarDisc"),
    "slim-slipping": ("rigid", "none", "GehmannForce", "DryRollingFriction", "PlanarDisc"),
    "slim-advanced": ("rigid", "none", "ElastoForce", "AdvancedFriction", "PlanarDisc"),
    "slim-dynamic": ("rigid", "moves", "ElastoForce", "AdvancedFriction", "PlanarDisc"),
    "circular-advanced": ("rigid", "none", "ElastoForce", "AdvancedFriction", "Toroid"),
    "circular-dynamic": ("TorsionBelt", "none", "ElastoForce", "AdvancedFriction", "Toroid"),
    "belted-ideal": ("rigid", "none", "NoDeflection", "NoSlip", "Belted"),
    "belted-slipping": ("rigid", "none", "KelvinForce", "DryRollingFriction", "Belted"),
    "belted-advanced": ("rigid", "none", "ElastoForce", "AdvancedFriction", "Belted"),
    "belted-longitudinal-lateral": (
        "LongitudinalLateralBelt", "none", "ElastoForce", "AdvancedFriction", "Belted",
    ),
    "belted-quad": ("QuadBelt", "none", "ElastoForce", "AdvancedFriction", "Belted"),
}  # fmt: skip

WHEEL = """
components:
  cart: {type: rigid-body, mass: 100, inertia: [1, 1, 1]}
  track: {type: prismatic, tail: ground, head: cart, axis: x}
  wheel: {type: massless-body}
  axle: {type: revolute, tail: cart, head: wheel, axis: y}
"""


def rig() -> tuple[at.Model, Any]:
    model = at.Model("rig")
    cart = model.add(at.RigidBody("cart", 100.0, (1.0, 1.0, 1.0)))
    model.add(at.Prismatic("track", model.ground, cart, axis="x"))
    wheel = model.add(at.MasslessBody("wheel"))
    return model, model.add(at.Revolute("axle", cart, wheel, axis="y"))


def mounted(source: str | Path, **fields: Any) -> Tyre:
    model, axle = rig()
    return at.Tyre("tyre", axle, model.ground, **at.ready_tyre(source, **fields))


def read(tmp_path: Path, tyre: str) -> Tyre:
    path = tmp_path / "rig.yaml"
    path.write_text(f"{WHEEL}  tyre:\n    type: tyre\n    joint: axle\n    road: ground\n{tyre}")
    found = at.read_model(path)["tyre"]
    assert isinstance(found, Tyre)
    return found


def test_the_eleven_are_there() -> None:
    assert list(catalogue.READY_TYRES) == list(FIGURE)


@pytest.mark.parametrize("name", FIGURE)
def test_parts_are_those_of_the_figure(name: str) -> None:
    tyre = mounted(name)
    belt, point, normal_force, law, shape = FIGURE[name]
    assert type(tyre.belt).__name__ == ("RigidBelt" if belt == "rigid" else belt)
    assert bool(tyre.contact_dynamics.states()) == (point == "moves")
    assert type(tyre.normal_force).__name__ == normal_force
    assert type(tyre.law).__name__ == law
    assert type(tyre.contact).__name__ == shape
    assert read_ready_made(name, "READY_TYRES").description


@pytest.mark.parametrize("name", FIGURE)
def test_every_field_of_a_part_is_written_out(name: str) -> None:
    """So that a part within a part can be replaced without naming its type."""
    fields = at.ready_tyre(name)
    law = mounted(name).law
    within = [key for key in getattr(law, "__dataclass_fields__", {}) if key in fields["law"]]
    if name.endswith(("ideal", "slipping")):
        assert len(within) in (0, 2)
    else:
        assert len(within) == 7


def test_radii_are_those_of_a_rim_of_14_inches() -> None:
    """Andres 2009, eqs. (3.80 to 3.82): d = rRim + height - sqrt(r^2 - width^2 / 4)."""
    rim, height, r, width = 0.5 * 14 * 0.0254, 0.05, 0.075, 0.1
    crown = rim + height - math.sqrt(r**2 - 0.25 * width**2) + r
    assert mounted("belted-advanced").unloaded_radius == pytest.approx(crown, abs=5e-5)
    assert mounted("circular-advanced").unloaded_radius == pytest.approx(rim + height)
    assert mounted("slim-advanced").unloaded_radius == pytest.approx(0.5 * 28 * 0.0254)


def test_one_number_of_a_part_is_replaced() -> None:
    tyre = mounted("belted-advanced", normal_force={"stiffness": "2 MN/m"})
    assert (tyre.normal_force.stiffness, tyre.normal_force.damping) == (2e6, 1e3)  # type: ignore[attr-defined]


def test_one_number_of_a_part_within_a_part_is_replaced() -> None:
    slip = {"lateral_peak_friction": 1.3}
    law: Any = mounted("slim-advanced", law={"slip": slip}).law
    assert law.slip.lateral_peak_friction == 1.3
    assert type(law).__name__ == "AdvancedFriction"
    assert law.camber.gain == 1.0


def test_another_type_replaces_the_part_whole() -> None:
    tyre: Any = mounted("belted-advanced", normal_force={"type": "kelvin"}, rim="none")
    assert (tyre.normal_force.stiffness, tyre.normal_force.damping) == (1e6, 1e4)  # its own
    assert type(tyre.rim).__name__ == "NoRim"


def test_the_same_type_as_a_word_leaves_the_part() -> None:
    assert mounted("belted-advanced", normal_force="elasto").normal_force.damping == 1e3  # type: ignore[attr-defined]


def test_an_object_replaces_a_part() -> None:
    force = at.LinearNormalForce(stiffness=3e5)
    assert mounted("slim-slipping", normal_force=force).normal_force is force


def test_lists_in_parts_are_kept() -> None:
    heights = [[0.0, 0.1], [0.2, 0.3], [0.2, 0.2]]
    grid = mounted(
        "belted-advanced",
        surface={"type": "bicubic", "heights": heights, "length_x": 4, "length_y": 3},
    )
    bump = {"type": "bump", "rise": "8 cm", "length": 1.0}
    several = mounted("belted-advanced", surface={"type": "sum", "surfaces": [bump, at.Flat()]})
    assert grid.surface.height(2.0, 3.0, grid.surface.numbers) == pytest.approx(0.3, abs=1e-15)
    assert several.surface.height(0.5, 0.0, several.surface.numbers) == pytest.approx(0.08)


@pytest.mark.parametrize("name", FIGURE)
def test_a_file_says_the_same_as_python(tmp_path: Path, name: str) -> None:
    written = read(tmp_path, f"    like: {name}\n")
    made = mounted(name)
    for field in ("unloaded_radius", "rim", "belt", "contact", "contact_dynamics", "normal_force"):
        assert getattr(written, field) == getattr(made, field)
    assert written.law == made.law


def test_a_model_is_written_whole_and_reads_back(tmp_path: Path) -> None:
    tyre = read(tmp_path, "    like: belted-quad\n    belt: {damping: 50}\n")
    model = at.read_model(tmp_path / "rig.yaml")
    at.write_model(model, tmp_path / "again.yaml")
    again: Any = at.read_model(tmp_path / "again.yaml")["tyre"]
    assert again.belt == tyre.belt
    assert again.belt.damping == 50.0
    assert again.law == tyre.law


def test_a_tyre_of_ones_own_is_a_file_beside_the_model(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "description: mine\nlike: belted-advanced\nunloaded_radius: 30 cm\nlaw: {camber: none}\n"
    )
    tyre: Any = read(tmp_path, "    like: mine.yaml\n    law: {bore_torque: none}\n")
    assert tyre.unloaded_radius == 0.3
    effects = [type(e).__name__ for e in (tyre.law.camber, tyre.law.bore_torque, tyre.law.slip)]
    assert effects == ["NoCamberEffect", "NoBoreTorque", "CombinedFriction"]
    assert at.ready_tyre(tmp_path / "mine.yaml")["unloaded_radius"] == "30 cm"


@pytest.mark.parametrize(
    ("lines", "place", "said"),
    [
        ("    like: belted-advancd\n", "line 11, components.tyre.like", "did you mean"),
        ("    like: 5\n", "line 11, components.tyre.like", "name of a ready-made tyre"),
        ("    like: ../mine.yaml\n", "line 11, components.tyre.like", "outside the folder"),
        ("    like: none.yaml\n", "line 11, components.tyre.like", "no such file"),
        ("    like: slim-ideal\n    law: fiala\n", "line 12, components.tyre.law", "fiala needs"),
        (
            "    like: slim-advanced\n    normal_force:\n      stiffness: -1\n",
            "line 13, components.tyre.normal_force.stiffness",
            "greater than 0",
        ),
        (
            "    like: slim-advanced\n    widht: 1\n",
            "line 12, components.tyre.widht",
            "unknown key",
        ),
    ],
)
def test_mistakes_have_their_lines(tmp_path: Path, lines: str, place: str, said: str) -> None:
    with pytest.raises(ModelError) as error:
        read(tmp_path, lines)
    assert place in str(error.value)
    assert said in str(error.value)


def test_files_that_are_like_one_another_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("like: b.yaml\n")
    (tmp_path / "b.yaml").write_text("like: a.yaml\n")
    with pytest.raises(ModelError, match="never come to an end"):
        at.ready_tyre(tmp_path / "a.yaml")


def test_only_tyres_are_like_something(tmp_path: Path) -> None:
    path = tmp_path / "rig.yaml"
    path.write_text(WHEEL.replace("massless-body", "massless-body, like: slim-ideal"))
    with pytest.raises(ModelError, match="unknown key 'like'"):
        at.read_model(path)


@pytest.mark.parametrize(
    ("tyre", "right"),
    [
        ({"like": "slim-ideal"}, True),
        ({"like": "mine.yaml", "law": {"slip": {"lateral_peak_friction": 1.1}}}, True),
        ({"like": "slim-advanced", "normal_force": {"stiffness": 2e6}}, True),
        ({"like": "slim-idle"}, False),
        ({"like": "slim-ideal", "widht": 1}, False),
        ({}, False),
        ({"normal_force": {"stiffness": 2e6}}, False),
    ],
)
def test_the_schema_knows_them(tyre: dict[str, Any], right: bool) -> None:
    component = {"type": "tyre", "joint": "axle", "road": "ground", **tyre}
    errors = list(validator().iter_errors({"components": {"tyre": component}}))
    assert (errors == []) == right
