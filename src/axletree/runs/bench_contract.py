"""The contract of test benches (Andres 2009, section 6.1), and what a bench holds: a tyre.

1. A bench makes models from a tyre: ``setups`` says what is driven, what is recorded and what
   is plotted. Nothing of it is run here.
2. A model proposes its run and its plots as any model does; it can be written to a file.
3. A tyre that a bench cannot hold is refused with a sentence, by the bench or by the parts of
   the tyre that do not go together with it.

The rig that benches are built of is slides and hinges between the ground and the wheel. From the
ground outwards they are ``track`` along x, ``cross`` along y, ``lift`` along z, ``yaw`` about z,
``lean`` about x and ``axle`` about y. Those that a bench does not name are not there; the others
are free, or follow a function of time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from axletree.components.bodies import BodyOfRevolution, MasslessBody, RigidBody
from axletree.components.drivers import RotationDriver, TranslationDriver
from axletree.components.fields import Part, kind_of, part, part_word
from axletree.components.frames import Frame
from axletree.components.joints import Prismatic, Revolute
from axletree.components.loads import JointForce
from axletree.core.errors import ModelError
from axletree.core.units import to_si
from axletree.model.model import Model, Plot, Run
from axletree.wheel.contract import TyreLaw, knows_pressure
from axletree.wheel.normal_forces import NormalForce
from axletree.wheel.tyre import Tyre

TYRE = "tyre"  # the name of the tyre in every model of a bench


@dataclass(frozen=True)
class Carpet:
    """A surface over two variables as two families of lines: over x, and over the runs."""

    x: str  # name of a quantity
    y: str  # name of a quantity
    levels: Mapping[str, float]  # of each run, in SI units
    quantity: str  # what the levels are: "normal load"
    unit: str


@dataclass(frozen=True)
class Setup:
    """One model on the bench, and the runs that are made of it."""

    title: str
    model: Model
    given: Mapping[str, float] = field(default_factory=dict)  # states at the start
    slip: float | None = 0.0  # at the start; None where it follows from what is driven
    lifted: bool = False  # whether the wheel starts where the model has it, not on the ground
    runs: Mapping[str, Mapping[str, float]] = field(default_factory=lambda: {"": {}})
    steady: bool = False  # whether the runs make one curve, of the last record of each
    carpet: Carpet | None = None


@dataclass(frozen=True)
class Bench:
    """A test bench; ``runs`` of a setup are parameters by the name of the run."""

    summary: str
    make: Callable[[Subject], list[Setup]]
    needs_slip: bool = False  # whether it forces slip on the tyre
    needs_give: bool = False  # whether it lifts the tyre off the ground

    def setups(self, subject: Subject) -> list[Setup]:
        """What is run; a ModelError tells why nothing can be."""
        if self.needs_slip and (subject.law.holds or subject.law.holds_longitudinal):
            raise ModelError("the bench makes tyres slip, and this one cannot")
        if self.needs_give and subject.normal_force.holds:
            raise ModelError("the bench lifts tyres, and this one is held on the ground")
        return self.make(subject)


NOMINAL_LOAD = 3000.0  # N, of laws that name none (Andres 2009, eq. 3.51)
NOMINAL_PRESSURE = 2.2e5  # Pa, the same
_PRESSURES = ("INFLPRES", "NOMPRES")  # of the parameter that laws have for it
_LOADS = ("FNOMIN", "nominal_load")  # of the parameter that laws have for it


def nominal_load(law: TyreLaw) -> float | None:
    """[N], that a law is for, if it names one."""
    numbers = {name.rpartition(".")[2]: value for name, value in law.numbers.items()}
    return next((numbers[name] for name in _LOADS if numbers.get(name)), None)


@dataclass(frozen=True)
class Subject:
    """A tyre without axle and road.

    Example:
    >>> from axletree.runs.bench_contract import Subject
    >>> spring = {"type": "linear", "stiffness": "230 kN/m"}
    >>> tyre = Subject("tyre", {"unloaded_radius": "317 mm", "normal_force": spring})
    >>> print(f"{tyre.radius} m, {tyre.normal_force.stiffness:.0f} N/m")
    0.317 m, 230000 N/m
    """

    name: str
    fields: Mapping[str, Any] = field(repr=False)  # of a tyre, as a model file has them

    @property
    def radius(self) -> float:
        """[m], without load."""
        if "unloaded_radius" not in self.fields:
            raise ModelError(f"{self.name}: the key 'unloaded_radius' is missing")
        return to_si(self.fields["unloaded_radius"], expected="m")

    @property
    def law(self) -> TyreLaw:
        """Forces over slip and load."""
        return cast(TyreLaw, self._part("law", "TYRES"))

    @property
    def normal_force(self) -> NormalForce:
        """The vertical spring."""
        return cast(NormalForce, self._part("normal_force", "NORMAL_FORCES"))

    def _part(self, field: str, title: str) -> Any:
        kind = kind_of(part(title, field))
        assert kind is not None
        if field not in self.fields:
            raise ModelError(f"{self.name}: the key {field!r} is missing")
        return kind.check(self.fields[field])

    @property
    def load(self) -> float:
        """[N], that the law is for."""
        return nominal_load(self.law) or NOMINAL_LOAD

    @property
    def knows_pressure(self) -> bool:
        """Whether forces depend on the inflation pressure."""
        return knows_pressure(self.law)

    @property
    def pressure(self) -> float:
        """[Pa], of the tyre, or else of its law."""
        given = self.fields.get("inflation_pressure")
        if given is not None:
            return to_si(given, expected="Pa")
        numbers = self.law.numbers
        return next((numbers[name] for name in _PRESSURES if numbers.get(name)), NOMINAL_PRESSURE)

    @property
    def has_rim(self) -> bool:
        """Whether a rim may touch the ground."""
        return self._word("rim", "none") != "none"

    @property
    def moves_within(self) -> bool:
        """Whether belt or contact point move, which takes short steps."""
        still = {"belt": "rigid", "contact_dynamics": "none"}
        return any(self._word(name, word) != word for name, word in still.items())

    def _word(self, field: str, default: str) -> str:
        """The type of a part, as a file has it or as an object has it."""
        value = self.fields.get(field, default)
        if isinstance(value, Part):
            return part_word(value, _SECTIONS[field])
        return str(value["type"] if isinstance(value, Mapping) else value)


_SECTIONS = {"rim": "RIMS", "belt": "BELTS", "contact_dynamics": "CONTACT_DYNAMICS"}

FREE = None  # of a joint that nothing drives
Vector3 = tuple[float, float, float]
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
# From the ground outwards: joints with their axes, and what drives them.
_RIG: dict[str, tuple[Any, Any, Vector3]] = {
    "track": (Prismatic, TranslationDriver, _X),
    "cross": (Prismatic, TranslationDriver, _Y),
    "lift": (Prismatic, TranslationDriver, _Z),
    "yaw": (Revolute, RotationDriver, _Z),
    "lean": (Revolute, RotationDriver, _X),
    "axle": (Revolute, RotationDriver, _Y),
}
HUB_MASS = 8.5  # kg; with wheel and rim 15 kg, which weigh 147 N (Andres 2009, figure 3.13)
_STEP, SHORT_STEP = 1e-4, 2e-5  # s
RECORD_INTERVAL = 0.01  # s
LANDING_INTERVAL = 5e-4  # s, of wheels that land: a stiff tyre touches for a few ms


def rig(title: str, subject: Subject, moves: Mapping[str, Any], **fields: Any) -> Model:
    """A wheel whose joints are free or move as ``moves`` says; ``fields`` are further ones of
    the tyre."""
    model = Model(title.replace("-", "_"))
    joints = [name for name in _RIG if name in moves]
    frame: Frame = model.ground.main_frame
    for name in joints:
        kind, driver, axis = _RIG[name]
        body = _body(model, subject, name, joints)
        joint = model.add(kind(name, frame, body, axis=axis))
        frame = body
        if moves[name] is not FREE:
            model.add(driver(f"{name}_drive", joint, moves[name]))
    model.add(Tyre(TYRE, model["axle"], model.ground.main_frame, **{**subject.fields, **fields}))
    model.start = {"lift.position": subject.radius} if "lift" in moves else {}
    return model


def free_wheel(title: str, subject: Subject, **fields: Any) -> Model:
    """A wheel that nothing guides: its hub weighs next to nothing."""
    model = Model(title.replace("-", "_"))
    hub = model.add(RigidBody("hub", 0.1, (1e-3, 1e-3, 1e-3)))
    wheel = _body(model, subject, "axle", ["axle"])
    model.add(Revolute("axle", hub.main_frame, wheel, axis=_Y))
    model.add(Tyre(TYRE, model["axle"], model.ground.main_frame, **{**subject.fields, **fields}))
    model.start = {"hub.z": subject.radius}
    return model


def pressed_rig(
    title: str,
    subject: Subject,
    moves: Mapping[str, Any],
    force: float | str,
    duration: float,
    plots: Sequence[Plot],
) -> Model:
    """A rig whose wheel is pressed down by a force [N], with its run [s] and plots."""
    model = rig(title, subject, moves)
    press_down(model, force)
    propose_run(model, subject, duration, plots)
    return model


def press_down(model: Model, force: float | str) -> None:
    """Press the wheel down by a force [N], a number or an expression of t."""
    up: Any = f"-({force})" if isinstance(force, str) else -force
    model.add(JointForce("load", model["lift"], up))


def inclination_runs(steepest: int, step: int) -> dict[str, dict[str, float]]:
    """Runs at inclinations to both sides [degrees], for a lean that is driven by a number."""
    angles = range(-steepest, steepest + 1, step)
    return {f"{angle} deg": {"lean_drive.angle": math.radians(angle)} for angle in angles}


def propose_run(
    model: Model,
    subject: Subject,
    duration: float,
    plots: Sequence[Plot],
    record_interval: float = RECORD_INTERVAL,
) -> None:
    """Propose the run and its plots."""
    step = SHORT_STEP if subject.moves_within else _STEP
    model.run = Run(duration, step, "rk4", record_interval)
    model.plots = tuple(plots)


def _body(model: Model, subject: Subject, joint: str, joints: Sequence[str]) -> Frame:
    """What a joint carries: the wheel, the hub that carries the axle, or a slider."""
    if joint == "axle":
        return model.add(_wheel(subject)).main_frame
    if joint == joints[-2]:
        return model.add(RigidBody("hub", HUB_MASS, (0.1, 0.1, 0.1))).main_frame
    return model.add(MasslessBody(f"{joint}_slider")).main_frame


def _wheel(subject: Subject) -> BodyOfRevolution:
    """A wheel; only a little of one where the tyre has a rim of its own."""
    mass, axial, transverse = (0.5, 0.01, 0.006) if subject.has_rim else (6.5, 0.26, 0.156)
    return BodyOfRevolution("wheel", mass, axial, transverse, axis=_Y)
