"""The names of the package: each leads to the object that its module defines."""

from __future__ import annotations

import pytest

import axletree
from axletree.catalogue import (
    BELTS,
    COMPONENTS,
    CONTACT_DYNAMICS,
    CONTACTS,
    LEVERS,
    NORMAL_FORCES,
    RIMS,
    ROLLING_RADII,
    SLIPS,
    TYRES,
)
from axletree.components.contract import Component
from axletree.components.parts import Part
from axletree.expr import symbol


@pytest.mark.parametrize(
    "name", [name for name in axletree.__all__ if name not in ("__version__", "TIME")]
)
def test_every_name_leads_to_an_object_of_that_name(name: str) -> None:
    assert getattr(axletree, name).__name__ == name


def test_time_is_the_symbol_that_expressions_of_time_are_written_in() -> None:
    assert symbol("time") == axletree.TIME


def test_every_component_of_the_catalogue_is_there() -> None:
    classes = [place.partition(":")[2] for place in COMPONENTS.values()]
    assert len(set(classes)) == len(COMPONENTS)
    assert all(issubclass(getattr(axletree, name), Component) for name in classes)


def test_every_part_of_a_tyre_is_there() -> None:
    moving = (RIMS, BELTS, CONTACT_DYNAMICS, LEVERS)
    sections = (CONTACTS, NORMAL_FORCES, SLIPS, ROLLING_RADII, TYRES, *moving)
    places = [place for section in sections for place in section.values()]
    classes = [place.partition(":")[2] for place in places]
    assert not set(classes) & {place.partition(":")[2] for place in COMPONENTS.values()}
    assert len(set(classes)) == len(places)
    assert all(issubclass(getattr(axletree, name), Part) for name in classes)


def test_names_are_listed() -> None:
    assert {"Model", "RigidBody", "Revolute", "AxletreeError"} <= set(dir(axletree))


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="axletree has no attribute 'Revolut'"):
        axletree.Revolut  # noqa: B018
