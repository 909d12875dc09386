"""Reactions that the motion does not determine are named; those that it determines are not.

Second sources: another choice of which constraint is left out, by another tree, gives other values
of exactly the reactions that are named; and equilibrium of a door.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.cli.run import EXIT_UNRELIABLE
from axletree.simulation.formats.contract import read_trajectory

AXES = "xyz"


def vectors(joint: str, *whats: str) -> set[str]:
    return {f"{joint}.reaction.{what}" for what in whats}


def door(*kinds: Any) -> Any:
    """Hung from above each other on the z axis, its centre of mass 0.4 m aside."""
    model = at.Model("door", gravity=(0.0, 0.0, -9.81))
    leaf = model.add(at.RigidBody("leaf", 20.0, (6.0, 7.0, 1.1)))
    for k, kind in enumerate(kinds):
        post = model.ground.point(0, 0, 0.8 * k, f"post{k}")
        model.add(kind(f"hinge{k}", post, leaf.point(-0.4, 0, 0.8 * k - 0.8, f"edge{k}")))
    return model


def hinge(name: str, tail: Any, head: Any) -> Any:
    return at.Revolute(name, tail, head, axis="z")


def four_bar(out_of_plane: float = 0.0) -> Any:
    """Four hinges along z; gravity may pull out of the plane."""
    model = at.Model("four_bar", gravity=(0.0, -9.81, out_of_plane))
    ends = {}
    for name, length in (("crank", 0.3), ("coupler", 0.9), ("rocker", 0.7)):
        body = model.add(at.RigidBody(name, 1.0, (0.01, length**2 / 12, length**2 / 12)))
        ends[name] = body.point(-length / 2, 0, 0, "start"), body.point(length / 2, 0, 0, "end")
    pivot = model.ground.point(1.0, 0, 0, "pivot")
    joints = {
        "a": (model.ground, ends["crank"][0]),
        "b": (ends["crank"][1], ends["coupler"][0]),
        "c": (ends["coupler"][1], ends["rocker"][1]),
        "d": (pivot, ends["rocker"][0]),
    }
    for name, (tail, head) in joints.items():
        model.add(hinge(name, tail, head))
    model.start = {"a.angle": 1.0, "b.angle": -0.5, "d.angle": 1.7, "c.angle": 1.2}
    return model


def test_tree_has_none() -> None:
    assert not at.read_model("pendulum").formulate().undetermined
    assert not door(hinge).formulate().undetermined


def test_bricard_names_all_its_hinges() -> None:
    system = at.read_model("bricard").formulate()
    assert {name.partition(".")[0] for name in system.undetermined} == {
        f"hinge{k}" for k in range(1, 7)
    }
    assert set(system.undetermined.values()) == {system.redundant}
    with pytest.warns(UserWarning, match=r"hinge1 .*hinge6\.Mz is redundant and left out") as told:
        run = system.simulate(0.01, step=1e-3, outputs=["hinge1.reaction.force.x"])
    assert run.note
    assert run.note in str(told[0].message)
    assert "a bushing" in run.note


def test_runs_that_do_not_ask_for_them_do_not_warn(tmp_path: Path) -> None:
    system = at.read_model("bricard").formulate()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        everything = system.simulate(0.01, step=1e-3)
        others = system.simulate(0.01, step=1e-3, outputs=["energy.total"])
    assert (everything.note, others.note, others.caveat) == ("", "", "")
    assert "hinge1, hinge2, hinge3, hinge4, hinge5" in everything.caveat
    assert everything.caveat in repr(everything)
    again = read_trajectory(everything.to_npz(tmp_path / "run.npz"))
    assert again.caveat == everything.caveat


def test_door_on_two_balls_leaves_open_which_of_them_carries_it() -> None:
    """m g is shared in any way; the couple of the lever 0.4 m over 0.8 m is not."""
    system = door(at.Spherical, at.Spherical).formulate()
    assert {n for n in system.undetermined if ".reaction." in n} == {
        *vectors("hinge0", "force.z"), *vectors("hinge1", "force.z")
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lateral = ["hinge0.reaction.force.x", "hinge1.reaction.force.x"]
        pull = system.outputs_at(system.state({}), lateral)
    assert abs(pull[lateral[0]]) == pytest.approx(20.0 * 9.81 * 0.4 / 0.8)
    with pytest.warns(UserWarning, match=r"hinge0 \(force\.z\) are not determined"):
        system.outputs_at(system.state({}), ["hinge0.reaction.force.z"])


def test_door_on_three_hinges_leaves_all_of_them_open() -> None:
    system = door(hinge, hinge, hinge).formulate()
    assert vectors("hinge0", "force.x", "force.y", "force.z", "moment.x", "moment.y") <= set(
        system.undetermined
    )


def test_door_on_a_ball_and_a_bushing_is_determined() -> None:
    model = door(at.Spherical)
    top, edge = model.ground.point(0, 0, 0.8, "top"), model["leaf"].point(-0.4, 0, 0, "edge")
    model.add(at.Bushing("rest", top, edge, stiffness=(1e6, 1e6, 1e6)))
    assert not model.formulate().undetermined


@pytest.mark.parametrize("tree", [None, ["a", "b", "d"], ["a", "b", "c"]])
def test_planar_linkage_of_spatial_hinges_is_determined_in_its_plane(tree: Any) -> None:
    system = four_bar().formulate(tree=tree)
    named = {name for name in system.undetermined if ".reaction." in name}
    assert vectors("a", "force.z", "moment.x", "moment.y") <= named
    assert not {n for n in named if n.endswith(("force.x", "force.y", "moment.z"))}


def test_what_is_named_depends_on_which_constraint_is_left_out() -> None:
    """Two trees leave out constraints of two joints: only what is named differs."""
    systems = [four_bar(2.0).formulate(tree=tree) for tree in (["a", "b", "d"], ["a", "b", "c"])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, second = (s.outputs_at(s.state({"a.angle": 1.0, "a.rate": 2.0})) for s in systems)
    names = [f"{j}.reaction.{w}.{x}" for j in "ab" for w in ("force", "moment") for x in AXES]
    differ = {n for n in names if not np.isclose(first[n], second[n], rtol=1e-6, atol=1e-6)}
    assert differ
    assert differ <= set(systems[0].undetermined)
    assert {"a.reaction.force.x", "b.reaction.force.y"}.isdisjoint(differ)


def test_three_parallel_cranks_press_along_themselves_wherever_they_start() -> None:
    """Upright they press along y alone, and a little later along x, too."""
    model = at.Model("cranks", gravity=(0.0, -9.81, 0.0))
    beam = model.add(at.RigidBody("beam", 2.0, (1.0, 1.0, 1.0)))
    for k in range(3):
        crank = model.add(at.RigidBody(f"crank{k}", 1.0, (0.1, 0.1, 0.1)))
        foot = model.ground.point(k, 0, 0, f"foot{k}")
        model.add(hinge(f"foot{k}", foot, crank.point(0, -0.5, 0, "foot")))
        model.add(
            hinge(f"head{k}", crank.point(0, 0.5, 0, "head"), beam.point(k - 1, 0, 0, f"h{k}"))
        )
    system = model.formulate()
    assert system.degrees_of_freedom == 1
    for k in range(3):
        assert vectors(f"foot{k}", "force.x", "force.y", "force.z") <= set(system.undetermined)


def test_driven_joint_is_no_redundancy() -> None:
    """A joint and what drives it hold its body together."""
    model = at.Model("arm")
    arm = model.add(at.RigidBody("arm", 1.0, (1.0, 1.0, 1.0)))
    model.add(hinge("pin", model.ground, arm.point(-0.5, 0, 0, "end")))
    model.add(at.RotationDriver("motor", model["pin"], angle="t"))
    assert not model.formulate().undetermined


def test_trim_warns_of_one_that_is_read() -> None:
    held = door(at.Spherical, at.Spherical).formulate().trim({})
    with pytest.warns(UserWarning, match="not determined by the motion"):
        assert np.isfinite(held["hinge1.reaction.force.z"])


def test_command_line_says_so(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path)]
    chosen = ["run", "bricard", "--duration", "0.01", "--output", "hinge1.reaction.force.x"]
    warnings.simplefilter("always")  # as the command has it; pytest sets it back
    done = CliRunner().invoke(app, [*chosen, "--strict", *out])
    assert done.exit_code == EXIT_UNRELIABLE, done.output
    assert "reactions of hinge1 are not determined" in done.stderr
    assert "hinge6.Mz is redundant" in (tmp_path / "report.html").read_text()
    derived = CliRunner().invoke(app, ["derive", "bricard"]).output
    assert "are not determined by the motion" in derived
