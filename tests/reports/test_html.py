"""The report of a run: complete, safe to open anywhere, written whole or not at all."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from reports.chart_reader import chart_panels

import axletree as at
from axletree.model.model import Plot
from axletree.reports import run_report as html
from axletree.reports.run_report import write_report
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.simulate import StoppedRunError
from axletree.simulation.trajectory import Trajectory

VOID = {"meta", "img", "br"}


class Checker(HTMLParser):
    """Headings, links and texts of a page; complains of tags that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.text = ""

    @property
    def files(self) -> list[str]:
        """Links out of the page."""
        return [link for link in self.links if not link.startswith("#")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a":
            self.links.append(given["href"] or "")
        if "src" in given:
            self.sources.append(given["src"] or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


def report(
    name: str, folder: Path, duration: float = 0.2, outputs: Sequence[str] = ()
) -> tuple[str, Checker]:
    model = at.read_model(name)
    system = shipped_system(name)
    run = system.simulate(duration, step=1e-3, inputs=model.run.inputs, outputs=outputs)
    run.to_csv(folder / "run.csv")
    facts = RunFacts(inputs=model.run.inputs)
    path = write_report(system, model, run, folder, facts=facts)
    return checked(path)


def checked(path: Path) -> tuple[str, Checker]:
    text = path.read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    return text, checker


def test_the_report_of_a_mechanism(tmp_path: Path) -> None:
    text, page = report("slider-crank", tmp_path, outputs=["guide.Fz", "energy.total"])
    assert page.headings == [
        "Motion",
        "Data sheet",
        "Run",
        "Signals",
        "Energy",
        "Reproducibility",
        "Files",
        "Model",
    ]
    assert re.findall(r"<details><summary>([A-Z][a-z ]+)", text)[-5:] == [
        "Linear graph",
        "Variables",
        "Constraints",
        "Equations",
        "Operations",
    ]
    assert "slider crank" in page.text
    assert re.search(r"integrated in\s*[0-9.e-]+ s: [0-9.e+]+ s of motion per second", page.text)
    assert "guide.Fz" in chart_panels(text)
    assert "Energy of the model" in chart_panels(text)
    assert page.files == ["run.csv"]
    drawn = text.split('id="chart-data"')[0]
    assert drawn.count("<svg") == drawn.count("</svg>") == 3  # tips of arrows, two domains


def test_nothing_is_fetched_from_elsewhere(tmp_path: Path) -> None:
    text, page = report("pendulum", tmp_path)
    assert page.sources == []
    assert re.findall(r"(?:src|href)\s*=\s*[\"']?(?:https?:)?//", text) == []


def test_text_is_escaped(tmp_path: Path) -> None:
    model = at.read_model("pendulum")
    model.description = "a <script>alert(1)</script> & more"
    system = model.formulate()
    run = system.simulate(0.1, step=1e-3, outputs=[])
    (tmp_path / "a&b <i>.csv").write_text("")
    path = write_report(system, model, run, tmp_path, title="<b>bold</b>")
    text, page = checked(path)
    assert text.count("<script>") == 1  # that of the charts
    assert "<script>alert" not in text
    assert "<b>" not in text
    assert "a <script>alert(1)</script> & more" in page.text
    assert page.files == ["a%26b%20%3Ci%3E.csv"]


def test_a_circuit_has_no_mechanism_and_no_energy_of_motion(tmp_path: Path) -> None:
    _, page = report("rlc-circuit", tmp_path, duration=0.01)
    assert "Signals" in page.headings
    assert "Energy" not in page.headings
    assert "no mechanical freedom" in page.text
    assert len(page.sources) <= 2


def test_a_run_that_stopped_says_so(tmp_path: Path) -> None:
    model = at.read_model("pendulum")
    system = model.formulate()
    run = replace(
        system.simulate(0.1, step=1e-3, outputs=[]), complete=False, note="stopped at 0.1 s"
    )
    _, page = checked(write_report(system, model, run, tmp_path))
    assert "The run is not complete: stopped at 0.1 s" in page.text


def test_names_stand_in_the_data_of_charts_as_text(tmp_path: Path) -> None:
    model = at.read_model("pendulum")
    model.plots = (Plot("</script><script>alert(1)</script>", ("pin.angle",)),)
    system = model.formulate()
    path = write_report(system, model, system.simulate(0.1, step=1e-3, outputs=[]), tmp_path)
    text, _ = checked(path)
    assert "<script>alert" not in text
    assert "\\u003c/script\\u003e" in text
    assert "</script><script>alert(1)</script>" in chart_panels(text)


def test_a_plot_of_a_long_run_keeps_a_short_peak(tmp_path: Path) -> None:
    """Of one record among 30 001, between those that are shown in any case."""
    model = at.read_model("pendulum")
    model.plots = (Plot("Angle", ("pin.angle",)),)
    time = np.linspace(0.0, 30.0, 30_001)
    angle = np.where(time == time[12_344], 1.0, 0.1)
    columns = {"pin.rate": np.zeros_like(time), "pin.angle": angle}
    units = {"pin.rate": "rad/s", "pin.angle": "rad"}
    run = Trajectory("pendulum", time, columns, units, tuple(columns))
    text, _ = checked(write_report(model.formulate(), model, run, tmp_path))
    for title in ("Angle", "pin.angle"):  # the plot, and that of all signals
        (curve,) = chart_panels(text)[title]["curves"]
        assert len(curve["x"]) <= 4000
        assert np.max(curve["y"]) == pytest.approx(10.0 * np.min(curve["y"]), rel=1e-6)


def test_a_run_that_violates_constraints_says_so(tmp_path: Path) -> None:
    model = at.read_model("pendulum")
    system = model.formulate()
    run = replace(system.simulate(0.1, step=1e-3, outputs=[]), note="the constraints are violated")
    _, page = checked(write_report(system, model, run, tmp_path))
    assert "Do not rely on this run: the constraints are violated" in page.text


def test_a_run_that_blew_up_is_reported_as_far_as_it_went(tmp_path: Path) -> None:
    model = at.read_model("four-bar")
    system = model.formulate()
    with pytest.raises(StoppedRunError) as stopped:
        system.simulate(2000.0, step=5.0, initial={"a.rate": 50.0}, outputs=[])
    _, page = checked(write_report(system, model, stopped.value.trajectory, tmp_path))
    assert "The run is not complete" in page.text


def test_a_run_without_records_has_no_plots(tmp_path: Path) -> None:
    model = at.read_model("pendulum")
    system = model.formulate()
    run = system.simulate(0.1, step=1e-3, outputs=[])
    columns = {name: values[:0] for name, values in run.columns.items()}
    empty = replace(run, time=run.time[:0], columns=columns)
    text, page = checked(write_report(system, model, empty, tmp_path))
    assert "nothing recorded" in page.text
    assert "<svg" not in text.split('id="model"')[0]


def test_a_failed_write_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = report("pendulum", tmp_path)[0]

    def fail(*_: object, **__: object) -> str:
        raise RuntimeError("no page")

    monkeypatch.setattr(html, "render", fail)
    with pytest.raises(RuntimeError):
        report("pendulum", tmp_path)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "run.csv"]


def test_the_page_draws_every_node_and_edge_of_the_graph(tmp_path: Path) -> None:
    """By the graph itself: as many circles as nodes, as many arrows as edges, each named."""
    text, _ = report("slider-crank", tmp_path)
    source = shipped_system("slider-crank").source
    assert source is not None
    drawings = re.findall(r'<svg class="graph-drawing".*?</svg>', text)
    assert len(drawings) == len(source.graph.domains) == 2
    for domain, drawing in zip(source.graph.domains, drawings, strict=True):
        nodes, edges = source.graph.nodes_of(domain), source.graph.edges_of(domain)
        assert drawing.count("<circle") == len(nodes)
        assert drawing.count("<path d") == len(edges)
        assert drawing.count('class="chord"') == len(source.trees[domain].chords)
        words = Counter(re.findall(r">([^<>]+)</text>", drawing))
        assert words == Counter([*nodes, *(edge.name for edge in edges)])


def test_a_page_is_written_without_matplotlib(tmp_path: Path) -> None:
    """Plots are drawn by the page; pictures are files that are asked for."""
    program = f"""
import sys
import axletree as at
from axletree.reports.run_report import write_report
car = at.read_model("sedan", {{"vehicle": {{"fidelity": "single-track"}}}})
step = car.manoeuvre("iso-3888-1")
car = car.with_changes(step.changes)
system = car.formulate()
write_report(system, car, system.drive(step, step=0.01), {str(tmp_path)!r}, manoeuvre=step)
assert "matplotlib" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    text, page = checked(tmp_path / "report.html")
    assert "Path" in page.headings
    assert {"target path", "cones"} <= {c["label"] for c in chart_panels(text)["Path"]["curves"]}
    assert "ISO 3888-1" in page.text


def test_the_plots_of_the_model_come_first(tmp_path: Path) -> None:
    """Those that stay at zero are named; what was not recorded is computed from the states."""
    model = at.read_model("quarter-car")
    system = model.formulate()
    run = system.simulate(0.1, step=1e-3, outputs=["tyre.Fz"])
    _, page = checked(write_report(system, model, run, tmp_path))
    assert page.headings[:5] == ["Motion", "Plots", "Data sheet", "Run", "Signals"]
    assert "Zero throughout, and not shown: Road." in page.text
    assert "All 7 recorded signals" in page.text


def test_a_plot_of_nothing_is_said(tmp_path: Path) -> None:
    model = at.read_model("pendulum")
    model.plots = (Plot("Angle", ("pin.angle",)), Plot("Heat", ("pin.heat", "rod.*")))
    system = model.formulate()
    run = system.simulate(0.1, step=1e-3, outputs=[])
    _, page = checked(write_report(system, model, run, tmp_path))
    assert "Not found: pin.heat." in page.text


def test_energy_of_a_model_that_nothing_drives(tmp_path: Path) -> None:
    _, page = report("double-pendulum", tmp_path)
    assert "No component does work, so its change is the integration error." in page.text


def test_energy_of_a_driven_model(tmp_path: Path) -> None:
    _, page = report("gyroscope", tmp_path)
    assert "Sources and drivers add energy" in page.text
    assert "do work: push." in page.text


def test_an_audit_is_part_of_the_report(tmp_path: Path) -> None:
    model = at.read_model("rlc-circuit")
    system = model.formulate()
    settings: dict[str, Any] = {"step": 1e-4, "inputs": model.run.inputs}
    run = system.simulate(0.05, **settings)
    audit = system.audit_energy(0.05, **settings)
    _, page = checked(write_report(system, model, run, tmp_path, audit=audit))
    assert "Energy" in page.headings
    assert audit.verdict in page.text
    for component in ("source", "resistor", "inductor", "capacitor"):
        assert f"{component}{dict(audit.rows)[component]:.6g}" in page.text
