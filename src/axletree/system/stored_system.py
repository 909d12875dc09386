"""Systems as JSON and back: one that was formulated before is read instead.

Its equations are as they were. Where they come from, the ``source``, is derived again when somebody
asks for more of it than runs need; models that a run starts from are mostly run again as they are.
Systems with constraints, set-valued forces or functions of C are formulated each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from axletree.components.contract import Component, RangeLimit
from axletree.components.edges import Gimbal
from axletree.equations.equations import Equations
from axletree.expr import Expr
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.expr.stored_graph import UnstorableError, graph_of, stored_graph
from axletree.system.start import Start
from axletree.system.system import Definition, System


def stored_system(system: System) -> dict[str, Any] | None:
    """What JSON keeps of a system; None if that would not be all of it."""
    source = system.source
    if source is None or not source.states_are_free or system.implicit is not None:
        return None
    if system.rows is not None or system.constraints or system.redundant or system.undetermined:
        return None
    if source.needed_reactions or not system.start.outside.is_empty:
        return None
    limits = source.limits
    roots = [
        *system.derivatives,
        *(system.projection or ()),
        *(one.expression for one in (*system.outputs, *system.intermediates)),
        *(limit.excess for _, limit in limits),
    ]
    try:
        graph = stored_graph(roots)
    except UnstorableError:
        return None
    return {
        "name": system.name,
        "time": _quantity_row(system.time),
        "states": _rows(system.states),
        "inputs": _rows(system.inputs),
        "parameters": _rows(system.parameters),
        "outputs": _rows(one.quantity for one in system.outputs),
        "intermediates": _rows(one.quantity for one in system.intermediates),
        "is_projected": system.projection is not None,
        "given": sorted(system.start.given),
        "speeds": len(source.speeds),
        "coordinates": len(source.coordinates),
        "set_valued": source.set_valued_names,
        "has_bodies": source.has_bodies,
        "limits": [
            (name, one.sentence, one.bars_start, one.is_harmless, one.lasts) for name, one in limits
        ],
        "gimbals": [
            (name, gimbal.angles, gimbal.repeated, names) for name, gimbal, names in source.gimbals
        ],
        "graph": graph,
    }


def system_of_store(
    stored: dict[str, Any], components: Sequence[Component], derive: Callable[[], Equations]
) -> System:
    """The system that was stored; ``derive`` makes its equations where these are asked for, which
    are its source as they are, for no reactions have to be put into them."""
    found = iter(graph_of(stored["graph"]))
    states = _quantities(stored["states"])
    outputs = _quantities(stored["outputs"])
    intermediates = _quantities(stored["intermediates"])
    derivatives = tuple(next(found) for _ in states)
    projection = tuple(next(found) for _ in states) if stored["is_projected"] else None
    source = DeferredEquations.of(derive)
    n_p, n_q = stored["speeds"], stored["coordinates"]
    vars(source).update(
        name=stored["name"],
        speeds=states[:n_p],
        coordinates=states[n_p : n_p + n_q],
        components=tuple(components),
        set_valued_names=tuple(stored["set_valued"]),
        has_bodies=stored["has_bodies"],
        states_are_free=True,
        gimbals=tuple(
            (name, Gimbal(tuple(angles), repeated), tuple(names))
            for name, angles, repeated, names in stored["gimbals"]
        ),
    )
    system = System(
        name=stored["name"],
        time=_quantity(stored["time"]),
        states=Quantities(states),
        inputs=Quantities(_quantities(stored["inputs"])),
        parameters=Quantities(_quantities(stored["parameters"])),
        derivatives=derivatives,
        projection=projection,
        outputs=_defined(outputs, found),
        intermediates=_defined(intermediates, found),
        source=source,
        start=Start(frozenset(stored["given"])),
    )
    vars(source)["limits"] = tuple(
        (name, RangeLimit(next(found), *rest)) for name, *rest in stored["limits"]
    )
    return system


class DeferredEquations(Equations):
    """Equations of which little is known at first; all of them, when more is asked for."""

    @staticmethod
    def of(derive: Callable[[], Equations]) -> DeferredEquations:
        made = object.__new__(DeferredEquations)
        vars(made)["_derive"] = derive
        return made

    def __getattr__(self, name: str) -> Any:
        """Of what has no value yet; a class knows its fields, an instance their values."""
        if name.startswith("__") or "_derive" not in vars(self):
            raise AttributeError(name)
        known = dict(vars(self))
        derived = vars(known.pop("_derive")())
        vars(self).clear()
        vars(self).update({**derived, **known})
        return getattr(self, name)


def _rows(quantities: Iterable[Quantity]) -> list[tuple[Any, ...]]:
    return [_quantity_row(one) for one in quantities]


def _quantity_row(one: Quantity) -> tuple[Any, ...]:
    return (
        one.name, one.unit, one.description, one.role.value, one.default, one.lower, one.upper,
        one.above, one.derivative_of, one.is_store,
    )  # fmt: skip


def _quantities(rows: Iterable[Sequence[Any]]) -> tuple[Quantity, ...]:
    return tuple(_quantity(row) for row in rows)


def _quantity(row: Sequence[Any]) -> Quantity:
    name, unit, description, role, *rest = row
    return Quantity(name, unit, description, Role(role), *rest)


def _defined(quantities: Iterable[Quantity], expressions: Iterator[Expr]) -> tuple[Definition, ...]:
    return tuple(Definition(one, next(expressions)) for one in quantities)
