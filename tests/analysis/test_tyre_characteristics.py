"""Stiffnesses, peaks and trail of tyre laws, against formulas and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms.laws import LAWS_OF_FORCES

from axletree.analysis.studies.tyre_characteristics import characteristics, slip_sweep
from axletree.components.fields import Parameters
from axletree.core.errors import ExpressionError
from axletree.wheel.contract import Contact, Forces, TyreLaw
from axletree.wheel.tyres.fiala import Fiala
from axletree.wheel.tyres.law_files import read_tyre_law


def test_fiala_by_hand() -> None:
    law = Fiala(0.18, 90e3, 60e3, 0.0, 1.0, 1.0)
    found = characteristics(law, 4000.0)
    assert found.slip_stiffness == pytest.approx(90e3, rel=1e-12)
    assert found.cornering_stiffness == pytest.approx(60e3, rel=1e-12)
    # With constant friction: Mz = (w/3) C alpha for small angles; Fy ends at mu Fz; Fx ends
    # at mu Fz - (mu Fz)^2 / (4 C_S) for S = 1; Mz is greatest at 1 - H = 1/4.
    assert found.pneumatic_trail == pytest.approx(0.06, rel=1e-12)
    assert found.peak_Fy == pytest.approx(4000.0, rel=1e-12)
    assert found.peak_Fx == pytest.approx(4000.0 - 4000.0**2 / (4 * 90e3), rel=1e-12)
    assert found.peak_Mz == pytest.approx(4000.0 * 0.18 * 0.25 * 0.75**3, rel=1e-3)


@pytest.mark.parametrize("name", LAWS_OF_FORCES)
def test_slopes_agree_with_differences(name: str) -> None:
    law, step = read_tyre_law(name), 1e-6
    found = characteristics(law, 3500.0)
    along = slip_sweep(law, 3500.0, longitudinal_slip=np.array([-step, step]))
    across = slip_sweep(law, 3500.0, slip_angle=np.array([-step, step]))
    slopes = [np.diff(f)[0] / (2 * step) for f in (along.Fx, across.Fy, across.Mz)]
    assert found.slip_stiffness == pytest.approx(slopes[0], rel=1e-4, abs=1e-6)
    assert found.cornering_stiffness == pytest.approx(-slopes[1], rel=1e-4, abs=1e-6)
    assert found.pneumatic_trail * found.cornering_stiffness == pytest.approx(slopes[2], rel=1e-4)


class Broken(TyreLaw):
    """Has no side force at a slip angle above 0.1 rad."""

    @property
    def numbers(self) -> dict[str, float]:
        return {}

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        return Forces(0.0, np.sqrt(0.1 - contact.slip_angle), 0.0, 0.0, 0.0)


def test_a_law_without_a_value_is_an_error() -> None:
    with pytest.raises(ExpressionError, match=r"Fy is not finite at .* = \(4000, 0, 0.2, 0\)"):
        slip_sweep(object.__new__(Broken), 4000.0, slip_angle=np.array([0.0, 0.2]))
