"""Couplings between turning joints: viscous coupling, dry clutch, planetary gear, a shaft that
twists, a gearbox whose gears are shifted, and a coupling between two axles. Torque converters are
in ``torque_converters``.

1. Viscous coupling, at a difference of rates s (shearing of a fluid that thins, by a power of the
   rate, Bird, Stewart and Lightfoot 2002, section 8.3), linear below a slow rate s_0:

       T = c s (s^2 + s_0^2)^((m - 1) / 2).                                                     (1)

2. Planetary gear (Willis 1841): w_sun + i w_ring = (1 + i) w_carrier, with the ratio i of the teeth
   of the ring over those of the sun. Its torques are T_ring = i T_sun and
   T_carrier = -(1 + i) T_sun.
3. Gears that are shifted: each has a clutch between the shafts, which carries capacity as far as it
   is closed, as dry friction against w_in - i_k w_out. Clutches follow the gear that is asked for:
   they open in one time and close in another. Of one clutch none closes before all others are
   open, and in between no torque is passed on; of two, one opens as the other closes.

All lose power, (1) and friction by their signs; a planetary gear loses none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import (
    Component,
    Coupling,
    Instant,
    JointLoad,
    NamedOutput,
    RangeLimit,
    Response,
    SetValued,
    dry_friction,
    reaction_symbol,
)
from axletree.components.edges import Variable
from axletree.components.fields import flag, parameter, positive, structure
from axletree.components.joints import OnJoints, turn_of, turning_joint
from axletree.components.power_sources import within_one
from axletree.components.signals import (
    Constant,
    Signal,
    numbers_in,
    signal,
)
from axletree.core.errors import ModelError
from axletree.expr import (
    ONE,
    ZERO,
    Expr,
    Value,
    absolute,
    as_expr,
    maximum,
    minimum,
)


@dataclass(frozen=True, eq=False)
class ViscousCoupling(OnJoints):
    """Passes torque from the faster of two joints to the slower one through a fluid.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("front", "rear")]
    >>> shafts = [model.add(at.Revolute(f"{b.name}_shaft", model.ground, b)) for b in bodies]
    >>> fluid = model.add(at.ViscousCoupling("fluid", *shafts, coefficient="40 N*m*s/rad"))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"front_shaft.rate": 2.0}))
    >>> print(f"{rates['rear_shaft.rate']:.1f} rad/s^2")
    80.0 rad/s^2
    """

    summary: ClassVar[str] = "viscous coupling: torque by a power of the difference of rates"

    first: Component = turning_joint("first joint")
    second: Component = turning_joint("second joint, of like axis")
    coefficient: float = positive("N*m*s/rad", "torque at a difference of 1 rad/s")
    exponent: float = positive("1", "power of the difference", default=1.0, upper=2.0)
    slow_rate: float = positive(
        "rad/s", "difference below which the torque is in proportion to it, for other exponents "
        "than 1", default=1.0,
    )  # fmt: skip

    def problems(self) -> list[str]:
        same = self.first is self.second
        return [f"first and second are both {self.first.name}"] if same else []

    def respond(self, now: Instant) -> Response:
        apart = now.travels[0].rate - now.travels[1].rate
        torque = viscous_torque(
            apart, self.symbol("coefficient"), self.exponent, self.symbol("slow_rate")
        )
        first, second = self.measured_joints()
        told = (
            NamedOutput("slip", "rad/s", "rate of the first joint less that of the second", apart),
            NamedOutput("torque", "N*m", "torque on the second joint", torque),
            NamedOutput("power", "W", "power of the coupling, never positive", -torque * apart),
        )
        return Response(
            joint_loads=(JointLoad(first, -torque), JointLoad(second, torque)), outputs=told
        )


def viscous_torque(apart: Expr, coefficient: Expr, exponent: float, slow: Expr) -> Expr:
    """(1), with the exponent as a number."""
    if exponent == 1.0:
        return coefficient * apart
    size = apart * apart + slow * slow
    return as_expr(coefficient * apart * size ** (0.5 * (exponent - 1.0)))


_CLUTCH_FRICTION = Variable(
    "friction", "N*m", "torque on the head of the driven joint about its axis"
)


def _problems_of_capacity(capacity: Signal) -> list[str]:
    """Of plates: a bound below 0 would push where friction holds."""
    if isinstance(capacity, Constant) and capacity.value < 0.0:
        return [f"capacity {capacity.value:g} N m is below 0; friction has none"]
    return []


@dataclass(frozen=True, eq=False)
class DryClutch(OnJoints):
    """Carries up to ``capacity`` from one joint to another: it slips above it and locks below.

    The torque is set-valued: a method that solves for such forces ("complementarity") turns both
    joints at exactly one rate where the clutch is locked. For all other methods it is in
    proportion to the slip below ``slow_rate``: a locked clutch that carries a part of its
    capacity creeps at that part of it, and does not say so.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("engine", "gearbox")]
    >>> shafts = [model.add(at.Revolute(f"{b.name}_shaft", model.ground, b)) for b in bodies]
    >>> clutch = model.add(at.DryClutch("clutch", *shafts, capacity="100 N*m"))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"engine_shaft.rate": 50.0}))  # it slips
    >>> print(f"{rates['gearbox_shaft.rate']:.1f} rad/s^2")
    100.0 rad/s^2
    """

    summary: ClassVar[str] = "a clutch between two turning joints; slips, or locks them together"

    driving: Component = turning_joint("joint of the driving side")
    driven: Component = turning_joint("joint of the driven side, of like axis")
    capacity: Signal = signal("N*m", "maximum torque of the clutch, not negative")
    slow_rate: float = positive(
        "rad/s", "slip below which the torque is in proportion to it", default=0.5
    )

    def problems(self) -> list[str]:
        same = self.driving is self.driven
        found = [f"driving and driven are both {self.driving.name}"] if same else []
        return found + _problems_of_capacity(self.capacity)

    def respond(self, now: Instant) -> Response:
        ahead = now.travels[1].rate - now.travels[0].rate  # of the driven side
        capacity = self.signal("capacity")
        driving, driven = self.measured_joints()
        on_joints = JointLoad(driven, ONE), JointLoad(driving, -ONE)
        slow = self.symbol("slow_rate")
        friction = dry_friction(_CLUTCH_FRICTION, ahead, capacity, slow, *on_joints)
        carried = reaction_symbol(self.name, _CLUTCH_FRICTION)
        slip = NamedOutput(
            "slip", "rad/s", "rate of the driving joint less that of the driven", -ahead
        )
        power = NamedOutput("power", "W", "power of the clutch, never positive", carried * ahead)
        return Response(set_valued=(friction,), outputs=(*self.signal_outputs(), slip, power))


_SUN_TORQUE = Variable("torque", "N*m", "torque on the head of the sun's joint about its axis")


@dataclass(frozen=True, eq=False)
class PlanetaryGear(Component):
    """A centre differential that divides torque unevenly, or the gear that splits a hybrid's power.

    With the carrier driven, the ring has ``ratio`` times the torque of the sun.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("sun", "ring", "carrier")]
    >>> shafts = [model.add(at.Revolute(f"{b.name}_shaft", model.ground, b)) for b in bodies]
    >>> centre = model.add(at.PlanetaryGear("centre", *shafts, ratio=1.5))
    >>> state = model.formulate().state({"sun_shaft.rate": 10.0, "ring_shaft.rate": 5.0})
    >>> print(f"{state['carrier_shaft.rate']:.1f} rad/s")  # (10 + 1.5 5) / 2.5
    7.0 rad/s
    """

    summary: ClassVar[str] = "sun, ring and carrier; a centre differential, or a power split"

    sun: Component = turning_joint("joint of the sun")
    ring: Component = turning_joint("joint of the ring")
    carrier: Component = turning_joint("joint of the carrier")
    ratio: float = positive("1", "teeth of the ring over those of the sun")

    def problems(self) -> list[str]:
        names = {self.sun.name, self.ring.name, self.carrier.name}
        return [] if len(names) == 3 else ["sun, ring and carrier must be three different joints"]

    def couplings(self) -> tuple[Coupling, ...]:
        sun, ring, carrier = (turn_of(j)[0].name for j in (self.sun, self.ring, self.carrier))
        ratio = self.symbol("ratio")
        return (Coupling(((sun, ONE), (ring, ratio), (carrier, -(ONE + ratio))), _SUN_TORQUE),)


@dataclass(frozen=True, eq=False)
class TorsionalShaft(OnJoints):
    """A shaft that twists between two joints: a spring and a damper, with backlash if it has some.

    The twist is ``angle of driving - ratio * angle of driven``; within half of the backlash to
    either side it passes nothing.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("gearbox", "wheel")]
    >>> joints = [model.add(at.Revolute(f"{b.name}_joint", model.ground, b)) for b in bodies]
    >>> shaft = model.add(at.TorsionalShaft("shaft", *joints, stiffness="8 kN*m/rad"))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"gearbox_joint.angle": 0.01}))
    >>> print(f"{rates['wheel_joint.rate']:.1f} rad/s^2")
    80.0 rad/s^2
    """

    summary: ClassVar[str] = "a shaft that twists, with damping and backlash"

    driving: Component = turning_joint("joint of the driving end")
    driven: Component = turning_joint("joint of the driven end")
    stiffness: float = positive("N*m/rad", "torque over twist")
    damping: float = parameter("N*m*s/rad", "torque over rate of twist", default=0.0, lower=0.0)
    ratio: float = parameter("1", "turns of driving per turn of driven", default=1.0)
    backlash: float = parameter(
        "rad", "twist between both sides of the play", default=0.0, lower=0.0
    )

    def problems(self) -> list[str]:
        found = []
        if self.driving is self.driven:
            found.append(f"driving and driven are both {self.driving.name}")
        if self.ratio == 0.0:
            found.append("ratio must not be zero: driven would turn freely")
        return found

    def respond(self, now: Instant) -> Response:
        a, b = now.travels
        ratio = self.symbol("ratio")
        twist, rate = a.travel - ratio * b.travel, a.rate - ratio * b.rate
        within = maximum(
            minimum(twist, 0.5 * self.symbol("backlash")), -0.5 * self.symbol("backlash")
        )
        wound = twist - within
        stiffness, damped = self.symbol("stiffness"), self.symbol("damping") * rate
        if self.backlash:  # a damper never pulls teeth that part
            most = absolute(stiffness * wound)
            damped = maximum(minimum(damped, most), -most)
        torque = as_expr(stiffness * wound + damped)
        driving, driven = self.measured_joints()
        told = (
            NamedOutput("twist", "rad", "of driving against driven", twist),
            NamedOutput("torque", "N*m", "torque that slows the driving end", torque),
            NamedOutput("power", "W", "power of the shaft, spring and damper", -torque * rate),
        )  # fmt: skip
        return Response(
            joint_loads=(JointLoad(driving, -torque), JointLoad(driven, ratio * torque)),
            potential_energy=0.5 * stiffness * wound * wound,
            outputs=told,
        )


def _checked_ratios(value: Any) -> tuple[float, ...]:
    ratios = numbers_in(value, "1", "ratios")
    if not ratios or 0.0 in ratios:
        raise ModelError(
            f"{list(ratios)} are no gears: expected ratios other than 0, first gear first"
        )
    return ratios


@dataclass(frozen=True, eq=False)
class ShiftedGearbox(OnJoints):
    """Gears between two shafts, each with a clutch, engaged by the gear that is asked for.

    ``gear`` is 1 for the first ratio, 2 for the second; 0 is neutral. With one clutch the gear that
    is left opens first, and then the other closes: for the time between no torque passes. With a
    ``dual_clutch`` one opens as the other closes.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("engine", "wheel")]
    >>> joints = [model.add(at.Revolute(f"{b.name}_shaft", model.ground, b)) for b in bodies]
    >>> box = at.ShiftedGearbox("box", *joints, ratios=[3.0, 2.0], capacity="200 N*m", gear=2)
    >>> system = model.extended(box).formulate()
    >>> run = system.simulate("1 s", step="0.5 ms", initial={"engine_shaft.rate": 100.0})
    >>> print(f"{run['wheel_shaft.rate'][-1]:.1f} rad/s")  # 2 100 / (1 + 2^2)
    40.0 rad/s
    """

    summary: ClassVar[str] = "gears that are shifted, by one clutch or by two"

    driving: Component = turning_joint("joint of the shaft of the engine")
    driven: Component = turning_joint("joint of the other shaft, of like axis")
    ratios: tuple[float, ...] = structure(
        "ratios", "turns of driving per turn of driven, first gear first", _checked_ratios
    )
    capacity: float = positive("N*m", "torque that a closed clutch carries, at the driving shaft")
    gear: Signal = signal("1", "gear that is asked for, from 1; 0: none")
    opening: float = positive("s", "time in which a clutch opens", default=0.15)
    closing: float = positive("s", "time in which a clutch closes", default=0.25)
    dual_clutch: bool = flag("whether one gear opens as the other closes", default=False)
    slow_rate: float = positive(
        "rad/s", "slip below which friction is in proportion to it", default=0.5
    )

    def problems(self) -> list[str]:
        same = self.driving is self.driven
        found = [f"driving and driven are both {self.driving.name}"] if same else []
        gear, last = self.gear, len(self.ratios)
        if isinstance(gear, Constant) and gear.value not in range(last + 1):
            found.append(f"gear {gear.value:g} is none of its gears: expected 0, none, to {last}")
        return found

    def states(self) -> tuple[Variable, ...]:
        return tuple(
            Variable(
                f"engaged_{k}", "1", f"way of the clutch of gear {k}, from 0, open, to 1, closed"
            )
            for k in range(1, len(self.ratios) + 1)
        )

    def respond(self, now: Instant) -> Response:
        driving, driven = self.measured_joints()
        turning, turned = (travel.rate for travel in now.travels)
        forces, carried, lost = [], ZERO, ZERO
        for k, (ratio, share) in enumerate(zip(self.ratios, now.states, strict=True), start=1):
            friction = Variable(f"friction_{k}", "N*m", f"torque of gear {k} on the driving shaft")
            slip = turning - ratio * turned
            carries = within_one((share - _OPEN) / (1.0 - 2.0 * _OPEN))
            bound = self.symbol("capacity") * carries
            loads = JointLoad(driving, ONE), JointLoad(driven, as_expr(-ratio))
            forces.append(
                dry_friction(friction, slip, as_expr(bound), self.symbol("slow_rate"), *loads)
            )
            force = reaction_symbol(self.name, friction)
            carried, lost = carried - ratio * force, lost + force * slip
        told = (
            *self.signal_outputs(),
            NamedOutput("torque", "N*m", "torque on the driven shaft", as_expr(carried)),
            NamedOutput("power", "W", "power of all clutches, never positive", as_expr(lost)),
        )
        last, asked = len(self.ratios), self.signal("gear")
        beyond = maximum(asked - (last + _ASKED), -_ASKED - asked)
        limits = (
            RangeLimit(
                as_expr(beyond), f"a gear is asked for that it has not, and none is engaged; it "
                f"has gears 0, none, to {last}",
            ),
        )  # fmt: skip
        return Response(
            set_valued=tuple(forces), rates=self._rates(now.states), outputs=told, limits=limits
        )

    def _rates(self, shares: Any) -> tuple[Expr, ...]:
        """Each clutch closes where its gear is asked for, and opens else, in its time."""
        opening, closing, asked = (
            self.symbol("opening"),
            self.symbol("closing"),
            self.signal("gear"),
        )
        found = []
        for k, share in enumerate(shares):
            wanted = within_one((0.6 - absolute(asked - float(k + 1))) / 0.2)
            others: Value = sum((one for j, one in enumerate(shares) if j != k), ZERO)
            free: Value = ONE
            if not self.dual_clutch:
                free = within_one((_OPEN - others) / (0.5 * _OPEN))
            quick = (wanted - share) / (_ENDS * minimum(opening, closing))
            found.append(as_expr(maximum(minimum(quick, free / closing), -1.0 / opening)))
        return tuple(found)


_OPEN = 0.02  # of its way, at both ends, on which a clutch is open, or closed
_ASKED = 0.4  # of a gear, by which it is asked for still
_ENDS = 0.1  # of the shorter time: how its motion comes to rest


@dataclass(frozen=True, eq=False)
class AxleCoupling(OnJoints):
    """Between two axles: a viscous coupling, a pack of plates with a commanded torque, or both.

    It works on the difference of the mean rates of the wheels of each axle, times the ``ratio`` of
    its shafts. Where one axle is driven alone it makes a drive of all wheels of it; beside a drive
    of both, which divides torque evenly at any speeds, it is what locks a centre differential.

    Example:
    >>> import axletree as at
    >>> fluid = {"fidelity": "two-track", "coupling": {"viscous": "50 N*m*s/rad"}}
    >>> suv = at.read_model("suv", {"vehicle": fluid})
    >>> suv["coupling"].first_left.name, suv["coupling"].second_right.name
    ('front_left_axle', 'rear_right_axle')
    """

    summary: ClassVar[str] = "viscous coupling or plates with a commanded torque between two axles"

    first_left: Component = turning_joint("joint of the left wheel of one axle")
    first_right: Component = turning_joint("joint of its right wheel")
    second_left: Component = turning_joint("joint of the left wheel of the other axle")
    second_right: Component = turning_joint("joint of its right wheel")
    viscous: float = parameter(
        "N*m*s/rad", "torque at a difference of 1 rad/s, at the coupling", default=0.0, lower=0.0
    )
    exponent: float = positive("1", "power of the difference", default=1.0, upper=2.0)
    capacity: Signal = signal(
        "N*m", "torque that plates carry at most, not negative", default=Constant(0.0)
    )
    ratio: float = positive("1", "turns of the coupling per turn of the wheels", default=1.0)
    slow_rate: float = positive(
        "rad/s", "difference below which torques are in proportion to it", default=1.0
    )

    def problems(self) -> list[str]:
        joints = (self.first_left, self.first_right, self.second_left, self.second_right)
        twice = len({joint.name for joint in joints}) < len(joints)
        return (["two of its joints are the same"] if twice else []) + _problems_of_capacity(
            self.capacity
        )

    def respond(self, now: Instant) -> Response:
        rates = [travel.rate for travel in now.travels]
        ratio = self.symbol("ratio")
        apart = 0.5 * ratio * (rates[0] + rates[1] - rates[2] - rates[3])
        names = self.measured_joints()
        shares = [as_expr(sign * 0.5 * ratio) for sign in (1.0, 1.0, -1.0, -1.0)]
        slow = self.symbol("slow_rate")
        fluid = viscous_torque(apart, self.symbol("viscous"), self.exponent, slow)
        forces: tuple[SetValued, ...] = ()
        torque = fluid
        if self.capacity != Constant(0.0):
            on_wheels = (JointLoad(n, share) for n, share in zip(names, shares, strict=True))
            friction = Variable("friction", "N*m", "torque of the plates on the first axle's side")
            forces = (dry_friction(friction, apart, self.signal("capacity"), slow, *on_wheels),)
            torque = torque - reaction_symbol(self.name, friction)
        loads: tuple[JointLoad, ...] = ()
        if self.viscous:
            loads = tuple(JointLoad(n, -s * fluid) for n, s in zip(names, shares, strict=True))
        told = (
            *self.signal_outputs(),
            NamedOutput("slip", "rad/s", "difference of rates at the coupling", apart),
            NamedOutput("torque", "N*m", "torque passed to the second axle's side", torque),
            NamedOutput("power", "W", "power of the coupling, never positive", -torque * apart),
        )
        return Response(joint_loads=loads, set_valued=forces, outputs=told)
