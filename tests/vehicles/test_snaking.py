"""A car with a badly loaded caravan snakes above its critical speed, as the eigenvalues say."""

from __future__ import annotations

import math
import runpy
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree.analysis.steady.root_locus import root_locus
from axletree.model.model import Model
from axletree.runs.steering import PulseSteer
from axletree.system.system import System

DOCS = Path(__file__).parent.parent.parent / "docs"
NAME, KMH = "car-with-tail-heavy-caravan", 1.0 / 3.6
SNAKES = (2.0, 6.0)  # rad/s, between which it swings
GENTLE = {75.0: 0.01, 130.0: 3e-4}  # rad of the steering wheel by km/h: tyres stay linear


@cache
def snake(fidelity: str) -> tuple[Model, System]:
    model = at.read_model(NAME, {"vehicle": {"fidelity": fidelity}})
    return model, model.formulate()


def said(system: System, speed: float) -> complex:
    """The eigenvalue of the swing at a speed that the throttle keeps."""
    steady = system.trim({"chassis.vx": speed}, find=["driver.throttle"])
    values = system.linearise(steady.states, inputs=steady.inputs).eigenvalues
    return complex(max((v for v in values if SNAKES[0] < v.imag < SNAKES[1]), key=np.real))


def swung(fidelity: str, speed: float, angle: float) -> complex:
    """The eigenvalue that a run after a pulse of the steering wheel looks like."""
    model, system = snake(fidelity)
    pulse = model.manoeuvres["iso-9815-pulse"]
    assert isinstance(pulse, PulseSteer)
    pulse = replace(pulse, speed=speed, angle=angle, duration=10.0)
    run = system.drive(pulse, step=2e-3, method="subdivided-rk45", record_interval=1e-2)
    found = {one.name: one.value for one in pulse.findings(run)}
    damping, swing = found["damping_ratio"], 2.0 * math.pi * found["articulation_frequency"]
    return complex(-swing * damping / math.sqrt(1.0 - damping**2), swing)


@cache
def held(fidelity: str) -> list[tuple[complex, complex]]:
    """Eigenvalues that runs look like and that are said, slower and faster."""
    return [
        (swung(fidelity, kmh * KMH, angle), said(snake(fidelity)[1], kmh * KMH))
        for kmh, angle in GENTLE.items()
    ]


def compare(fidelity: str, agrees: Agrees) -> None:
    for kmh, (found, value) in zip(GENTLE, held(fidelity), strict=True):
        agrees(
            f"caravan at {kmh:g} km/h, {fidelity} model, simulated: growth of the swing",
            found.real, value.real, rel=3e-2, unit="1/s",
            source="Another formulation, eigenvalue of the linear system",
        )  # fmt: skip
        agrees(
            f"caravan at {kmh:g} km/h, {fidelity} model, simulated: frequency of the swing",
            found.imag, value.imag, rel=3e-3, unit="rad/s",
            source="Another formulation, eigenvalue of the linear system",
        )  # fmt: skip


@pytest.mark.slow
@pytest.mark.validation("vehicles")
def test_it_snakes_above_the_speed_where_the_eigenvalue_crosses_zero(agrees: Agrees) -> None:
    system = snake("single-track")[1]
    speeds = [100.0 * KMH, 130.0 * KMH]
    locus = root_locus(system, "chassis.vx", speeds, find=["driver.throttle"])
    (critical,) = locus.critical
    assert critical.unstable_above
    assert critical.swings
    assert 100.0 < critical.value / KMH < 125.0
    compare("single-track", agrees)
    (slower, _), (faster, _) = held("single-track")
    assert slower.real < 0.0 < faster.real
    assert min(GENTLE) < critical.value / KMH < max(GENTLE)
    assert said(system, critical.value).real == pytest.approx(0.0, abs=1e-4)


@pytest.mark.slow
@pytest.mark.validation("vehicles")
def test_so_does_the_full_model_which_rolls_as_it_swings(agrees: Agrees) -> None:
    compare("full", agrees)
    (slower, _), (faster, _) = held("full")
    assert slower.real < 0.0 < faster.real
    assert faster.real > held("single-track")[1][0].real


@pytest.mark.slow
def test_the_picture_of_the_page_can_be_made(tmp_path: Path) -> None:
    make_pictures = runpy.run_path(str(DOCS / "making" / "make_trailer_pictures.py"))[
        "make_pictures"
    ]
    (written,) = make_pictures(tmp_path, "single-track", (80.0, 110.0))
    assert written.name == "snaking-caravan.png"
    assert written.stat().st_size > 1000
