"""Surfaces in model files: read, checked by the schema, written, and told where they are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.surfaces import FRICTION_SAMPLES, SAMPLES
from model_files.schema_check import validator

import axletree as at
from axletree.components.file_entries import written_part
from axletree.core.errors import ModelError
from axletree.core.problems import Problems
from axletree.core.yaml_document import read_document
from axletree.ground.surfaces import SurfaceSum
from axletree.wheel.tyre import Tyre

MODEL = """\
components:
  wheel: {type: body-of-revolution, mass: 20, axial_inertia: 1, transverse_inertia: 0.6, axis: y}
  cart: {type: rigid-body, mass: 400, inertia: [1, 1, 1]}
  track: {type: free, tail: ground, head: cart}
  axle: {type: revolute, tail: cart, head: wheel, axis: y}
  tyre:
    type: tyre
    joint: axle
    road: ground
    unloaded_radius: 0.32
    normal_force: {type: linear, stiffness: 200000}
    law: {type: linear, cornering_stiffness: 5e4, slip_stiffness: 8e4}
    surface: SURFACE
"""
NESTED = """
      type: sum
      surfaces:
        - {type: sine, amplitude: 2 cm, wavelength: 6}
        - type: bicubic
          heights: [[0, 10 cm], [0, 0]]
          length_x: 20
          length_y: 4
          friction_map: {type: cells, factors: [[1, 0.5]], length_x: 20, length_y: 4}
      friction_map: {type: split, left: 0.2, right: 1}
"""


def written(folder: Path, surface: str) -> Path:
    path = folder / "rig.yaml"
    path.write_text(MODEL.replace("SURFACE", surface))
    return path


def surface_of(path: Path) -> Any:
    tyre = at.read_model(path)["tyre"]
    assert isinstance(tyre, Tyre)
    return tyre.surface


def test_parts_within_parts_are_read(tmp_path: Path) -> None:
    surface = surface_of(written(tmp_path, NESTED))
    assert isinstance(surface, SurfaceSum)
    assert surface.surfaces[0] == at.Sine(0.02, 6.0)
    assert surface.friction(1.0, 1.0, surface.numbers) == pytest.approx(0.2)
    assert surface.friction(1.0, -1.0, surface.numbers) == pytest.approx(1.0)


def test_their_parameters_are_quantities_of_the_model(tmp_path: Path) -> None:
    model = at.read_model(written(tmp_path, NESTED))
    quantities = {q.name: q for q in model.parameters}
    assert quantities["tyre.surface.surfaces.1.amplitude"].default == 0.02
    assert quantities["tyre.surface.friction_map.left"].unit == "1"
    assert quantities["tyre.surface.friction_map.left"].lower == 0.0


@pytest.mark.parametrize("word", SAMPLES)
@pytest.mark.parametrize("friction", ["none", "cells"])
def test_every_surface_survives_the_round_trip(word: str, friction: str, tmp_path: Path) -> None:
    from dataclasses import replace

    surface = replace(SAMPLES[word].surface, friction_map=FRICTION_SAMPLES[friction])
    model = at.read_model(written(tmp_path, "flat"))
    tyre = replace(model["tyre"], surface=surface)
    model._components["tyre"] = tyre
    at.write_model(model, tmp_path / "copy.yaml")
    assert surface_of(tmp_path / "copy.yaml") == surface
    document = read_document((tmp_path / "copy.yaml").read_text(), Problems("copy")).plain
    assert list(validator().iter_errors(document)) == []


def test_what_is_written_says_only_what_is_needed() -> None:
    content = written_part(at.Bump(0.1, 1.0), "tyre.surface", "SURFACES")
    assert content == {"type": "bump", "rise": 0.1, "length": 1.0}


def test_files_are_looked_for_beside_the_model(tmp_path: Path) -> None:
    np.save(tmp_path / "g.npy", [[0.0, 0.1], [0.2, 0.3]])
    path = written(tmp_path, "{type: height-map, file: g.npy, spacing: 2}")
    assert surface_of(path).length_x == 2.0
    document = read_document(path.read_text(), Problems("rig")).plain
    assert list(validator().iter_errors(document)) == []


@pytest.mark.parametrize(
    ("surface", "message"),
    [
        ("hil", r"rig.yaml, line 13, components.tyre.surface: .*'hil'.*hill"),
        ("{type: bump, rise: 0.1}", r"components.tyre.surface: bump needs 'length'"),
        ("{type: bump, rise: 0.1, length: -1}", r"tyre.surface.length: -1 m is not allowed"),
        ("{type: bump, rise: 1, length: 1, high: 2}", r"bump has no 'high'; it has .*rise"),
        ("{type: sum, surfaces: [flat, {type: sin}]}", r"surfaces: 2: .*'sin'.*sine"),
        (
            "{type: flat, friction_map: {type: split, left: 1}}",
            r"friction_map: split needs 'right'",
        ),
        ("{type: height-map, file: g.npy, spacing: 1}", r"g\.npy: there is no such file"),
        ("{type: height-map, file: ../g.npy}", r"surface.file: '../g.npy' is outside the folder"),
    ],
)
def test_mistakes(tmp_path: Path, surface: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        at.read_model(written(tmp_path, surface))


@pytest.mark.parametrize(
    "surface",
    [
        "{type: bumps, rise: 1, length: 1}",
        "{type: bump, rise: [1], length: 1}",
        "{type: bicubic, heights: [1, 2], length_x: 1, length_y: 1}",
        "{type: sum, surfaces: []}",
        "{type: flat, friction_map: {type: split, left: 1, rigth: 2}}",
        "{type: height-map, spacing: 1}",
    ],
)
def test_the_schema_refuses_mistakes(surface: str) -> None:
    document = read_document(MODEL.replace("SURFACE", surface), Problems("rig")).plain
    assert not validator().is_valid(document)
