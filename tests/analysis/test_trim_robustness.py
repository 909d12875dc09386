"""Steady motions of shipped vehicles over a broad set of conditions, as they were once recorded.

``trim_motions.json`` has 157 of the motions that the separate searches for trims and steady states
found: speeds from 5 to 40 m/s and backwards, coasting, driven and steered, turns up to the limit,
at rest, on tyres and on soil, with trailers, on two wheels and three. Each must be found, and be
the same motion. Those of the bicycle at 20 and 30 m/s have wheels of 0.3 and 0.35 m that roll at
just the speed that is given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import axletree as at
from axletree.system.system import System

MOTIONS: Mapping[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "trim_motions.json").read_text("utf-8")
)
QUICK = ("bicycle-car", "pendulum", "quarter-car", "skidder")


@cache
def system(name: str) -> System:
    model, _, fidelity = name.partition(", ")
    changes = {"vehicle": {"fidelity": fidelity}} if fidelity else None
    return at.read_model(model, changes).formulate()


def check(name: str) -> None:
    lost = []
    for motion in MOTIONS[name]:
        asked = f"{motion['given']} {motion['find']}"
        try:
            found = system(name).trim(motion["given"], motion["find"])
        except at.AxletreeError as error:
            lost.append(f"{asked}: {error}")
            continue
        values = {n: (found.states | found.inputs)[n] for n in motion["values"]}
        values["decay"] = found.decay
        expected = motion["values"] | {"decay": motion["decay"]}
        if values != pytest.approx(expected, rel=1e-7, abs=1e-7):
            lost.append(f"{asked}: {values} instead of {expected}")
    assert lost == []


@pytest.mark.parametrize("name", QUICK)
def test_motions_are_found_as_before(name: str) -> None:
    check(name)


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MOTIONS if name not in QUICK])
def test_motions_of_large_models_are_found_as_before(name: str) -> None:
    check(name)
