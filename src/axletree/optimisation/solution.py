"""The answer of an optimal control problem: what is chosen, how it moves, what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.core.units import units_in
from axletree.optimisation.ipopt import Answer
from axletree.optimisation.problem import LENGTH, OptimalControlProblem, given_values
from axletree.optimisation.rules import CollocationRule
from axletree.optimisation.transcription import Transcription

if TYPE_CHECKING:
    from axletree.simulation.trajectory import Trajectory

_WITHIN = 8  # straight pieces of an interval, by which controls go into a run


@dataclass(frozen=True)
class SolverAttempt:
    """What one start, or one mesh, came to."""

    said: str  # which one
    intervals: int
    cost: float
    status: str
    iterations: int
    processor_time: float  # s
    error: float = float("nan")  # the largest of an interval, relative


@dataclass(frozen=True)
class OptimalSolution:
    """States and controls at the points of a mesh, with what they cost.

    ``solution["v", "km/h"]`` are values at ``places``; ``at`` has them between, too.

    Example:
    >>> import axletree as at
    >>> from axletree.expr import symbol
    >>> from axletree.optimisation.dynamics import dynamics
    >>> cart = dynamics("cart", {"x [m]": symbol("v"), "v [m/s]": symbol("a")}, ["a [m/s^2]"])
    >>> solution = at.optimal_control(
    ...     at.OptimalControlProblem(
    ...         system=cart,
    ...         states={"x": at.Range(initial=0, final="1 m"), "v": at.Range(initial=0, final=0)},
    ...         controls={"a": at.Range(-1, 1)},
    ...         length=at.Range(0.1, 10),
    ...         length_weight=1.0,
    ...     ),
    ...     mesh=20,
    ... )
    >>> print(f"{solution.length:.3f} s, at most {max(solution['v', 'km/h']):.2f} km/h")
    2.000 s, at most 3.54 km/h
    """

    transcription: Transcription = field(repr=False)
    answer: Answer = field(repr=False)
    starts: tuple[SolverAttempt, ...] = ()
    meshes: tuple[SolverAttempt, ...] = ()

    @property
    def problem(self) -> OptimalControlProblem:
        """The one that is solved."""
        return self.transcription.problem

    @property
    def cost(self) -> float:
        """What was to be smallest."""
        return self.answer.cost

    @property
    def status(self) -> str:
        """What the solver says of it."""
        return self.answer.status

    @property
    def length(self) -> float:
        """Of the independent variable, such as the final time [s]."""
        if self.problem.is_length_free:
            return self.parameters[LENGTH]
        return float(self.transcription.nodes[-1])

    @property
    def places(self) -> FloatArray:
        """Of the independent variable, at all points."""
        return self.transcription.places * self._stretch

    @property
    def nodes(self) -> FloatArray:
        """Of the independent variable, at the ends of intervals."""
        return self.transcription.nodes * self._stretch

    @property
    def _stretch(self) -> float:
        return self.length if self.problem.is_length_free else 1.0

    @cached_property
    def parameters(self) -> Mapping[str, float]:
        """Those that were chosen, in SI units."""
        made = self.transcription
        values = self.answer.unknowns[made.parameters].tolist()
        return dict(zip(made.equations.parameters, values, strict=True))

    @cached_property
    def columns(self) -> Mapping[str, FloatArray]:
        """States, controls and outputs of the problem at ``places``, in SI units."""
        made, v = self.transcription, self.answer.unknowns
        functions = made.equations.points
        states = dict(zip(functions.states, v[made.states].T, strict=True))
        controls = dict(zip(self.problem.controls, v[made.controls].T, strict=True))
        count = len(functions.states)
        outputs = dict(zip(functions.rows[count:], self.rows[:, count:].T, strict=True))
        if self.problem.is_length_free:
            for name in self.problem.integral:
                outputs[name] = outputs[name] / self.length
        return {**states, **controls, **outputs}

    @cached_property
    def rows(self) -> FloatArray:
        """Rates by the mesh's variable, then outputs, at each point."""
        block = self.transcription.blocks[0]
        return block.functions.f(*block.arguments(self.answer.unknowns))

    def __getitem__(self, asked: str | tuple[str, str]) -> FloatArray:
        name, unit = asked if isinstance(asked, tuple) else (asked, None)
        if name not in self.columns:
            raise unknown_name("quantity", name, self.columns, "the solution")
        values = self.columns[name]
        if unit is None:
            return values
        system = self.problem.system
        listed = (*system.states, *system.inputs, *(d.quantity for d in system.outputs))
        own = next(q.unit for q in listed if q.name == name)
        return np.asarray(values * units_in(unit, own))

    def at(self, name: str, s: FloatArray) -> FloatArray:
        """A state or a control anywhere, by the polynomials of the rule.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.optimisation.dynamics import dynamics
        >>> outputs = {"effort": symbol("a") ** 2}
        >>> pushed = dynamics("pushed", {"v [m/s]": symbol("a")}, ["a [m/s^2]"], {}, outputs)
        >>> found = at.optimal_control(
        ...     at.OptimalControlProblem(
        ...         system=pushed,
        ...         states={"v": at.Range(initial=0, final=1)},
        ...         controls={"a": at.Range()},
        ...         length=2.0,
        ...         integral={"effort": 1.0},
        ...     ),
        ...     mesh=4,
        ... )
        >>> found.at("v", [0.3, 1.9]).round(6).tolist()  # m/s, at 0.3 s and 1.9 s
        [0.15, 0.95]
        """
        made, rule = self.transcription, self.transcription.rule
        places = np.clip(np.asarray(s, dtype=float) / self._stretch, made.nodes[0], made.nodes[-1])
        i = np.clip(np.searchsorted(made.nodes, places, side="right") - 1, 0, len(made.nodes) - 2)
        h = np.diff(made.nodes)[i]
        part = (places - made.nodes[i]) / h
        values = self.columns[name]
        if not isinstance(rule, CollocationRule):
            return np.asarray(np.interp(places, made.places, values))
        stride = len(rule.points)
        index = stride * i[:, None] + np.arange(stride + 1)
        states = made.equations.points.states
        if name in states:
            rates = self.rows[:, states.index(name)][index]
            gained = np.sum(rule.state_values(part) * rates, axis=1)
            return np.asarray(values[stride * i] + h * gained)
        return np.asarray(np.sum(rule.values(part) * values[index], axis=1))

    def as_guess(self) -> dict[str, float | tuple[FloatArray, FloatArray]]:
        """As a start for another mesh or a problem alike.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.optimisation.dynamics import dynamics
        >>> outputs = {"effort": symbol("a") ** 2}
        >>> pushed = dynamics("pushed", {"v [m/s]": symbol("a")}, ["a [m/s^2]"], {}, outputs)
        >>> found = at.optimal_control(
        ...     at.OptimalControlProblem(
        ...         system=pushed,
        ...         states={"v": at.Range(initial=0, final=1)},
        ...         controls={"a": at.Range()},
        ...         length=2.0,
        ...         integral={"effort": 1.0},
        ...     ),
        ...     mesh=4,
        ... )
        >>> places, values = found.as_guess()["v"]
        >>> float(places[-1]), round(float(values[-1]), 6)  # s, m/s
        (2.0, 1.0)
        """
        names = [*self.transcription.equations.points.states, *self.problem.controls]
        places = self.transcription.places
        found: dict[str, float | tuple[FloatArray, FloatArray]] = {
            name: (places, self.columns[name]) for name in names
        }
        return {**found, **self.parameters}

    def sensitivities(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """How the smallest cost changes with parameters of the system, per SI unit of each.

        Multipliers of the solution times derivatives of the equations (the envelope theorem;
        Betts 2010, section 1.11): no further problem is solved.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.optimisation.dynamics import dynamics
        >>> v, a, gain = symbol("v"), symbol("a"), symbol("gain")
        >>> rates = {"x [m]": v, "v [m/s]": gain * a}
        >>> cart = dynamics("cart", rates, ["a [m/s^2]"], {"gain": 1.0})
        >>> found = at.optimal_control(
        ...     at.OptimalControlProblem(
        ...         system=cart,
        ...         states={"x": at.Range(initial=0, final=1), "v": at.Range(initial=0, final=0)},
        ...         controls={"a": at.Range(-1, 1)},
        ...         length=at.Range(0.1, 10),
        ...         length_weight=1.0,
        ...     ),
        ...     mesh=20,
        ... )
        >>> print(f"{found.sensitivities()['gain']:.3f} s")  # T = 2 sqrt(x / (gain a))
        -1.000 s
        """
        made = self.transcription
        weights = made.weights(self.answer.multipliers.rows, 1.0)
        asked = None if names is None else tuple(names)
        found: dict[str, float] = {}
        for block, weight in zip(made.blocks, weights, strict=True):
            functions, chosen = block.functions, made.equations.parameters
            known = [q.name for q in functions.system.parameters]
            listed = known if asked is None else asked
            for name in listed:
                if name not in known:
                    raise unknown_name("parameter", name, known, "the system")
            values = {**self.problem.values, **self.parameters}
            own = functions.system.functions(
                "f", "adjoint", by_parameters=list(dict.fromkeys([*listed, *chosen])),
                outputs=list(functions.rows[len(functions.states) :]), parameters=values,
            )  # fmt: skip
            x, u, _ = block.arguments(self.answer.unknowns)
            slopes = own.adjoint(x, u, weight).sum(axis=0)
            for name, slope in zip(own.columns, slopes.tolist(), strict=True):
                if name in listed:
                    found[name] = found.get(name, 0.0) + slope
        return found

    def simulate(
        self,
        first: float,
        last: float,
        step: float,
        changed: Mapping[str, float] | None = None,
        *,
        watch: bool = True,
    ) -> Trajectory:
        """The run from one place to another by these controls, with the package's integrator;
        with other values of parameters where these are ``changed``.

        Of a system that is over s, the run's time is s.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.optimisation.dynamics import dynamics
        >>> outputs = {"effort": symbol("a") ** 2}
        >>> cart = dynamics("cart", {"v [m/s]": symbol("a")}, ["a [m/s^2]"], {}, outputs)
        >>> found = at.optimal_control(
        ...     at.OptimalControlProblem(
        ...         system=cart,
        ...         states={"v": at.Range(initial=0, final=1)},
        ...         controls={"a": at.Range()},
        ...         length=2.0,
        ...         integral={"effort": 1.0},
        ...     ),
        ...     mesh=4,
        ... )
        >>> print(f"{found.simulate(0.0, 2.0, 0.1)['v'][-1]:.6f} m/s")
        1.000000 m/s
        """
        made, system = self.transcription, self.problem.system
        if not 0.0 <= first < last <= self.length * (1.0 + 1e-12):
            raise ModelError(
                f"a run from {first:g} to {last:g} is not within the solution, 0 to {self.length:g}"
            )
        fine = np.unique(np.concatenate(
            [[first, last]]
            + [a + (b - a) * np.arange(_WITHIN) / _WITHIN
               for a, b in zip(self.nodes[:-1], self.nodes[1:], strict=True)]
        ))  # fmt: skip
        fine = fine[(fine >= first) & (fine <= last)]
        inputs = {name: (fine, self.at(name, fine)) for name in self.problem.controls}
        for name, given in self.problem.given.items():
            inputs[name] = (fine, given_values(given, fine))
        here = np.array([first])
        initial = {name: float(self.at(name, here)[0]) for name in made.equations.points.states}
        chosen = {k: v for k, v in self.parameters.items() if k != LENGTH}
        values = {**self.problem.values, **chosen, **(changed or {})}
        count = max(round((last - first) / step), 1)
        return system.simulate(
            last - first, step=(last - first) / count, initial=initial, inputs=inputs,
            parameters=values, outputs=[], start=first, watch=watch,
        )  # fmt: skip
