"""Pictures of tyre laws: the right curves, with units, told apart."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.analysis.studies.tyre_characteristics import slip_sweep
from axletree.analysis.studies.tyre_fit import fit_tyre
from axletree.core.errors import ModelError
from axletree.plot.figure_files import figure_bytes
from axletree.plot.wheels import TyreRange, plot_fit, plot_tyre
from axletree.wheel.contract import Contact
from axletree.wheel.tyres.calspan import Calspan
from axletree.wheel.tyres.fiala import Fiala
from axletree.wheel.tyres.ideal_laws import LinearTyre
from axletree.wheel.tyres.tyre_data import TyreData

LAW = Fiala(**Fiala.example)
LINEAR = LinearTyre(**LinearTyre.example)


def test_every_axis_has_a_quantity_and_a_unit() -> None:
    figure = plot_tyre({"magic": at.read_tyre_law("magic-formula-5.2")})
    assert len(figure.axes) == 6
    labels = [label for axes in figure.axes for label in (axes.get_xlabel(), axes.get_ylabel())]
    assert all(label.endswith("]") and "[" in label for label in labels)
    assert [axes.get_ylabel() for axes in figure.axes[:3]] == ["Fx [kN]", "Fy [kN]", "Mz [N·m]"]


def test_curves_are_the_law() -> None:
    shown = TyreRange(loads=(1000.0, 5000.0), nominal_load=5000.0)
    figure = plot_tyre({"fiala": LAW}, shown)
    curve = curves(figure.axes[1])["Fz = 5 kN"]
    degrees, force = curve.get_data()
    k = int(np.argmin(np.abs(degrees - 4.0)))
    expected = LAW(Contact(5000.0, 0.0, float(np.radians(degrees[k]))))
    assert force[k] * 1e3 == pytest.approx(expected.Fy, rel=1e-12)
    envelope = curves(figure.axes[3])["\N{GREEK SMALL LETTER ALPHA} = ±5°"]
    Fx, Fy = envelope.get_data()
    corner = LAW(Contact(5000.0, -1.0, float(np.radians(5.0))))
    assert (Fx[0] * 1e3, Fy[0] * 1e3) == pytest.approx((corner.Fx, corner.Fy), rel=1e-12)
    np.testing.assert_allclose(Fy[np.isfinite(Fy)], -Fy[np.isfinite(Fy)][::-1], atol=1e-12)


def test_laws_are_told_apart_by_line_style() -> None:
    figure = plot_tyre({"one": LAW, "two": LINEAR})
    styles = [line.get_linestyle() for line in figure.axes[0].get_lines()]
    assert styles[:6] == ["-"] * 3 + ["--"] * 3
    assert figure.get_suptitle().startswith("one (solid),   two (dashed)")


def test_curves_that_cover_one_another_are_mentioned() -> None:
    alone = plot_tyre({"fiala": LAW})  # has no camber
    assert len(alone.axes) == 4
    assert alone.get_suptitle() == "fiala;   no influence of camber"
    both = plot_tyre({"fiala": LAW, "magic": at.read_tyre_law("magic-formula-5.2")})
    assert both.axes[4].get_legend().get_title().get_text() == "solid: all alike"
    assert both.axes[1].get_legend().get_title().get_text() == ""


def test_loads_follow_the_nominal_load_of_a_law() -> None:
    proportional = LinearTyre(9e4, 9e4, load_proportional=True, nominal_load=3000.0)
    assert TyreRange.of(proportional).loads == (1500.0, 3000.0, 4500.0)
    assert TyreRange.of(LAW).loads == (2000.0, 4000.0, 6000.0)


def test_a_load_beyond_the_range_of_a_law_is_warned_of() -> None:
    law = Calspan(**Calspan.example)
    loads = TyreRange(loads=(4e3, 30e3), nominal_load=4e3)
    with pytest.warns(UserWarning, match=r"iltis at 30 kN: its load is above AOmega"):
        plot_tyre({"iltis": law}, loads)


def test_what_shows_nothing_is_refused() -> None:
    with pytest.raises(ModelError, match="a load of 0 N shows nothing"):
        TyreRange(loads=(0.0,))
    with pytest.raises(ModelError, match="no load given"):
        TyreRange(loads=())
    with pytest.raises(ModelError, match="5 tyres were given; expected 1 to 4"):
        plot_tyre({str(k): LAW for k in range(5)})


def swept() -> TyreData:
    alpha = np.tile(np.linspace(-0.2, 0.2, 21), 2)
    Fz, none = np.repeat([2000.0, 4000.0], 21), np.zeros(42)
    forces = slip_sweep(LAW, Fz, none, alpha)
    return TyreData(Fz, none, alpha, none, {"Fy": forces.Fy + 10.0, "Mz": forces.Mz})


def test_a_fit_is_drawn_over_its_data() -> None:
    data = swept()
    figure = plot_fit(fit_tyre(LAW, data), data, "fiala")
    upper = figure.axes[0]
    points = upper.collections[0].get_offsets()
    np.testing.assert_allclose(points[:, 1] * 1e3, data.forces["Fy"])
    np.testing.assert_allclose(points[:, 0], np.degrees(data.slip_angle))
    assert len(upper.get_lines()) == 2  # a curve for each load
    assert upper.get_title(loc="left") == "Fy: rms error 10 N, 0.22 % of the peak"
    labels = {axes.get_ylabel() for axes in figure.axes}
    assert {"Fy [kN]", "Mz [N·m]", "law - measured [kN]", "law - measured [N·m]"} <= labels
    assert figure_bytes(figure, "png").startswith(b"\x89PNG")


def test_points_without_order_are_drawn_as_points() -> None:
    random = np.random.default_rng(3)
    alpha, S = random.uniform(-0.2, 0.2, 50), random.uniform(-0.2, 0.2, 50)
    forces = slip_sweep(LAW, 3000.0, S, alpha)
    data = TyreData(np.full(50, 3000.0), S, alpha, np.zeros(50), {"Fx": forces.Fx})
    upper = plot_fit(fit_tyre(LAW, data), data, "fiala").axes[0]
    assert len(upper.get_lines()) == 0
    assert len(upper.collections) == 2


def curves(axes: object) -> dict[str, object]:
    return {line.get_label(): line for line in axes.get_lines()}  # type: ignore[attr-defined]
