"""Loads of a run for those who design its parts: what acts in every joint, spring and mount.

A joint holds its head (``reaction.force``, ``reaction.moment``); a spring, a bushing, a tyre exert
what they do on theirs. Both act at the head's origin, and the tail's body has the opposite there.
All of them are computed from the states of a run that is over, so that nothing has to be chosen
before. They are in the axes of each tail, or in those of one frame for all: of a body, or of the
ground.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from axletree.components.edges import MECHANICAL, Basis
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.registry import few_names, unknown_name
from axletree.equations.equations import Equations
from axletree.expr import Expr, symbols_of
from axletree.expr.vectors import NULL, Vector
from axletree.metrics.findings import Finding, findings_html, shown_findings
from axletree.simulation.recomputed_outputs import outputs_along
from axletree.simulation.signals import InputSignal
from axletree.simulation.simulate import form_for
from axletree.simulation.trajectory import Trajectory
from axletree.system.edit import with_smooth_forces
from axletree.system.system import Definition, System, vector_outputs

LOAD_UNITS: Final = {"force": "N", "moment": "N*m"}
_NOTHING: Final = 1e-9  # of the largest load in the same unit: what rounding leaves
_COARSE: Final = 0.025  # s between records: three in a period of wheels that hop at 12 Hz
_REACTION = re.compile(r"(?P<name>.+)\.reaction\.(force|moment)\.x")


@dataclass(frozen=True)
class ComponentLoad:
    """What one component exerts on its head at the records of a run, at the head's origin.

    Example:
    >>> import axletree as at
    >>> pin = at.joint_loads(at.read_model("pendulum").drive())["pin"]
    >>> pin.tail, pin.head, pin.is_reaction
    ('ground', 'rod.top', True)
    """

    component: str
    tail: str  # names of frames
    head: str
    is_reaction: bool  # of a joint; else of a spring, a bushing, a tyre
    is_determined: bool  # by the motion
    force: FloatArray  # [N], a row for each record
    moment: FloatArray  # [N m]

    def __repr__(self) -> str:
        sizes = (np.linalg.norm(one, axis=1).max(initial=0.0) for one in (self.force, self.moment))
        force, moment = (f"{size:.4g}" for size in sizes)
        return f"Load of {self.component} {self.between}: up to {force} N, {moment} N*m"

    @property
    def between(self) -> str:
        """In words: on which body, from which.

        Example:
        >>> import axletree as at
        >>> found = at.joint_loads(at.read_model("four-bar").drive())
        >>> found["a"].between
        'on crank from ground'
        """
        head, tail = (name.partition(".")[0] for name in (self.head, self.tail))
        return f"on {head} from {tail}"

    def vectors(self) -> Iterator[tuple[str, FloatArray]]:
        """Force and moment, those that are not zero throughout.

        Example:
        >>> import axletree as at
        >>> pin = at.joint_loads(at.read_model("pendulum").drive())["pin"]
        >>> [word for word, _ in pin.vectors()]
        ['force']
        """
        for word, vector in (("force", self.force), ("moment", self.moment)):
            if np.any(vector):
                yield word, vector


@dataclass(frozen=True)
class LoadExtreme:
    """One record at which a component of a load, or its size, is the largest or the smallest.

    Example:
    >>> from axletree.analysis.joint_loads import LoadExtreme
    >>> force, moment = (3.0, 0.0, 4.0), (0.0, 0.0, 0.0)  # N, N m
    >>> where = "pin", "on rod from ground"
    >>> LoadExtreme(*where, "force.size", "maximum", 1.2, force, moment).value
    5.0
    """

    component: str
    between: str  # in words: on which body, from which
    of: str  # "force.x", "moment.size"
    which: str  # "maximum", "minimum"
    time: float  # [s]
    force: tuple[float, float, float]  # [N], at the same instant
    moment: tuple[float, float, float]  # [N m]

    @property
    def value(self) -> float:
        """[N] or [N m]."""
        word, _, entry = self.of.partition(".")
        vector = self.force if word == "force" else self.moment
        return float(np.linalg.norm(vector)) if entry == "size" else vector["xyz".index(entry)]


@dataclass(frozen=True, eq=False)
class JointLoads:
    """Loads over a run, in the axes of each tail or all in those of one frame.

    Example:
    >>> import axletree as at
    >>> run = at.read_model("pendulum").drive()
    >>> pin = at.joint_loads(run, axes="ground")["pin"]
    >>> pin.force.shape == (len(run), 3)
    True
    """

    name: str  # of the system
    time: FloatArray  # [s]
    axes: str | None  # name of a frame; None: of each tail
    loads: tuple[ComponentLoad, ...]
    is_smoothed: bool = False  # whether set-valued forces are taken by their smooth laws

    def __repr__(self) -> str:
        return shown_findings(self._heading, self.findings())

    def _repr_html_(self) -> str:
        return findings_html(self._heading, self.findings())

    @property
    def _heading(self) -> str:
        return f"{len(self.loads)} loads of {self.name} at {len(self.time)} instants"

    def __getitem__(self, component: str) -> ComponentLoad:
        for load in self.loads:
            if load.component == component:
                return load
        names = [load.component for load in self.loads]
        raise SimulationError(str(unknown_name("load", component, names, "these loads")))

    @property
    def axes_in_words(self) -> str:
        """In which axes forces and moments are given."""
        return "each tail's axes" if self.axes is None else f"the axes of {self.axes}"

    def columns(self) -> dict[str, FloatArray]:
        """Time histories by name, as ``front_left_axle.force.x``; what is zero is left out.

        Example:
        >>> import axletree as at
        >>> list(at.joint_loads(at.read_model("pendulum").drive()).columns())
        ['time', 'pin.force.x', 'pin.force.y', 'pin.force.z']
        """
        found = {"time": self.time}
        for load in self.loads:
            for word, vector in load.vectors():
                for axis, column in zip("xyz", vector.T, strict=True):
                    found[f"{load.component}.{word}.{axis}"] = column
        return found

    def units(self) -> dict[str, str]:
        """Of the columns.

        Example:
        >>> import axletree as at
        >>> at.joint_loads(at.read_model("pendulum").drive()).units()["pin.force.x"]
        'N'
        """
        words = ((name, name.rpartition(".")[0].rpartition(".")[2]) for name in self.columns())
        return {name: LOAD_UNITS.get(word, "s") for name, word in words}

    def extremes(self) -> list[LoadExtreme]:
        """Of each component of each load, and of its size: maximum and minimum, each with all
        components at that instant; of sizes the maximum alone.

        Example:
        >>> import axletree as at
        >>> found = at.joint_loads(at.read_model("pendulum").drive()).extremes()
        >>> [one.of for one in found if one.which == "maximum"]
        ['force.x', 'force.z', 'force.size']
        """
        least = dict.fromkeys(LOAD_UNITS, 0.0)
        for load in self.loads:
            for word, vector in load.vectors():
                least[word] = max(least[word], _NOTHING * float(np.abs(vector).max()))
        found = []
        for load in self.loads:
            for word, vector in load.vectors():
                sizes = np.linalg.norm(vector, axis=1)
                if sizes.max() <= least[word]:
                    continue
                for axis, column in zip("xyz", vector.T, strict=True):
                    if np.abs(column).max() > least[word]:
                        found.append(self._extreme(load, f"{word}.{axis}", "maximum", column))
                        found.append(self._extreme(load, f"{word}.{axis}", "minimum", -column))
                found.append(self._extreme(load, f"{word}.size", "maximum", sizes))
        return found

    def _extreme(self, load: ComponentLoad, of: str, which: str, column: FloatArray) -> LoadExtreme:
        """Where the column is the largest."""
        at = int(column.argmax())
        x, y, z = (float(e) for e in load.force[at])
        mx, my, mz = (float(e) for e in load.moment[at])
        return LoadExtreme(
            load.component, load.between, of, which, float(self.time[at]), (x, y, z), (mx, my, mz)
        )

    def extremes_csv(self) -> str:
        """The table of extremes as comma-separated values, in SI units.

        Example:
        >>> import axletree as at
        >>> found = at.joint_loads(at.read_model("pendulum").drive())
        >>> found.extremes_csv().partition("\\n")[0][:31]
        'component,between,extreme,of,ti'
        """
        stream = io.StringIO()
        rows = csv.writer(stream, lineterminator="\n")
        entries = [f"{word}.{axis} [{unit}]" for word, unit in LOAD_UNITS.items() for axis in "xyz"]
        rows.writerow(["component", "between", "extreme", "of", "time [s]", *entries])
        for one in self.extremes():
            values = [f"{value:.10g}" for value in (one.time, *one.force, *one.moment)]
            rows.writerow([one.component, one.between, one.which, one.of, *values])
        return stream.getvalue()

    @property
    def caveat(self) -> str:
        """Which of the loads the motion leaves open, and what else to know; empty if nothing."""
        names = [load.component for load in self.loads if not load.is_determined]
        said = []
        if names:
            said.append(
                f"the motion does not determine the loads of {few_names(names)}: redundant "
                "constraints share them; give one joint some compliance (a bushing)"
            )
        if self.is_smoothed:
            said.append(
                "forces that the run found as set-valued ones are by their smooth laws here"
            )
        apart = float(np.diff(self.time).max(initial=0.0))
        if apart > _COARSE:
            said.append(
                f"extremes are those of {len(self.time)} records, {apart:g} s apart: shorter peaks "
                "are not seen; take a shorter record_interval"
            )
        return "; ".join(said)

    def findings(self) -> list[Finding]:
        """The largest force and the largest moment of all joints, and where.

        Example:
        >>> import axletree as at
        >>> found = at.joint_loads(at.read_model("pendulum").drive())
        >>> [one.name for one in found.findings()]
        ['maximum_joint_force']
        """
        joints = {load.component for load in self.loads if load.is_reaction}
        found = []
        for word, unit in LOAD_UNITS.items():
            sizes = [one for one in self.extremes()
                     if one.of == f"{word}.size" and one.component in joints]  # fmt: skip
            if sizes:
                largest = max(sizes, key=lambda one: one.value)
                where = f"largest {word} in a joint: {largest.component} at {largest.time:.4g} s"
                found.append(Finding(f"maximum_joint_{word}", largest.value, unit, where))
        return found


def joint_loads(
    run: Trajectory,
    *,
    axes: str | None = None,
    system: System | None = None,
    inputs: Mapping[str, InputSignal] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> JointLoads:
    """What every joint, spring, bushing and tyre exerts on its head, at the records of a run.

    ``axes`` names the frame in whose axes all vectors are: a body, ``body.point`` or ``ground``;
    without it each is in the axes of its own tail. A run that a model drove knows what it was made
    of; of another one say its ``system``, and its ``inputs`` and ``parameters`` as they were given.
    Peaks between records are not seen: record as often as they last.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> run = system.simulate(1.0, step="1 ms", record_interval="5 ms")
    >>> found = at.joint_loads(run, axes="ground", system=system)
    >>> largest = max(found.extremes(), key=lambda one: one.value)
    >>> print(f"{largest.component}, {largest.of}: {largest.value:.2f} N")
    pin, force.size: 10.46 N
    """
    check_arguments(joint_loads, locals())
    if system is None:
        origin = run.origin
        if origin is None:
            raise SimulationError(
                f"the run of {run.system} was not driven by a model, and does not know what it was "
                "made of; try: joint_loads(run, system=system), or a run by model.drive(...)"
            )
        system = origin.model.formulate(form=form_for(run.method))
        inputs, parameters = origin.inputs, origin.parameters
    is_smoothed = system.rows is not None
    system = with_smooth_forces(system)
    found = _definitions(system, axes)
    with_loads = replace(system, outputs=(*system.outputs, *found.definitions))
    names = [one.quantity.name for one in found.definitions]
    values = outputs_along(
        with_loads, run, names, range(len(run)), inputs=inputs or {}, parameters=parameters or {}
    )
    return JointLoads(system.name, run.time, axes, tuple(found.read(values)), is_smoothed)


@dataclass(frozen=True)
class _Load:
    """Expressions of a load, in the axes that are asked for."""

    component: str
    tail: str
    head: str
    is_reaction: bool
    is_determined: bool
    vectors: Mapping[str, Vector]  # by "force" and "moment"


@dataclass(frozen=True)
class _Definitions:
    loads: Sequence[_Load]

    @property
    def definitions(self) -> list[Definition]:
        return [
            one
            for load in self.loads
            for word, vector in load.vectors.items()
            for one in vector_outputs(_output_name(load, word), LOAD_UNITS[word], word, vector)
        ]

    def read(self, values: Mapping[str, FloatArray]) -> Iterator[ComponentLoad]:
        for load in self.loads:
            force, moment = (
                np.column_stack([values[f"{_output_name(load, word)}.{axis}"] for axis in "xyz"])
                for word in LOAD_UNITS
            )
            yield ComponentLoad(
                load.component, load.tail, load.head, load.is_reaction, load.is_determined,
                force, moment,
            )  # fmt: skip


def _output_name(load: _Load, word: str) -> str:
    """Unlike that of any output that the system has."""
    return f"{load.component} on {load.head}: {word}"


def _definitions(system: System, axes: str | None) -> _Definitions:
    source = system.source
    if source is None:
        raise SimulationError(
            f"{system.name} has no joints: its equations are written by hand, and what acts "
            "between bodies is among its outputs only where its author put it there"
        )
    places = source.dynamics.kinematics.links.places
    if axes is not None and axes not in places:
        raise SimulationError(
            str(unknown_name("frame", axes, places, f"the frames of {system.name}"))
        )
    loads = [*_reactions(system, source), *_exerted(system, source)]
    if not loads:
        raise SimulationError(f"{system.name} has no joints, and no springs between bodies")
    return _Definitions([_turned(source, load, axes) for load in loads])


def _turned(source: Equations, load: _Load, axes: str | None) -> _Load:
    """From the tail's axes to those of another frame."""
    if axes is None:
        return load
    k = source.dynamics.kinematics
    to, tail = (k.links.places[name] for name in (axes, load.tail))
    R = to.R_LF.T.times(k.rotation(to.link, tail.link)).times(tail.R_LF)
    return replace(load, vectors={word: R @ vector for word, vector in load.vectors.items()})


