"""Draws axles on a kinematics and compliance rig: ``python docs/making/make_rig_pictures.py``.

The axle in motion is photographed with Chromium.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from page_photograph import browser, photograph

import axletree as at
from axletree.plot.figure_files import write_figure
from axletree.plot.panels import Panel, PanelCurve, draw_panels
from axletree.reports.animation.animation import Animation
from axletree.reports.rig_report import rig_scene

SIZE = (1040, 660)  # pixels
AXLES = ("front", "rear")
CARS = (
    "double-wishbone-sports-car", "pushrod-formula-student", "macpherson-compact-car",
    "five-link-sedan", "leaf-spring-pickup", "beam-axle-truck",
)  # fmt: skip
# Column of a case, its title and unit, and what its SI values are multiplied by.
TRAVEL = (
    ("toe_left", "Toe", "deg", np.degrees(1.0)),
    ("camber_left", "Camber", "deg", np.degrees(1.0)),
    ("contact_outward_left", "Contact outward", "mm", 1e3),
    ("forward_left", "Wheel centre forward", "mm", 1e3),
)
FORCES = (("lateral_parallel", "lateral force"), ("braking", "longitudinal force"))


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    browser()  # before anything takes its time
    made = []
    for axle in AXLES:
        figure = draw_panels(_over_travel(axle), f"{axle.capitalize()} axles in parallel travel")
        made.append(write_figure(figure, folder / f"rig-{axle}-axles.png"))
    sedan = {axle: at.kinematics_and_compliance("five-link-sedan", axle) for axle in AXLES}
    figure = draw_panels(_compliance(sedan), "The sedan's axles in their bushings")
    made.append(write_figure(figure, folder / "rig-compliance.png"))
    with tempfile.TemporaryDirectory() as pages:
        page = Animation(rig_scene(sedan["rear"].axle)).save(Path(pages) / "rig.html")
        made.append(photograph(page, folder / "rig-five-link.png", SIZE, "t=1.2&theme=light"))
    return made


def _over_travel(axle: str) -> list[Panel]:
    columns = {
        car: at.kinematics_and_compliance(car, axle, bushings=False).columns("parallel_travel")
        for car in CARS
    }
    panels = []
    for name, title, unit, factor in TRAVEL:
        curves = []
        for car, table in columns.items():
            change = factor * (table[name] - table[name][len(table[name]) // 2])
            label = car.replace("-", " ")
            curves.append(PanelCurve(label, 1e3 * table["travel_left"], change))
        labels = "wheel travel [mm]", f"[{unit}]"
        panels.append(Panel(f"{title}, from design", *labels, tuple(curves), over_time=False))
    return panels


def _compliance(axles: dict[str, at.KinematicsAndCompliance]) -> list[Panel]:
    panels = []
    for case, words in FORCES:
        for name, title in (("toe_left", "Toe"), ("camber_left", "Camber")):
            curves = []
            for axle, found in axles.items():
                table = found.columns(case)
                change = np.degrees(table[name] - table[name][len(table[name]) // 2])
                curves.append(PanelCurve(axle, 1e-3 * table[case], change))
            label = f"{words} [kN]"
            panels.append(Panel(title, label, "[deg]", tuple(curves), over_time=False))
    return panels


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
