"""One call for the pages of runs: that of a run, or of several over one another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from axletree.analysis.studies.comparison import ComparisonError
from axletree.core.arguments import check_arguments
from axletree.reports.analysis_report import ANALYSIS_REPORT
from axletree.reports.comparison_report import compare
from axletree.reports.run_report import report_of_run
from axletree.simulation.trajectory import Trajectory


def report(
    runs: Trajectory | Mapping[str, Trajectory], folder: str | Path, *, pictures: bool = False
) -> Path:
    """Write the page of a run, as ``axletree run`` does, or of several runs by their labels, as
    ``axletree compare`` does; ``report.html`` in the folder.

    ``pictures`` adds the plots of one run as PNG files.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum")
    >>> at.report(pendulum.drive(), "results").name
    'report.html'
    >>> system = pendulum.formulate()
    >>> runs = {f"{h} s": system.simulate(1.0, step=h, watch=False) for h in (0.1, 0.01)}
    >>> at.report(runs, "both").parent.name
    'both'
    """
    check_arguments(report, locals())
    if isinstance(runs, Trajectory):
        return report_of_run(runs, folder, pictures=pictures)
    if pictures:
        raise ComparisonError(
            f"pictures are of one run, not of {len(runs)} over one another; leave pictures out, "
            "and copy plots as PNG or SVG from the page"
        )
    return compare(runs).report(Path(folder) / ANALYSIS_REPORT)
