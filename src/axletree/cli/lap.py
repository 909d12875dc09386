"""``axletree lap``: the fastest lap of a car around a track."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import numpy as np
import typer

from axletree.cli.options import (
    FidelityOption,
    ModelArgument,
    NoReportOption,
    PicturesOption,
    argument,
    option,
    read_quantity,
)
from axletree.cli.results import AnalysisResults, OutOption, read_vehicle_model
from axletree.optimisation.lap_time.envelope import envelope_of
from axletree.optimisation.lap_time.lap import lap
from axletree.optimisation.lap_time.result import LAP_UNITS, TimedLap
from axletree.optimisation.lap_time.track import Track
from axletree.optimisation.lap_time.track_files import read_track
from axletree.plot.laps import plot_lap
from axletree.reports.lap_sections import lap_findings, lap_sections, lap_verdict, sector_table


def lap_command(
    model: ModelArgument,
    track: Annotated[
        str,
        argument(
            "TRACK", "lindenring, catalunya, or a file: .csv (centre line, GPS), .xodr, .crg."
        ),
    ],
    method: Annotated[
        str, option("From quick to whole; see `axletree list lap-methods`.")
    ] = "minimum-curvature",
    against: Annotated[
        list[str], option("CAR", "Another car, or a changed copy of this one; repeatable.")
    ] = [],  # noqa: B006
    width: Annotated[str | None, option("Of the track, where its file has none.")] = None,
    sensitivities: Annotated[
        bool, option("--sensitivities", "Of the lap time to all parameters; of laps by equations.")
    ] = False,
    energy: Annotated[
        str | None, option("Work of the drive at its wheels in a lap, at most; of a free line.")
    ] = None,
    tyre_energy: Annotated[
        str | None, option("Work of sliding tyres in a lap, at most; of a free line.")
    ] = None,
    fidelity: FidelityOption = None,
    live: Annotated[
        bool,
        option("--live", "Also write live.html, where the track is driven beside laps as ghosts."),
    ] = False,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """The fastest lap of a car around a track: line, speed, pedals, sectors, and a page.

    Example: axletree lap formula-student lindenring --method free-line
    """
    described = read_vehicle_model(model, fidelity)
    settings = {
        "track": track, "method": method, "against": list(against), "width": width,
        "sensitivities": sensitivities, "fidelity": fidelity, "energy": energy,
        "tyre_energy": tyre_energy,
    }  # fmt: skip
    results = AnalysisResults(described, model, "lap", settings, out, pictures, no_report)
    found_track = read_track(
        track, width=None if width is None else read_quantity("--width", width, "m")
    )
    others = [read_vehicle_model(one, fidelity) for one in against]
    work, sliding = (
        None if given is None else read_quantity(name, given, "J")
        for name, given in (("--energy", energy), ("--tyre-energy", tyre_energy))
    )
    limited = partial(lap, method=method, energy=work, tyre_energy=sliding)
    laps = [limited(described, found_track, sensitivities=sensitivities)]
    laps += [limited(one, found_track) for one in others]
    typer.echo(f"{_of_track(found_track)}\n")
    typer.echo(f"{sector_table(laps).text()}\n")
    for one in laps[1:]:
        typer.echo(
            f"{one.car.replace('_', ' ')} is {one.time - laps[0].time:+.3f} s behind "
            f"{laps[0].car.replace('_', ' ')}"
        )
    for note in laps[0].notes:
        typer.echo(note)
    names = ["lap", *(f"lap_{k}" for k in range(2, len(laps) + 1))]
    tables = {name: lap_table(one) for name, one in zip(names, laps, strict=True)}
    results.write(
        lap_findings(laps[0]), tables, LAP_UNITS, {"lap": partial(plot_lap, laps[0])},
        [] if no_report else lap_sections(laps, envelope_of(described)),
        verdict=lap_verdict(laps[0]), heading=f"a lap of {found_track.name}",
    )  # fmt: skip
    if live:
        from axletree.live_pages.live_page import live as live_page

        page = live_page(described, laps=laps).save(results.folder / "live.html")
        typer.echo(f"live page: {page}")


def _of_track(track: Track) -> str:
    own = track.relief
    found = (
        f"{track.name}: {track.length:.0f} m, smoothed by {track.smoothing_rms:.3f} m (RMS), "
        f"{track.smoothing_most:.3f} m at most\n"
    )
    if own is None:
        return f"{found}flat"
    slope, banking = (np.degrees(np.abs(one).max()) for one in (own.slope, own.banking))
    return found + (
        f"heights over {np.ptp(own.height):.1f} m, smoothed by {own.smoothing_rms:.3f} m (RMS), "
        f"{own.smoothing_most:.3f} m at most; slopes up to {slope:.1f} deg, banking up to "
        f"{banking:.1f} deg"
    )


def lap_table(found: TimedLap) -> dict[str, np.ndarray]:
    """The columns of ``lap.csv``, with which a live page shows it as a ghost."""
    columns = {**found.columns, "heading": found.heading}
    return {name: columns[name] for name in LAP_UNITS if name in columns}
