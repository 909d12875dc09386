"""Tables and limits that say what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from axletree.analysis.kinematics_and_compliance.tables import (
    curves_text,
    read_hard_points,
    read_rig_table,
)
from axletree.analysis.kinematics_and_compliance.targets import read_targets
from axletree.core.errors import AxletreeError


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("limits.yaml", "bump_steer: [-6, .nan]", "bump_steer.upper: nan is no limit"),
        ("limits.yaml", "bump_steer: [-6, .inf]", "bump_steer.upper: inf is no limit"),
        ("limits.yaml", "caster: {lower: true}", "caster.lower: True is no number"),
        ("limits.csv", "metric,lower,upper\ncaster,nan,7\n", "caster.lower: nan is no limit"),
        ("limits.csv", "metric,lower,upper\ncaster,,\n", "caster: it has neither a lower nor"),
    ],
)
def test_limits_that_nothing_can_be_held_against(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    """A comparison with NaN is false, whatever the axle does."""
    (tmp_path / name).write_text(text)
    with pytest.raises(AxletreeError, match=said):
        read_targets(tmp_path / name)


def test_curves_without_units(tmp_path: Path) -> None:
    """-50 were taken for metres."""
    (tmp_path / "curves.csv").write_text("Wheel travel,Toe [deg]\n-50,0.2\n0,0.1\n50,-0.1\n")
    with pytest.raises(AxletreeError, match=r"no unit; write it behind the name, .*travel \[mm\]"):
        read_rig_table(tmp_path / "curves.csv")


def test_compliances_without_units_and_without_the_one_that_they_turn_on(tmp_path: Path) -> None:
    """Lateral steer needs the spring about the vertical: it is not left out in silence."""
    path = tmp_path / "curves.csv"
    path.write_text("Wheel travel [mm],Aligning compliance steer\n-50,-0.5\n50,-0.3\n")
    with pytest.raises(AxletreeError, match=r"Aligning compliance steer \[deg/\(kN\*m\)\]"):
        read_rig_table(path)
    path.write_text("Wheel travel [mm],Lateral compliance steer [deg/kN]\n-50,0.02\n50,0.04\n")
    said = curves_text(read_rig_table(path))
    assert said.startswith("# left out, for the table has no aligning_compliance_steer: ")
    assert "lateral_steer of 0.03 deg/kN" in said


def test_points_of_a_table_whose_y_counts_to_the_right(tmp_path: Path) -> None:
    text = "name,x,y,z\nwheel centre,0,-760,310\nlower ball joint,8,-710,185\n"
    (tmp_path / "points.csv").write_text(text)
    with pytest.raises(AxletreeError, match="on the right side, at y < 0"):
        read_hard_points(tmp_path / "points.csv")
    assert read_hard_points(tmp_path / "points.csv", signs=(1.0, -1.0, 1.0))
