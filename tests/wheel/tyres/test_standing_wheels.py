"""Wheels whose height is held, with every law that slips and every part beside it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.laws import LAWS_OF_FORCES
from mechanisms.two_wheeler import RADIUS, told, two_wheeler
from mechanisms.tyre import tyre_with
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected
from axletree.system.system import System
from axletree.wheel.contract import TyreLaw

TYRES = ("front_tyre", "rear_tyre")
WORDS = sorted(LAWS_OF_FORCES)
GROUNDS: dict[str, Any] = {
    "flat": "flat",
    "waves": {"type": "sine", "amplitude": 0.02, "wavelength": 3.0, "phase": 0.7, "heading": 0.4},
}
MOTIONS = {
    "at rest": {},
    "straight": {"body.vx": 20.0},
    "leaning": {"body.vx": 15.0, "body.roll": 0.15, "body.vy": 0.3, "body.yaw_rate": 0.1},
}
FIALA = at.Fiala(**at.Fiala.example)
COMPOSED = at.ComposedFriction(**at.ComposedFriction.example)
LAGS = {
    "constant-lag": {
        "type": "constant-lag", "longitudinal_length": 0.2, "lateral_length": 0.4,
    },
    "law-lag": "law-lag",
}  # fmt: skip


def made(word: str) -> TyreLaw:
    kind = load("tyre law", word, at.catalogue.TYRES)
    law: TyreLaw = kind(**kind.example)
    return law


@cache
def on(ground: str, word: str) -> System:
    contact = {"type": "toroid", "crown_radius": 0.08}
    return two_wheeler(made(word), surface=GROUNDS[ground], contact=contact).formulate()


def check(system: System, states: dict[str, float]) -> dict[str, float]:
    """Finite rates, loads that were found, and wheels that stay on the ground."""
    rates = system.rhs(states)
    assert np.isfinite(list(rates.values())).all()
    values = told(system, states)
    assert np.isfinite(list(values.values())).all()
    for tyre in TYRES:
        load = values[f"{tyre}.Fz"]
        assert abs(values[f"{tyre}.Fz_residual"]) < 1e-11 * abs(load)
    return values


ON_WAVES = ("composed", "fiala")  # of effects, and of one piece


def in_stages(cases: Iterable[Any]) -> list[Any]:
    """Every third for the quick stage."""
    listed = list(cases)
    quick = listed[::3]
    values = [case if isinstance(case, tuple) else (case,) for case in listed]
    return [
        pytest.param(*value, marks=[] if case in quick else pytest.mark.slow)
        for case, value in zip(listed, values, strict=True)
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("word", "ground"),
    [*in_stages((w, "flat") for w in WORDS), *in_stages((w, "waves") for w in ON_WAVES)],
)
def test_every_law_stands_rolls_brakes_and_leans(word: str, ground: str) -> None:
    system = on(ground, word)
    for name, given in MOTIONS.items():
        states = dict(system.trim(given, wheels=at.RollingWheels()).states)
        values = check(system, states)
        if name == "straight" and ground == "flat":
            states |= {f"{axle}_axle.rate": 0.9 * 20.0 / RADIUS for axle in ("front", "rear")}
            braked = check(system, states)
            slower = braked["body.vx_dot"] < values["body.vx_dot"]
            assert (braked["front_tyre.Fz"] > values["front_tyre.Fz"]) == slower


@pytest.mark.sampled(3)
@pytest.mark.parametrize("word", WORDS)
def test_a_wheel_that_is_pulled_has_no_friction(word: str) -> None:
    """Gravity upside down: the reactions pull, the law sees no load, nothing is undefined."""
    system = on("flat", word)
    states = dict(system.trim({"body.vx": 20.0, "body.vy": 0.5}, wheels=at.RollingWheels()).states)
    states["front_axle.rate"] *= 0.9
    values = told(system, states, {"gravity.z": 9.80665})
    assert np.isfinite(list(values.values())).all()
    for tyre in TYRES:
        assert values[f"{tyre}.Fz"] < -1000.0
        assert values[f"{tyre}.Fx"] == pytest.approx(0.0, abs=1e-9)
        assert values[f"{tyre}.Fy"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
def test_all_forms_find_the_same() -> None:
    given = MOTIONS["leaning"]
    start: dict[str, float] = {}
    answers = []
    for form in (Projected(), Baumgarte(), Partition()):
        system = two_wheeler(FIALA).formulate(form=form)
        start = start or dict(
            system.trim(given, wheels=at.RollingWheels(slip={"front_tyre": -0.04})).states
        )
        values = told(system, start)
        loads = [values[f"{tyre}.Fz"] for tyre in TYRES]
        answers.append([*system.rhs(start).values(), *loads])
    for answer in answers[1:]:
        assert answer == pytest.approx(answers[0], rel=1e-9, abs=1e-9)


def test_a_belt_that_moves_up_and_down_is_refused() -> None:
    with pytest.raises(ModelError, match="QuadBelt, moves up and down by itself"):
        tyre_with(law=FIALA, normal_force="none", belt="quad")


PARTS: dict[str, dict[str, Any]] = {
    "constant lag": {"law": FIALA, "slip": LAGS["constant-lag"]},
    "lag of the law": {"law": made("magic-formula-6.1"), "slip": LAGS["law-lag"]},
    "twisting belt": {"law": COMPOSED, "belt": "torsion"},
    "moving belt": {"law": COMPOSED, "belt": "longitudinal-lateral"},
    "contact point": {"law": COMPOSED, "contact_dynamics": "second-order"},
    "no lever": {"law": FIALA, "lever": "none"},
    "unloaded": {"law": FIALA, "rolling_radius": "unloaded"},
    "belted": {"law": COMPOSED, "contact": {"type": "belted", "width": 0.2, "crown_radius": 0.3}},
    "pressed": {"law": FIALA, "contact": {"type": "disc", "deflects": "normal"}},
    "side slip held": {
        "law": at.ComposedFriction(
            "dry-longitudinal", rolling_resistance="constant", overturning_torque="linear"
        ),
    },
    "slip held": {"law": at.ComposedFriction("no-slip", rolling_resistance="speed-dependent")},
    "rim": {"law": FIALA, "rim": {"type": "spoked"}},
}  # fmt: skip


@cache
def with_parts(name: str) -> System:
    given = dict(PARTS[name])
    return two_wheeler(given.pop("law"), **given).formulate()


@pytest.mark.parametrize("name", in_stages(PARTS))
def test_every_part_goes_with_it(name: str) -> None:
    system = with_parts(name)
    values = check(
        system,
        dict(system.trim({"body.vx": 12.0, "body.roll": 0.05}, wheels=at.RollingWheels()).states),
    )
    assert values["front_tyre.Fz"] > 1000.0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["constant lag", "moving belt", "contact point", "side slip held"])
def test_energy_is_audited(name: str) -> None:
    system = with_parts(name)
    given = {"body.vx": 12.0, "body.roll": 0.05}
    start = dict(system.trim(given, wheels=at.RollingWheels()).states)
    audit = system.audit_energy(0.1, step=1e-4, initial=start)
    assert audit.flow > 10.0
    assert audit.relative_residual < 1e-7


@pytest.mark.slow
def test_an_implicit_method_takes_its_jacobian() -> None:
    """Through the search for the loads; the explicit method goes the same way."""
    system = two_wheeler(made("linear")).formulate()
    start = dict(
        system.trim({"body.vx": 12.0, "body.roll": 0.05}, wheels=at.RollingWheels()).states
    )
    names = ["front_tyre.Fz", "body.vy"]
    explicit = system.simulate(0.2, step=1e-4, initial=start, outputs=names[:1])
    implicit = system.simulate(
        0.2, method="radau", initial=start, outputs=names[:1], record_interval=0.1,
        relative_tolerance=1e-9, absolute_tolerance=1e-11,
    )  # fmt: skip
    for name in names:
        assert implicit[name][-1] == pytest.approx(explicit[name][-1], rel=1e-6)


@pytest.mark.slow
def test_its_blocks_are_written(tmp_path: Path) -> None:
    """The load is a reaction: no intermediate variable, but computed before the law is called."""
    file = tmp_path / "two_wheeler.yaml"
    at.write_model(two_wheeler(FIALA), file)
    result = CliRunner().invoke(app, ["derive", str(file), "--component", "front_tyre"])
    assert result.exit_code == 0, result.output
    found = CliRunner().invoke(app, ["derive", str(file), "--block", "2"]).stdout
    assert found.count("fiala_slopes") >= 4