def _reactions(system: System, source: Equations) -> Iterator[_Load]:
    """Of joints, as the system has them."""
    known = {d.quantity.name: d.expression for d in system.outputs}
    names = dict.fromkeys(m["name"] for name in known if (m := _REACTION.fullmatch(name)))
    edges = {
        component.name: edge
        for component in source.components
        for edge in component.edges()
        if edge.domain in MECHANICAL
    }
    for name in names:
        parts = {
            word: [f"{name}.reaction.{word}.{axis}" for axis in "xyz"]
            for word in LOAD_UNITS
            if f"{name}.reaction.{word}.x" in known
        }
        vectors = {word: Vector([known[one] for one in own]) for word, own in parts.items()}
        open_ones = {one for own in parts.values() for one in own} & set(system.undetermined)
        edge = edges[name]
        yield _Load(name, edge.tail, edge.head, True, not open_ones, _both(vectors))


def _both(vectors: Mapping[str, Vector]) -> dict[str, Vector]:
    return {word: vectors.get(word, NULL) for word in LOAD_UNITS}


def _exerted(system: System, source: Equations) -> Iterator[_Load]:
    """By springs, bushings, tyres and the like; nothing of what depends on unknown reactions."""
    k = source.dynamics.kinematics
    quantities = (system.time, *system.states, *system.inputs, *system.parameters)
    known = {quantity.symbol for quantity in quantities}
    for answer in source.answers:
        several = len(answer.response.loads) > 1
        for load in answer.response.loads:
            entries: Sequence[Expr] = [*load.force, *load.moment]
            for edit in system.edits:
                entries = edit(entries)
            if not known.issuperset(symbols_of(entries)) or all(e.is_zero for e in entries):
                continue
            vectors = {"force": Vector(entries[:3]), "moment": Vector(entries[3:])}
            tail, head = (k.links.places[end.name] for end in (load.tail, load.head))
            if load.basis is Basis.HEAD:
                R = tail.R_LF.T.times(k.rotation(tail.link, head.link)).times(head.R_LF)
                vectors = {word: R @ vector for word, vector in vectors.items()}
            name = f"{answer.component}.{load.head.name}" if several else answer.component
            yield _Load(name, load.tail.name, load.head.name, False, True, vectors)
