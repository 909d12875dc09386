"""A run on one page of HTML that needs no other file and no network."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from axletree.analysis.operations import count_system
from axletree.report.picture_file import figure_bytes
from axletree.simulation.trajectory import Trajectory
from axletree.simulation.trajectory_files import replaced
from axletree.system.system import System

MOST_PLOTS = 12  # of outputs; a page of hundreds would not be read
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; padding: 0.2rem 0.8rem; border-bottom: 1px solid #ccc; }
img { max-width: 100%; }
.notice { border-left: 4px solid #b00; padding-left: 0.8rem; }
"""


def write_run_page(run: Trajectory, system: System, description: str, path: Path) -> Path:
    """Write the page; ``description`` is a sentence about the model, or empty."""
    parts = [
        f"<h1>{escape(run.system)}</h1>",
        f"<p>{escape(description)}</p>" if description else "",
        "" if run.complete else f'<p class="notice">Incomplete: {escape(run.note)}</p>',
        _table(("", ""), _facts(run, system)),
        "<h2>States</h2>",
        _figure(run, run.states),
        _table(("state", "unit", "first", "last", "least", "greatest"), _ranges(run, run.states)),
        "<h2>Outputs</h2>",
        *_outputs(run),
        "<h2>Operations of one evaluation</h2>",
        _table(("", "operations"), _operations(system)),
    ]
    head = f'<meta charset="utf-8"><title>{escape(run.system)}</title><style>{_STYLE}</style>'
    body = "\n".join(part for part in parts if part)
    page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'
    with replaced(path) as stream:
        stream.write(page.encode())
    return path


def _facts(run: Trajectory, system: System) -> list[tuple[str, str]]:
    span = f"{run.time[0]:g} s to {run.time[-1]:g} s" if len(run) else "nothing recorded"
    return [
        ("time", span),
        ("records", str(len(run))),
        ("method", run.method),
        ("degrees of freedom", str(system.degrees_of_freedom)),
        ("states", str(len(system.states))),
        ("redundant constraints", ", ".join(system.redundant) or "none"),
    ]


def _ranges(run: Trajectory, names: Sequence[str]) -> list[tuple[str, ...]]:
    if not len(run):
        return []
    return [
        (name, run.units[name], *(f"{x:.6g}" for x in (v[0], v[-1], v.min(), v.max())))
        for name, v in ((name, run[name]) for name in names)
    ]


def _outputs(run: Trajectory) -> list[str]:
    """One picture for each component's outputs, the first few; all of them are in the files."""
    groups: dict[str, list[str]] = {}
    for name in run.names:
        if name not in run.states:
            groups.setdefault(name.partition(".")[0], []).append(name)
    shown = list(groups.items())[:MOST_PLOTS]
    parts = [f"<h3>{escape(owner)}</h3>\n{_figure(run, names)}" for owner, names in shown]
    if len(groups) > len(shown):
        parts.append(f"<p>{len(groups) - len(shown)} more components are in the files.</p>")
    return parts


def _operations(system: System) -> list[tuple[str, str]]:
    return [(title, str(count)) for title, count in count_system(system).rows]


def _figure(run: Trajectory, names: Sequence[str]) -> str:
    if not names or not len(run):
        return ""
    data = base64.b64encode(figure_bytes(run.plot(*names), "png")).decode()
    return f'<img alt="{escape(", ".join(names))}" src="data:image/png;base64,{data}">'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"
