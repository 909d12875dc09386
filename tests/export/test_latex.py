"""The LaTeX document: its form, and its equations, read back and evaluated."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from printed.latex_reader import (
    Expression,
    check_document,
    equations,
    read_symbol,
    split_list,
)
from printed.systems import awkward_names, by_hand, every_operation

from axletree.catalogue import EXPORTS
from axletree.core.registry import load
from axletree.export.latex import latex_document, write_latex
from axletree.expr import Expr, Table, evaluate, interpolate, number, sin, symbol
from axletree.system.latex_names import dotted, latex_names, latex_text
from axletree.system.system import ImplicitSystem, System

needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex")


def values_of(system: System) -> dict[Expr, float]:
    random = np.random.default_rng(5)
    quantities = (*system.states, *system.inputs, *system.parameters)
    found = {q.symbol: q.default + random.uniform(0.1, 0.4) for q in quantities}
    found |= {c.reaction.symbol: random.uniform(1.0, 2.0) for c in system.constraints}
    return {**found, system.time.symbol: 0.3}


def read(
    text: str, names: dict[str, float], functions: dict[str, Callable[..., float]] | None = None
) -> dict[str, float]:
    """The values of all that is defined, from those of symbols."""
    known, functions = dict(names), functions or {}
    titles = re.findall(r"\\subsection\*\{([^}]*)\}", text)
    if "Abbreviations" in titles:
        for left, right in equations(text, "Abbreviations"):
            if right.startswith(r"\mathrm{F}_"):
                head, _, given = right.partition("(")
                results = split_list(left.removeprefix(r"\left(").removesuffix(r"\right)"))
                arguments = [
                    Expression(entry, known, functions).value() for entry in split_list(given[:-1])
                ]
                known |= zip(results, called(text, head, arguments), strict=True)
            else:
                assert read_symbol(left) == left
                known[left] = Expression(right, known, functions).value()
    return known


def called(text: str, head: str, given: list[float]) -> list[float]:
    """What a function of the document gives."""
    for title in re.findall(r"\\subsection\*\{([^}]*)\}", text.partition("{Functions}")[2]):
        (first, arguments), *lines = equations(text, title)
        if first.startswith(f"{head}:"):
            names = split_list(arguments.removeprefix("(").removesuffix(")^{T}"))
            known = dict(zip(names, given, strict=True))
            for left, right in lines:
                known[left] = Expression(right, known).value()
            letter = re.compile(r"\\(sigma|xi|eta|zeta)_\{\d+\}")
            return [known[left] for left, _ in lines if not letter.fullmatch(left)]
    raise AssertionError(f"{head} is not defined")


def symbol_values(system: System) -> dict[str, float]:
    quantities = (*system.states, *system.inputs, *system.parameters)
    others = (d.quantity for d in (*system.intermediates, *system.outputs))
    reactions = [c.reaction for c in system.constraints]
    names = latex_names(q.name for q in (system.time, *quantities, *reactions, *others))
    values = values_of(system)
    found = {names[q.name]: values[q.symbol] for q in (*quantities, *reactions)}
    return {**found, "t": values[system.time.symbol]}


@pytest.mark.parametrize("name", ["pendulum", "double-pendulum", "four-bar", "skidder", "bricard"])
def test_entries_of_a_model_are_those_of_its_equations(name: str) -> None:
    system = shipped_system(name)
    assert system.source is not None
    text = latex_document(system)
    check_document(text)
    known, values = read(text, symbol_values(system)), values_of(system)
    wanted: dict[str, Expr] = {
        f"M_{{{i + 1},{j + 1}}}": entry for (i, j), entry in system.source.dynamics.mass.items()
    }
    wanted |= {f"b_{{{k}}}": e for k, e in enumerate(system.source.dynamics.forcing, start=1)}
    for i, constraint in enumerate(system.constraints, start=1):
        wanted[rf"\Phi_{{{i}}}"] = constraint.position
        wanted |= {f"C_{{{i},{j + 1}}}": e for j, e in constraint.jacobian.items()}
    wanted = {left: e for left, e in wanted.items() if not e.is_zero}
    lines = equations(text, "Dynamics")
    lines += equations(text, "Constraints") if system.constraints else []
    written = {left: right for left, right in lines if right != "0"}
    assert set(written) == set(wanted)
    expected = evaluate(list(wanted.values()), values)
    for left, value in zip(wanted, expected, strict=True):
        found = Expression(written[left], known).value()
        assert found == pytest.approx(value, rel=1e-10, abs=1e-9), left


def test_rates_of_every_operation() -> None:
    system = replace(every_operation(), outputs=())
    rates = {q.name: rate for q, rate in zip(system.states, system.derivatives, strict=True)}
    del rates["f"]  # tables are read by another test
    del rates["h"]  # a matrix equation is, too
    small = by_hand(rates, {"k": 0.7}, {"y": symbol("a") * 2.0})
    text = latex_document(small)
    check_document(text)
    known = read(text, symbol_values(small))
    written = dict(equations(text, "Equations of state"))
    for name, value in zip(rates, evaluate(list(rates.values()), values_of(small)), strict=True):
        found = Expression(written[rf"\dot{{{name}}}"], known).value()
        assert found == pytest.approx(value, rel=1e-13), name
    assert equations(text, "Outputs") == [("y", r"2 \, a")]


def test_a_table_and_a_linear_solution_are_written_out() -> None:
    text = latex_document(every_operation())
    check_document(text)
    assert r"\begin{bmatrix} a & 2 \\ b & -k \end{bmatrix}" in text
    table = Table.smooth([0.0, 1.0, 3.0], [2.0, 1.0, 0.0])
    a = symbol("a")
    system = by_hand({"a": -2.0 * interpolate(table, a * a)}, {}, {})
    text = latex_document(system)
    ((left, right),) = equations(text, "Equations of state")
    functions = {r"\mathrm{T}_{1}": lambda v: float(table.evaluate(v))}
    value = Expression(right, {"a": 1.2}, functions).value()
    assert left == r"\dot{a}"
    assert value == pytest.approx(-2.0 * table.evaluate(1.44), rel=1e-15)
    rows = re.findall(r"^(below|\$[^$]*\$) & (.*) \\\\$", text.partition("{Tables}")[2], re.M)
    shown = [[float(v.strip("$")) for v in row.split(" & ")] for _, row in rows]
    np.testing.assert_allclose(shown, table.coefficients, rtol=1e-5)


def test_implicit_equations_have_their_rates_on_the_left() -> None:
    base = by_hand({"x": symbol("v"), "v": -symbol("k") * symbol("x")}, {"k": 2.0, "m": 3.0}, {})
    x, v, k, m = (symbol(name) for name in "xvkm")
    terms = [sin(x * n) * k * m for n in range(1, 9)]
    long = terms[0]
    for term in terms[1:]:
        long = long + term
    implicit = ImplicitSystem(
        "spring", base.time, base.states, (), base.parameters,
        {(0, 0): number(1.0), (1, 0): k * x, (1, 1): m + x * x}, (v, -k * x + long), (), ("a", "b"),
    )  # fmt: skip
    text = latex_document(replace(base, implicit=implicit))
    check_document(text)
    first, second = equations(text, "Equations")
    assert first == (r"\dot{x}", "v")
    values = {"x": 0.3, "v": 0.7, "k": 2.0, "m": 3.0, r"\dot{x}": 1.5, r"\dot{v}": -0.5}
    by_symbol = {x: 0.3, v: 0.7, k: 2.0, m: 3.0}
    known = read(text, values)
    left, right = (Expression(side, known).value() for side in second)
    assert left == pytest.approx(2.0 * 0.3 * 1.5 + (3.0 + 0.09) * -0.5, rel=1e-14)
    assert right == pytest.approx(evaluate([-k * x + long], by_symbol)[0], rel=1e-14)


def test_letters_of_abbreviations_begin_no_other_name() -> None:
    a = symbol("sigma_1")
    shared = (sin(a) + a * a + 1.7 * a - sin(a * 2.0) + sin(a * 3.0)) / (a + 2.0)
    system = by_hand({"sigma_1": shared * sin(shared), "xi": shared}, {}, {})
    text = latex_document(system)
    (left, _), *_ = equations(text, "Abbreviations")
    assert left == r"\eta_{1}"


def test_awkward_names_are_escaped() -> None:
    check_document(latex_document(awkward_names()))
    odd = by_hand(
        {"a_%": symbol("µ & $x$"), "µ & $x$": symbol("α.#{}~^\\")}, {"α.#{}~^\\": 1.0}, {}
    )
    text = latex_document(replace(odd, name="50 % & more_of $it$ \\end{document}"))
    check_document(text)
    assert r"50 \% \& more\_of \$it\$ \textbackslash{}end\{document\}" in text


def test_names_of_analysts_have_indices_and_dots() -> None:
    names = ["V_x", "omega_3", "x1", "Omega_mu", "psi_dot", "Hx", "car.delta", "x_1", "rest_of"]
    found = latex_names(names)
    assert found["V_x"] == "V_{x}"
    assert found["omega_3"] == r"\omega_{3}"
    assert found["Omega_mu"] == r"\Omega_{\mu}"
    assert found["psi_dot"] == r"\dot{\psi}"
    assert found["Hx"] == "H_{x}"
    assert found["car.delta"] == r"\delta_{\mathrm{car}}"
    assert found["rest_of"] == r"\mathrm{rest\_of}"
    assert found["x1"] != found["x_1"]
    assert len(set(found.values())) == len(names)
    assert dotted("V_{x}") == r"\dot{V}_{x}"
    assert dotted(r"\dot{\psi}_{\mathrm{car}}") == r"\ddot{\psi}_{\mathrm{car}}"
    assert dotted(r"\mathrm{rest\_of}") == r"\frac{d}{dt} \mathrm{rest\_of}"
    assert latex_text("α_1: 5 %") == r"\ensuremath{\alpha}\_1: 5 \%"


def test_lines_fit_the_page() -> None:
    text = latex_document(shipped_system("whipple-bicycle"))
    check_document(text)
    (section,) = re.findall(r"\{Abbreviations\}(.*)", text, re.S)
    rows = re.findall(r"^(?:.*&=|&\\quad) (.*?)(?: \\\\)?$", section, re.M)
    assert len(rows) > 100
    # A fraction is as wide as its wider half: what is left of letters is an upper bound.
    widths = [len(re.sub(r"\\[a-zA-Z]+|[{}_^\\, ]", "", row)) for row in rows]
    assert max(widths) < 200


def test_a_file_is_written_and_the_catalogue_leads_here(tmp_path: Path) -> None:
    system = shipped_system("pendulum")
    folder = write_latex(system, tmp_path / "paper")
    assert [path.name for path in folder.iterdir()] == ["model.tex"]
    assert (folder / "model.tex").read_text() == latex_document(system)
    assert load("export", "latex", EXPORTS) is write_latex


@needs_latex
@pytest.mark.parametrize("build", [every_operation, awkward_names, None])
def test_documents_compile(build: Callable[[], System] | None, tmp_path: Path) -> None:
    system = build() if build else shipped_system("skidder")
    folder = write_latex(system, tmp_path)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "model.tex"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    assert result.returncode == 0, result.stdout[-2000:]
    assert (folder / "model.pdf").stat().st_size > 10_000
