"""Plots of steady motions and stability: what they show, by what is in their axes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mechanisms.by_hand import by_hand, single_track
from mechanisms.shipped_run import shipped_system

from axletree.analysis.linear.mode_shapes import mode_shapes
from axletree.plot.figure_files import write_figure
from axletree.plot.linear import plot_branch, plot_frequency_response, plot_modes, plot_root_locus


def test_a_root_locus_shows_its_critical_value(tmp_path: Path) -> None:
    car = single_track("90e3*alpha_f", "70e3*alpha_r")
    locus = car.root_locus("u", np.linspace(20.0, 140.0, 13))
    figure = plot_root_locus(locus)
    plane, growth, swing = figure.axes[:3]
    assert plane.get_xlabel() == "real part [1/s]"
    assert growth.get_xlabel() == "u [-]"
    assert swing.get_ylabel() == "[Hz]"
    marks = [line for line in growth.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in marks] == [locus.critical[0].value]
    assert f"{locus.critical[0].value:.5g}" in figure.get_suptitle()
    drawn = np.vstack([points.get_offsets() for points in plane.collections])
    assert len(drawn) == locus.eigenvalues.size
    assert write_figure(figure, tmp_path / "locus.png").stat().st_size > 1000


def test_a_branch_is_broken_where_it_is_unstable() -> None:
    system = by_hand("fold", {"x": "mu - x^2"}, parameters={"mu": 1.0}, start={"x": 1.0})
    branch = system.trim().continued("mu", -1.0, step=0.1)
    (axes,) = plot_branch(branch, ["x"]).axes
    lines = {line.get_label(): line for line in axes.lines}
    assert set(lines) == {"stable", "unstable", f"fold at {branch.folds[0].value:.4g}"}
    assert lines["stable"].get_linestyle() == "-"
    assert lines["unstable"].get_linestyle() == "--"
    assert min(lines["stable"].get_ydata()[:-1]) > 0.0
    assert max(lines["unstable"].get_ydata()) < 0.0
    assert axes.get_xlabel() == "mu [-]"


def test_panels_for_many_names() -> None:
    car = single_track("80e3*alpha_f", "90e3*alpha_r")
    branch = car.trim({"r": 0.0}, ["delta"]).continued("r", 0.2, step=0.05)
    figure = plot_branch(branch, ["delta", "v", "Ff", "Fr"])
    assert [axes.get_title(loc="left") for axes in figure.axes if axes.axison] == [
        "delta", "v", "Ff", "Fr",
    ]  # fmt: skip


def test_a_bode_plot_has_gain_and_phase() -> None:
    car = single_track("80e3*alpha_f", "90e3*alpha_r")
    response = car.linearise(outputs=["r"]).frequency_response(np.geomspace(0.1, 5.0, 20))
    gain, phase = plot_frequency_response(response).axes
    assert gain.get_yscale() == "log"
    assert gain.lines[0].get_ydata() == pytest.approx(response.gain("r", "delta"))
    assert phase.lines[0].get_ydata() == pytest.approx(np.degrees(response.phase("r", "delta")))
    assert gain.get_xlabel() == "frequency [Hz]"


def test_gains_have_their_units() -> None:
    bicycle = shipped_system("whipple-bicycle")
    steady = bicycle.trim({"rear_frame.vx": 5.0})
    linear = steady.linearise(outputs=["steer.angle", "steer.rate"])
    linear = linear.selected(inputs=["steer_torque.torque"])
    figure = plot_frequency_response(linear.frequency_response([1.0, 2.0]))
    gain, _ = figure.axes
    assert gain.get_ylabel() == "output over input"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "steer.angle by steer_torque.torque [rad/(N·m)]",
        "steer.rate by steer_torque.torque [rad/s/(N·m)]",
    ]
    one = linear.selected(outputs=["steer.angle"]).frequency_response([1.0, 2.0])
    assert plot_frequency_response(one).axes[0].get_ylabel() == "output over input [rad/(N·m)]"
    assert replace(one, units={}).unit("steer.angle", "steer_torque.torque") == ""
    assert (
        replace(one, units={"steer_torque.torque": "s", "steer.angle": "m"}).unit(
            "steer.angle", "steer_torque.torque"
        )
        == "m/s"
    )


def test_shapes_of_a_swing_by_hand() -> None:
    """x'' + 9 x = 0: the speed is 3 times the position and a quarter of a turn ahead."""
    linear = by_hand("swing", {"x": "v", "v": "-9*x", "z": "-z"}).linearise()
    shapes = mode_shapes(linear)
    assert [shape.eigenvalue for shape in shapes] == pytest.approx([3j, -1.0])
    parts = {part.state: part for part in shapes[0].parts}
    assert set(parts) == {"x", "v"}
    assert parts["v"].share == pytest.approx(0.5)
    assert parts["v"].amplitude / parts["x"].amplitude == pytest.approx(3.0)
    assert parts["v"].phase - parts["x"].phase == pytest.approx(np.pi / 2)


def test_modes_are_drawn_as_arrows() -> None:
    linear = by_hand("swing", {"x": "v", "v": "-9*x - v", "z": "-2*z"}).linearise()
    figure = plot_modes(linear)
    assert len(figure.axes) == 2
    assert "Hz" in figure.axes[0].get_title()
    assert [len(axes.texts) for axes in figure.axes] == [2, 1]
    assert len(plot_modes(linear, [1]).axes) == 1
