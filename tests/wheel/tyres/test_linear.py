"""The linear law by hand."""

from __future__ import annotations

import pytest

from axletree.core.errors import ModelError
from axletree.wheel.contract import Contact, Forces
from axletree.wheel.tyres.ideal_laws import LinearTyre


def test_values_by_hand() -> None:
    law = LinearTyre(100e3, 50e3, 4e3, 0.02)
    forces = law(Contact(3000.0, 0.01, 0.03, -0.05, forward_speed=10.0))
    # 1000 N of slip; -1500 N of the angle and 200 N of a wheel that leans to the left.
    expected = Forces(1000.0, -1300.0, 0.0, 0.0, 30.0)
    assert forces.Fx == pytest.approx(expected.Fx, rel=1e-12)
    assert forces.Fy == pytest.approx(expected.Fy, rel=1e-12)
    assert forces.Mz == pytest.approx(expected.Mz, rel=1e-12)
    assert (forces.Mx, forces.My) == (0.0, 0.0)


def test_nothing_saturates() -> None:
    law = LinearTyre(100e3, 50e3)
    one, ten = (law(Contact(10.0, k * 0.1, k * 0.1)) for k in (1.0, 10.0))
    assert ten.Fx == pytest.approx(10.0 * one.Fx)
    assert ten.Fy == pytest.approx(10.0 * one.Fy)


@pytest.mark.parametrize(("load", "share"), [(0.0, 0.0), (1000.0, 0.25), (8000.0, 2.0)])
def test_in_proportion_to_load(load: float, share: float) -> None:
    law = LinearTyre(100e3, 50e3, load_proportional=True, nominal_load=4000.0)
    forces = law(Contact(load, 0.01, 0.02))
    assert forces.Fx == pytest.approx(share * 1000.0)
    assert forces.Fy == pytest.approx(-share * 1000.0)


def test_the_load_does_not_count_otherwise() -> None:
    law = LinearTyre(100e3, 50e3)
    assert law(Contact(1.0, 0.01, 0.02)) == law(Contact(9000.0, 0.01, 0.02))


def test_proportional_stiffness_needs_its_load() -> None:
    with pytest.raises(ModelError, match="nominal_load must be given"):
        LinearTyre(100e3, 50e3, load_proportional=True)
