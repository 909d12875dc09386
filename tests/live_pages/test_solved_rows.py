"""What a page solves for, as the same C by the compiler of this machine."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import axletree as at
from axletree.analysis.kinematics_and_compliance.axle_in_vehicle import linked_suspension
from axletree.code.backends.runnable import compile_program
from axletree.code.printers.c import sparsity_text
from axletree.expr import parse_expression
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.live_pages.solved_rows import SolvedRows
from axletree.live_pages.travel_rows import link_travel, travel_rows
from axletree.live_pages.turn_rows import turn_rows
from axletree.system.system import System


class Solver:
    """The C of ``SolvedRows`` as a library of this machine."""

    def __init__(self, rows: System) -> None:
        solved = SolvedRows.of("model", rows)
        program = solved.program
        own = compile_program(program, more=(*sparsity_text(program), solved.newton))
        if own.library is None:
            pytest.skip("there is no C compiler")
        self.library, self.kept = own.library, own
        for word in ("unknowns", "parameters", "targets", "results"):
            getattr(self.library, f"model_{word}").restype = ctypes.POINTER(ctypes.c_double)
        self.names = [q.name for q in program.states]
        self.results = [q.name for q in program.outputs]
        self.unknowns = self._array("unknowns", len(program.states))
        self.targets = self._array("targets", len(program.inputs))
        parameters = self._array("parameters", len(program.parameters))
        parameters[:] = [q.default for q in program.parameters]
        self.unknowns[:] = [q.default for q in program.states]

    def _array(self, word: str, count: int) -> np.ndarray:
        return np.ctypeslib.as_array(getattr(self.library, f"model_{word}")(), (count,))

    def solve(self, *targets: float) -> bool:
        self.targets[:] = targets
        return bool(self.library.model_solve())

    def __getitem__(self, name: str) -> float:
        if name in self.names:
            return float(self.unknowns[self.names.index(name)])
        return float(self._array("results", len(self.results))[self.results.index(name)])


def rows_of(texts: list[str], start: dict[str, float]) -> System:
    """Rows in x, y, z that are to vanish, with a target a."""
    names = Quantities(Quantity(k, "1", "", Role.STATE, default=v) for k, v in start.items())
    asked = Quantities((Quantity("a", "1", "", Role.INPUT),))
    known = {q.name: q.symbol for q in (*names, *asked)}
    rows = tuple(parse_expression(text, known) for text in texts)
    time = Quantity("t", "s", "", Role.TIME)
    return System(
        name="rows", time=time, states=names, inputs=asked, parameters=Quantities(),
        derivatives=rows, intermediates=(), projection=None, outputs=(),
    )  # fmt: skip


def test_newton_finds_a_root_where_equations_depend_on_one_another() -> None:
    """x y = a, twice, and x - y = 1; z is in no equation and stays."""
    texts = ["x*y - a", "2*x*y - 2*a", "x - y - 1", "0*z"]
    solver = Solver(rows_of(texts, {"x": 3.0, "y": 1.0, "z": 7.0}))
    assert solver.solve(6.0)
    np.testing.assert_allclose(solver.unknowns, [3.0, 2.0, 7.0], rtol=1e-14)


def test_without_a_root_the_unknowns_stay() -> None:
    solver = Solver(rows_of(["x*x + a", "y - x"], {"x": 0.3, "y": 0.4}))
    assert not solver.solve(1.0)
    assert solver.unknowns.tolist() == [0.3, 0.4]
    assert not solver.solve(float("nan"))
    assert solver.solve(-4.0)
    np.testing.assert_allclose(np.abs(solver.unknowns), [2.0, 2.0], rtol=1e-11)


@pytest.mark.slow
def test_wheels_travel_as_the_suspension_is_swept() -> None:
    """By the equations of the whole vehicle, and by the linkage of an axle on its own."""
    car = at.read_model("double-wishbone-sports-car")
    rows = travel_rows(car, car.formulate())
    assert rows is not None
    solver = Solver(rows)
    assert solver.solve(0.0)
    design = {name: solver[name] for name in solver.results}
    for travel in (0.02, 0.04, -0.03):
        assert solver.solve(travel)
        for axle in ("front", "rear"):
            suspension = linked_suspension(car.described["vehicle"], axle)
            curves = suspension.sweep.curves(suspension.carried)
            for word in ("camber", "toe"):
                swept = np.interp(travel, curves.travel, getattr(curves, word))
                assert solver[f"{axle}.{word}"] - design[f"{axle}.{word}"] == pytest.approx(
                    swept, abs=2e-5
                ), (axle, word)


def test_a_model_by_curves_has_the_travel_of_its_links() -> None:
    """Solved from where they are assembled: the curves that the model is given, by their sweep."""
    car = at.read_model("macpherson-compact-car", {"vehicle": {"fidelity": "two-track"}})
    found = link_travel(car, car.formulate())
    assert found is not None
    assert found.alone
    assert not {q.name for q in found.parameters} <= {q.name for q in car.formulate().parameters}
    solver = Solver(found.rows)
    solver.unknowns[:] = found.begin
    assert solver.solve(0.0)
    design = solver["front.camber"]
    assert solver.solve(0.03)
    suspension = linked_suspension(car.described["vehicle"], "front")
    curves = suspension.sweep.curves(suspension.carried)
    swept = np.interp(0.03, curves.travel, curves.camber)
    assert solver["front.camber"] - design == pytest.approx(swept, abs=2e-5)
    assert abs(swept) > 1e-3  # rad


def test_what_has_no_turns_and_no_links() -> None:
    assert turn_rows(at.read_model("pendulum")) is None
    sedan = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    assert travel_rows(sedan, sedan.formulate()) is None
    assert link_travel(sedan, sedan.formulate()) is None
