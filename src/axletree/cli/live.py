"""``axletree live``: a page in which a model is driven."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.cli.options import (
    ControllersOption,
    FidelityOption,
    ParameterOption,
    SoilOption,
    argument,
    option,
    split_assignments,
    vehicle_changes,
)
from axletree.cli.run import described_model
from axletree.core.files import check_writable
from axletree.live_pages.live_page import live, page_path
from axletree.model_files.read import read_model


def live_command(
    model: Annotated[str, argument("MODEL", "A model file, or a name of the catalogue.")],
    speed: Annotated[
        list[str],
        option(
            "--speed SPEED",
            "Of a vehicle: in steady motion at which a drive can begin; repeatable. Default: 50, "
            "80 and 120 km/h, as far as it can keep them.",
        ),
    ] = [],  # noqa: B006
    manoeuvre: Annotated[
        list[str],
        option("--manoeuvre NAME", "That the page can show as its driver drives it; repeatable."),
    ] = [],  # noqa: B006
    controllers: ControllersOption = [],  # noqa: B006
    parameter: ParameterOption = [],  # noqa: B006
    fidelity: FidelityOption = None,
    soil: SoilOption = None,
    step: Annotated[
        str | None, option("--step TIME", "Of the physics; 1 ms, or longer where it holds.")
    ] = None,
    method: Annotated[str | None, option("--method METHOD", "Of steps.")] = None,
    out: Annotated[Path | None, option("--out FILE", "Default: MODEL.html.")] = None,
) -> None:
    """Write a page in which a model is driven: one file with the model as WebAssembly.

    Example: axletree live sedan --speed 80km/h --manoeuvre iso-3888-1
    """
    described = described_model(model, vehicle_changes(fidelity, soil), None)
    target = page_path(out or f"{described.name}.html")
    check_writable(target.parent)
    page = live(
        described,
        speeds=speed or None,
        step=step,
        method=method,
        manoeuvres=manoeuvre,
        controllers=controllers,
        parameters=split_assignments(parameter, "--parameter", "body.mass=1500"),
    )
    typer.echo(f"page: {page.save(target)} ({page.size / 1e6:.2f} MB)")


def write_live_page(
    source: str, changes: Mapping[str, Any], manoeuvre: str | None, folder: Path
) -> Path:
    """``live.html`` beside other results, with the manoeuvre as its driver drives it."""
    page = live(read_model(source, changes or None), manoeuvres=[manoeuvre] if manoeuvre else ())
    return page.save(folder / "live.html")
