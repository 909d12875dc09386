"""What every component of the catalogue keeps to; a new one is tested by being listed."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import MISSING
from importlib import import_module
from itertools import count
from typing import Any

import numpy as np
import pytest

from axletree.catalogue import COMPONENTS
from axletree.components.contract import Component, Instant, RelativeMotion, Response, Travel
from axletree.components.drivers import RotationDriver
from axletree.components.edges import MECHANICAL, NetworkLaw
from axletree.components.fields import Part, kind_of
from axletree.components.frames import Frame
from axletree.components.joints import Cylindrical
from axletree.core.registry import load, section
from axletree.core.units import parse_unit
from axletree.equations.set_valued_forces import as_loads
from axletree.expr import Expr, directional_derivative, evaluate, number, symbol, symbols_of
from axletree.expr.vectors import Matrix, Vector, skew

WORDS = sorted(COMPONENTS)
POSITIVE_CURVES = {"engine"}  # have no points elsewhere
CURVES = {"battery": [[0, 300], [1, 400]], "torque-converter": [[0, 1], [1, 0]]}  # over 0 to 1
BOUND_TO_OTHERS = {"battery", "torsional-shaft.backlash"}  # others limit them: by default


def component_class(word: str) -> Any:
    return load("component", word, COMPONENTS)


def sample_joint(k: int) -> Cylindrical:
    ends = Frame(f"body{k}", "", (0.0, 0.0, 0.0)), Frame(f"body{k}b", "")
    return Cylindrical(f"joint{k}", *ends, axis="y")


def part_sample(part_class: Any) -> Part:
    """With the number 1.5 for every parameter that it needs, and for a part the last one listed."""
    missing = dataclasses.MISSING
    fields = [
        f for f in dataclasses.fields(part_class)
        if f.default is missing and f.default_factory is missing
    ]  # fmt: skip
    made: Part = part_class(**{f.name: _needed(f) for f in fields})
    return made


def _needed(item: Any) -> Any:
    kind = kind_of(item)
    if kind is not None and kind.word == "curve":
        return [[0.0, 1.0], [1.0, 0.0]]
    if kind is None or kind.word != "part":
        return 1.5
    entries = section(kind.section)
    return part_sample(load("part", list(entries)[-1], entries))


def sample(word: str) -> Component:
    """A component made from its declaration alone: a value of the right kind for each field."""
    numbers = count(1)
    values = {}
    for item in dataclasses.fields(component_class(word)):
        kind = kind_of(item)
        if kind is None or not item.init:
            continue
        k = next(numbers)
        match kind.word:
            case "parameter" if item.default is not MISSING and (
                not BOUND_TO_OTHERS.isdisjoint({word, f"{word}.{item.name}"})
            ):
                pass
            case "parameter" if item.default is not None:  # one that may be left out is
                values[item.name] = min(1.5, kind.upper)
            case "vector":
                values[item.name] = (0.1, 0.2, 0.3)
            case "inertia":
                values[item.name] = (1.0, 1.1, 1.2, 0.01, 0.02, 0.03)
            case "matrix":
                values[item.name] = np.diag([3.0, 4.0, 5.0]) + 0.1
            case "curve":
                points = [[-3, -7], [-1, -2], [0, 0], [1, 2], [3, 7]]
                positive = points[3:] if word in POSITIVE_CURVES else points
                values[item.name] = CURVES.get(word, positive)
            case "ratios" if item.default is MISSING:
                values[item.name] = [3.0, 2.0]
            case "component" if item.default is None:  # drives of a battery, which name it
                pass
            case "frame":
                values[item.name] = Frame(f"body{k}", "end", (0.1 * k, 0.0, 0.2))
            case "terminal":
                values[item.name] = f"node{k}"
            case "part" if item.name == "converter":  # which engines alone have
                pass
            case "part":
                first = next(iter(section(kind.section)))
                values[item.name] = part_sample(load("part", first, section(kind.section)))
            case "component" if "RotationDriver" in str(item.type):
                values[item.name] = RotationDriver(f"leader{k}", sample_joint(k))
            case "component":
                values[item.name] = sample_joint(k)
    return component_class(word)("sample", **values)


def instant(component: Component) -> Instant:
    """Every quantity that the component may ask for, as symbols of its own."""

    def vector(name: str) -> Vector:
        return Vector(symbol(f"given.{name}{axis}") for axis in "xyz")

    def motion(k: int) -> RelativeMotion:
        R = Matrix(vector(f"R{k}{row}") for row in "123")
        v, w = vector(f"v{k}"), vector(f"w{k}")
        return RelativeMotion(vector(f"r{k}"), v, R, w, R.T @ v, R.T @ w)

    motions = [motion(k) for k in range(len(component.measures()))]
    travels = [
        Travel(symbol(f"given.travel{k}"), symbol(f"given.rate{k}"))
        for k in range(len(component.measured_joints()))
    ]
    states = [symbol(f"sample.{state.suffix}") for state in component.states()]
    labels = [edge.label for edge in component.edges() if edge.domain not in MECHANICAL]
    through = {label: symbol(f"given.i{label}") for label in labels}
    across = {label: symbol(f"given.v{label}") for label in labels}
    return Instant(motions, travels, states, through=through, across=across)


def answer(component: Component, now: Instant) -> Response:
    """With set-valued forces as loads, by their symbols."""
    return as_loads(component.name, component.respond(now), set_valued=True)


def numbers_for(component: Component, now: Instant) -> dict[Expr, float]:
    """A random but real instant: the rotation matrices are rotations."""
    from scipy.spatial.transform import Rotation

    generator = np.random.default_rng(7)
    response = answer(component, now)
    values = {s: float(generator.uniform(0.2, 0.8)) for s in symbols_of(expressions_of(response))}
    values |= {q.symbol: q.default for q in component.parameters()}
    for motion in now.motions:
        for v in (motion.displacement, motion.velocity, motion.angular_velocity):
            values |= dict(zip(v, generator.uniform(-0.5, 0.5, 3), strict=True))
        turn = Rotation.from_rotvec(generator.uniform(-0.4, 0.4, 3)).as_matrix()
        for row, entries in zip(motion.R_tail_head, turn, strict=True):
            values |= dict(zip(row, entries, strict=True))
    for k, travel in enumerate(now.travels):
        values |= {travel.travel: 0.7 + 0.2 * k, travel.rate: -0.4 - 0.1 * k}
    return values


def expressions_of(response: Response) -> list[Expr]:
    found = [response.potential_energy, *response.rates]
    found += [c.expression for c in (*response.intermediates, *response.outputs)]
    found += [joint_load.effort for joint_load in response.joint_loads]
    for acting in response.loads:
        found += [*acting.force, *acting.moment]
    return found


def delivered_power(response: Response, now: Instant, component: Component) -> Expr:
    """Power of all loads, from the loads themselves."""
    total = number(0.0)
    for acting in response.loads:
        motion = now.motions[component.measures().index((acting.tail, acting.head))]
        total = total + acting.power(motion)
    rates = dict(zip(component.measured_joints(), now.travels, strict=True))
    for joint_load in response.joint_loads:
        total = total + joint_load.effort * rates[joint_load.joint].rate
    return total


@pytest.mark.parametrize("word", WORDS)
def test_the_word_names_the_class(word: str) -> None:
    module, _, name = COMPONENTS[word].partition(":")
    assert re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.replace("DCM", "DcM")).lower() == word
    assert component_class(word).__module__ == module


@pytest.mark.parametrize("word", WORDS)
def test_it_says_what_it_is(word: str) -> None:
    cls = component_class(word)
    assert 5 < len(cls.summary) <= 80
    # A dataclass without a docstring gets its signature for one.
    assert not str(cls.__doc__).startswith(f"{cls.__name__}(")
    assert import_module(cls.__module__).__doc__


@pytest.mark.parametrize("word", WORDS)
def test_every_field_has_a_unit_and_a_description(word: str) -> None:
    for item in dataclasses.fields(component_class(word)):
        if item.name == "name" or not item.init:
            continue
        kind = kind_of(item)
        assert kind is not None, item.name
        assert len(kind.description) > 3, item.name
        parse_unit(kind.unit)


@pytest.mark.parametrize("word", WORDS)
def test_edges_join_its_own_nodes(word: str) -> None:
    component = sample(word)
    frames = {f.name for f in component.frames()} | {"ground"}
    for reference in component.references():
        frames |= {f.name for f in reference.frames()}
    terminals = {
        getattr(component, item.name)
        for item in dataclasses.fields(component)
        if (kind := kind_of(item)) is not None and kind.word == "terminal"
    } | {"ground"}
    names = [edge.name for edge in component.edges()]
    assert len(set(names)) == len(names)
    for edge in component.edges():
        assert edge.component == "sample"
        assert re.fullmatch(rf"{edge.domain.prefix}[1-9]", edge.label)
        own = frames if edge.domain in MECHANICAL else terminals
        inner = {node for node in (edge.tail, edge.head) if node.startswith("sample.")}
        assert {edge.tail, edge.head} - inner <= own
        assert edge.terminal_equations()
        assert all(edge.terminal_equations())
        assert isinstance(edge.law, NetworkLaw) == (edge.domain not in MECHANICAL)
    for tail, head in component.measures():
        assert {tail.name, head.name} <= frames


@pytest.mark.parametrize("word", WORDS)
def test_the_response_uses_known_quantities_only(word: str) -> None:
    component = sample(word)
    now = instant(component)
    response = answer(component, now)
    assert len(response.rates) == len(component.states())
    found = {s.name for s in symbols_of(expressions_of(response))}
    found |= {s.name for s in symbols_of(list(component.across_sources(now).values()))}
    for inertia in component.inertias():
        used = [inertia.mass, *inertia.centre, *(c for row in inertia.tensor for c in row)]
        found |= {s.name for s in symbols_of(used)}
    for coupling in component.couplings():
        found |= {s.name for s in symbols_of([weight for _, weight in coupling.terms])}
    known = {q.name for q in (*component.parameters(), *component.inputs())}
    known |= {f"sample.{state.suffix}" for state in component.states()}
    known |= {f"sample.{force.reaction.suffix}" for force in response.set_valued}
    assert {name for name in found if not name.startswith("given.")} <= known


@pytest.mark.parametrize("word", WORDS)
def test_names_of_quantities_do_not_clash(word: str) -> None:
    component = sample(word)
    response = answer(component, instant(component))
    named = [q.name for q in (*component.parameters(), *component.inputs())]
    named += [f"sample.{state.suffix}" for state in component.states()]
    for edge in component.edges():
        law = edge.law
        if isinstance(law, NetworkLaw):
            named += [f"sample.{law.state.suffix}"] if law.state else []
        else:
            named += [f"sample.{v.suffix}" for v in (*law.coordinates, *law.speeds)]
    computed = (*response.intermediates, *response.outputs)
    named += [f"sample.{c.suffix}" for c in computed]
    assert len(set(named)) == len(named)
    for item in computed:
        assert item.description
        parse_unit(item.unit)
    for quantity in (*component.parameters(), *component.inputs()):
        assert quantity.description
        parse_unit(quantity.unit)


def respond(word: str) -> Response:
    component = sample(word)
    return answer(component, instant(component))


LOADED = [word for word in WORDS if respond(word).loads or respond(word).joint_loads]
ELASTIC = [word for word in LOADED if not respond(word).potential_energy.is_zero]


@pytest.mark.parametrize("word", LOADED)
def test_the_power_output_is_that_of_the_loads(word: str) -> None:
    component = sample(word)
    now = instant(component)
    response = answer(component, now)
    power = delivered_power(response, now, component)
    output = next(c.expression for c in response.outputs if c.suffix == "power")
    found, wanted = evaluate([output, power], numbers_for(component, now))
    assert wanted != 0.0
    assert found == pytest.approx(wanted, rel=1e-12)


def test_springs_are_elastic() -> None:
    assert {"spring-damper", "bushing", "tabulated-rotational-spring-damper"} <= set(ELASTIC)


@pytest.mark.parametrize("word", ELASTIC)
def test_loads_are_the_gradient_of_the_energy(word: str) -> None:
    """The part of the power that is odd in the velocities is the loss of stored energy."""
    component = sample(word)
    now = instant(component)
    response = answer(component, now)
    power = delivered_power(response, now, component)
    rates: dict[Expr, Expr] = {t.travel: t.rate for t in now.travels}
    for motion in now.motions:
        rates |= dict(zip(motion.displacement, motion.velocity, strict=True))
        turning = skew(motion.angular_velocity).times(motion.R_tail_head)
        for row, row_rate in zip(motion.R_tail_head, turning, strict=True):
            rates |= dict(zip(row, row_rate, strict=True))
    (energy_rate,) = directional_derivative([response.potential_energy], rates)
    values = numbers_for(component, now)
    moving = {t.rate for t in now.travels}
    for motion in now.motions:
        moving |= {*motion.velocity, *motion.angular_velocity}
    backwards = {s: -value if s in moving else value for s, value in values.items()}
    gain, forth = evaluate([energy_rate, power], values)
    (back,) = evaluate([power], backwards)
    assert gain == pytest.approx(-(forth - back) / 2.0, rel=1e-9)
    assert gain != 0.0
    assert forth + back < 0.0  # the dampers take energy out, whichever way they move
