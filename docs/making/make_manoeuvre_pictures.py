"""Draws pictures of the page on manoeuvres."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import axletree as at
from axletree.model.model import Plot
from axletree.plot.figure_files import write_figure
from axletree.plot.model_plots import ShownRun, plot_panels, plotted_units
from axletree.plot.panels import draw_panels

BIN, SLIP = "soil-bin", "soil.slip"
SWEEPS = {"drawbar-pull": "straight ahead", "side-force": "slip angle of 10 degrees"}
OVER_SLIP = (
    Plot("Drawbar pull", ("soil.drawbar_pull",), SLIP),
    Plot("Gross traction", ("soil.traction",), SLIP),
    Plot("Side force", ("soil.side_force",), SLIP),
    Plot("Torque", ("motor.torque",), SLIP),
    Plot("Tractive efficiency", ("soil.tractive_efficiency",), SLIP, "%"),
    Plot("Sinkage", ("soil.sinkage",), SLIP, "mm"),
)
TRACK, WAY = "soil-track", "way.position"
OVER_WAY = (
    Plot("Speeds", ("soil.forward_speed", "soil.rolling_speed"), WAY),
    Plot("Slip", ("soil.slip",), WAY, "%"),
    Plot("Sinkage", ("soil.sinkage",), WAY, "mm"),
    Plot("Slope of the ground", ("soil.slope",), WAY, "deg"),
)


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    sweeps = {SWEEPS[word]: run for word, run in driven(BIN, list(SWEEPS), OVER_SLIP).items()}
    climbs = driven(TRACK, ["hill-climb"], OVER_WAY)
    return [
        write_figure(draw_panels(plot_panels(OVER_SLIP, sweeps), columns=3), folder / f"{BIN}.png"),
        write_figure(draw_panels(plot_panels(OVER_WAY, climbs)), folder / f"{TRACK}.png"),
    ]


def driven(name: str, manoeuvres: Sequence[str], plots: Sequence[Plot]) -> Mapping[str, ShownRun]:
    """Manoeuvres of a shipped model, with what the plots show."""
    model = at.read_model(name)
    system = model.formulate(form="set-valued")
    units = plotted_units(system, plots)
    states = {quantity.name for quantity in system.states}
    outputs = [quantity for quantity in units if quantity not in states]
    found = {}
    for word in manoeuvres:
        run = system.drive(
            model.manoeuvres[word], method="complementarity", step="1 ms",
            record_interval="20 ms", outputs=outputs,
        )  # fmt: skip
        found[word] = ShownRun(run.time, run.columns, units)
    return found


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
