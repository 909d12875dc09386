"""The carcass of a tyre: springs between rim and tread, so that forces build up as the tyre rolls.

The tread deflects by u along and across, and its springs and dampers pass the force

    F = k u + d du/dt                                                                      (1)

to the rim. The rim slides over the road at V, so that the tread slides at V + du/dt, and friction
is that of the law at the tread's own slip. With the law's force as a secant, F_0 without slip in
this direction (of camber, of conicity) and g > 0 per sliding speed at the slip of the rim,

    F = F_0 - g (V + du/dt),                                                               (2)

both together give the rate of the deflection

    du/dt = (F_0 - g V - k u) / (d + g),                                                   (3)

along and across alike (Rill 2012, section 3.5, first-order tyre dynamics: there g is f / v_T with
the global derivative f = F / s of the law and the transport velocity v_T).

1. Rolling steadily du/dt is 0, and the force is the law's. For small slip g is C / |V*| with the
   slip stiffness C and the rolling speed V*: forces follow slip over the relaxation length C / k
   (Pacejka 2012, eq. 7.10).
2. What the tyre does is F V = F (V + du/dt) - F du/dt. The first is never positive where F_0 is 0,
   for F is against the sliding of the tread. The second is what the springs store, k u^2 / 2, and
   what the dampers take. So slip makes no energy, however load and speed change. With a force F_0
   the first is at most F_0^2 / (4 g), at V + du/dt = F_0 / (2 g), which is F_0^2 / (4 C) for each
   metre that the wheel rolls, less than a newton and than rolling resists, and nothing at rest.
3. At rest, V* = 0, the law gives the friction F_s of sliding, and g is F_s / |V|: (3) would be
   Dahl's law du/dt = -V - |V| k u / F_s (Dahl 1968), by which a load drifts as the car swings. But
   a tread that sticks, du/dt = -V, has the force ku - dV, and while that is below friction, along
   and across together, it lets go only as its elements leave the road: g is at least k l / |Vt|,
   with half the length l of a contact and the speed Vt at which the tread runs through it. So at
   rest it is a spring up to friction and slides at it, as elastoplastic friction does (Dupont,
   Hayward, Armstrong and Altpeter 2002, IEEE Transactions on Automatic Control 47, 787 to 792:
   dz/dt = v (1 - alpha z / z_ss), alpha 0 below a breakaway and 1 at z_ss), and the energy in it
   stays within what friction holds. F_0 comes of rolling, and fades below 0.1 m/s.
4. In the air g is 0, and the tread goes back at the rate k / d, the fastest that there is.
5. Where a wheel slides both ways faster than it rolls, slips grow without bound. Friction goes by
   the direction of the sliding then, but laws whose combined slip is a weight on each force, as the
   Magic Formula's, lose it: at slips of 2.6 along and 30 across the force of Morency's tyre is 46
   degrees off. So a law is asked at slips whose product is at most 1, as those of a locked wheel at
   45 degrees: V* counts as no less than the geometric mean of the sliding speeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.components.edges import Variable
from axletree.components.fields import positive
from axletree.expr import (
    Expr,
    Value,
    absolute,
    as_expr,
    atan,
    maximum,
    minimum,
    outline,
    sqrt,
    where,
)
from axletree.wheel.bound_law import Placeholders, SecantForces
from axletree.wheel.contract import Contact, Forces
from axletree.wheel.slip import SLOW_TRAVEL, Rolling, Slip, SlipState, direction

# m/s, of rolling: slip is over it where a wheel rolls slower. A parked car creeps at its slip times
# this speed: a hundredth of it, which is less than 10 micrometres in a day.
_SLOWEST_ROLLING = 1e-8
# Slip: a smaller one counts as this one where the secant of the law is taken.
_SMALLEST_SLIP = 1e-6
# m: a tread that sticks lets go of its deflection over no less than this, half the length of a
# contact, in which its elements leave the road. Chosen: contacts of cars are 0.1 to 0.2 m long.
_SHORTEST_RELAXATION = 0.05
# Of the square of friction, above which a tread begins to slide: at 0.71 of friction. Chosen: none
# would be a jump in a rate. Between 1/4 and 1, stops from 1 m/s end within 1.4 mm.
_BREAKAWAY = 0.5
_SMALLEST_SQUARE = 1e-6  # N^2, of a friction; there is no road below it
_SLOWEST_SHOWN = 0.5  # m/s, of rolling, that the slips of the outputs are over at least

_ALONG = Variable("carcass_x", "m", "how far the tread is deflected forward")
_ACROSS = Variable("carcass_y", "m", "how far it is deflected to the left")


@dataclass(frozen=True)
class TreadAnswer:
    """What a tread on its carcass does."""

    slip: SlipState  # of the tread, and the rates of its deflections
    forces: Forces  # on the wheel
    energy: Expr  # [J], stored in the springs


@dataclass(frozen=True)
class Carcass(Slip):
    """Slip of a tread that springs carry: forces build up over a relaxation length, at rest they
    hold.

    The relaxation lengths are the slip stiffnesses of the law over the stiffnesses here, at every
    load. ``springback`` is damping over stiffness. No step should be much longer than it, and
    wheels that stop swing the less the longer it is.

    Example:
    >>> import axletree as at
    >>> carcass = at.Carcass(longitudinal_stiffness="400 kN/m", lateral_stiffness="150 kN/m")
    >>> law = at.LinearTyre(slip_stiffness=1e5, cornering_stiffness=7.5e4)  # N, N/rad
    >>> law.slip_stiffness / carcass.longitudinal_stiffness  # m, the relaxation length
    0.25
    """

    summary: ClassVar[str] = "of a tread on springs: builds up as it rolls, holds at rest"

    longitudinal_stiffness: float = positive("N/m", "k_x, of the carcass along")
    lateral_stiffness: float = positive("N/m", "k_y, of the carcass across")
    springback: float = positive(
        "s", "time in which a tread without load springs back: d / k, of both", default=0.005
    )

    def states(self) -> tuple[Variable, ...]:
        return (_ALONG, _ACROSS)

    def slip(self, rolling: Rolling, states: Any, p: Any) -> SlipState:
        """That of the rim, at which the law is asked."""
        speeds = _guarded(rolling)
        return SlipState(-speeds.along / speeds.rolling_E, atan(speeds.across / speeds.rolling_P))

    def answer(self, rolling: Rolling, law: SecantForces, states: Any, p: Any) -> TreadAnswer:
        """From what the law gives at the slip of the rim, and without slip in one direction.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.bound_law import SecantForces
        >>> from axletree.wheel.slip import Rolling
        >>> law, carcass = at.LinearTyre(1e5, 7.5e4), at.Carcass(4e5, 1.5e5)  # N, N/rad, N/m
        >>> brakes = Rolling(0.2, 0.0, 20.0, 20.0, 4000.0, 0.0)  # the rim slides at 0.2 m/s
        >>> slips = (-0.01, 1e-6), (0.0, 1e-6), (-0.01, 0.0)  # now, without slip along, and across
        >>> forces = SecantForces(*(law(at.Contact(4000.0, *slip)) for slip in slips))
        >>> found = carcass.answer(brakes, forces, (-0.0025, 0.0), carcass.numbers)  # -1000 N / k_x
        >>> print(f"{found.forces.Fx:.0f} N, {abs(found.slip.rates[0]):.0e} m/s")  # it stays
        -1000 N, 0e+00 m/s
        """
        speeds, now, (x, y) = _guarded(rolling), law.now, states
        fade = absolute(direction(rolling.rolling_speed_P, SLOW_TRAVEL))
        along = _Spring(x, p["longitudinal_stiffness"], p["springback"])
        across = _Spring(y, p["lateral_stiffness"], p["springback"])
        Vx, Vy = rolling.sliding_speed, rolling.lateral_speed
        under_x = along.under(now.Fx, law.undriven.Fx, fade, Vx, speeds.along)
        under_y = across.under(now.Fy, law.straight.Fy, fade, Vy, speeds.across)
        stuck = _stuck(under_x, under_y) * (_SHORTEST_RELAXATION / speeds.transport)
        Fx, x_rate = under_x.moved(stuck)
        Fy, y_rate = under_y.moved(stuck)
        # Moments are linear in the slip of the tread as forces are, (2).
        share_x, share_y = (Vx + x_rate) / speeds.along, (Vy + y_rate) / speeds.across
        shown_E = maximum(absolute(rolling.rolling_speed_E), _SLOWEST_SHOWN)
        shown_P = maximum(absolute(rolling.rolling_speed_P), _SLOWEST_SHOWN)
        slip, tangent = -(Vx + x_rate) / shown_E, (Vy + y_rate) / shown_P
        return TreadAnswer(
            SlipState(slip, atan(tangent), (x_rate, y_rate)),
            Forces(
                Fx=Fx,
                Fy=Fy,
                Mx=_between(law.straight.Mx, now.Mx, share_y),
                My=_between(law.undriven.My, now.My, share_x),
                Mz=_between(law.straight.Mz, now.Mz, share_y),
            ),
            along.energy + across.energy,
        )


@dataclass(frozen=True)
class _Speeds:
    """Of the rim, kept from zero, and of rolling."""

    along: Value
    across: Value
    rolling_E: Value
    rolling_P: Value
    transport: Value  # of the tread through the contact, the spin of the wheel times its radius


def _guarded(rolling: Rolling) -> _Speeds:
    Vx, Vy = rolling.sliding_speed, rolling.lateral_speed
    least = sqrt(maximum(absolute(Vx * Vy), _SLOWEST_ROLLING * _SLOWEST_ROLLING))
    E = maximum(absolute(rolling.rolling_speed_E), least)
    P = maximum(absolute(rolling.rolling_speed_P), least)
    transport = maximum(absolute(rolling.rolling_speed_E - Vx), _SLOWEST_ROLLING)

    def kept(speed: Value, rolls: Value) -> Value:
        least = _SMALLEST_SLIP * rolls
        return where(absolute(speed) > least, speed, least)

    return _Speeds(kept(Vx, E), kept(Vy, P), E, P, transport)


@dataclass(frozen=True)
class _Spring:
    """The carcass in one direction."""

    deflection: Value  # u [m]
    stiffness: Value  # k [N/m]
    springback: Value  # d / k [s]

    @property
    def energy(self) -> Value:
        return 0.5 * self.stiffness * (self.deflection * self.deflection)

    def under(self, now: Value, free: Value, fade: Value, speed: Value, kept: Value) -> _Pushed:
        """By the law's force [N] now and without slip, F_0, of which a part is there, and the
        speed of the rim [m/s], and the same kept from zero."""
        g = maximum((free - now) / kept, 0.0)
        return _Pushed(self, speed, fade * free, g)


@dataclass(frozen=True)
class _Pushed:
    """A spring between a rim that slides and a tread with friction."""

    spring: _Spring
    speed: Value  # V [m/s]
    free: Value  # F_0 [N]
    slope: Value  # g [N s/m]

    @property
    def sliding(self) -> Value:
        """The force [N] of a tread that slides with the rim."""
        return self.free - self.slope * self.speed

    @property
    def sticking(self) -> Value:
        """That of one that sticks, du/dt = -V."""
        own = self.spring
        return own.stiffness * (own.deflection - own.springback * self.speed)

    def moved(self, stuck: Value) -> tuple[Value, Value]:
        """F [N] and du/dt [m/s], with the slope over the stiffness [s/m] of a tread that sticks."""
        own = self.spring
        g = maximum(self.slope, own.stiffness * stuck)
        steady = self.free - g * self.speed
        rate = (steady - own.stiffness * own.deflection) / (
            own.stiffness * own.springback + g
        )  # (3)
        return steady - g * rate, rate  # (2), which is (1)


def _stuck(along: _Pushed, across: _Pushed) -> Value:
    """1 where the force of a tread that sticks is well below that of one that slides, 0 where it is
    not below it."""
    slides = along.sliding * along.sliding + across.sliding * across.sliding
    sticks = along.sticking * along.sticking + across.sticking * across.sticking
    spare = (slides - sticks) / maximum(_BREAKAWAY * slides, _SMALLEST_SQUARE)
    return maximum(minimum(spare, 1.0), 0.0)


def _between(free: Value, now: Value, share: Value) -> Value:
    return free + (now - free) * share


def carried_tread(
    carcass: Carcass,
    law: Callable[[Contact], SecantForces],
    rolling: Rolling,
    contact: Contact,
    states: Sequence[Expr],
    parameters: Mapping[str, Expr],
) -> TreadAnswer:
    """The answer of a carcass to a law, by calls; ``contact`` has all but slip."""
    rim = _called_slip(carcass, rolling)
    asked = law(replace(contact, longitudinal_slip=rim.longitudinal, slip_angle=rim.angle))
    own = Placeholders("carcass")
    values = own.of_all("of", parameters)
    early = list(own.given)
    deflections = [own.of(v.suffix, q) for v, q in zip(carcass.states(), states, strict=True)]
    words = {word: Forces(**own.of_all(word, vars(f))) for word, f in vars(asked).items()}
    at = SecantForces(**words)
    found = carcass.answer(own.of_fields(rolling), at, deflections, values)
    named = {"longitudinal": found.slip.longitudinal, "angle": found.slip.angle}
    named |= dict(zip(("x_rate", "y_rate"), found.slip.rates, strict=True))
    named |= {**vars(found.forces), "energy": found.energy}
    told = outline(own.name, {k: as_expr(v) for k, v in named.items()}, own.given, early)
    forces = Forces(**{word: told[word] for word in vars(found.forces)})
    slip = SlipState(told["longitudinal"], told["angle"], (told["x_rate"], told["y_rate"]))
    return TreadAnswer(slip, forces, told["energy"])


def _called_slip(carcass: Carcass, rolling: Rolling) -> SlipState:
    own = Placeholders("carcass_slip")
    found = carcass.slip(own.of_fields(rolling), (), {})
    named = {"longitudinal": as_expr(found.longitudinal), "angle": as_expr(found.angle)}
    told = outline(own.name, named, own.given, [])
    return SlipState(told["longitudinal"], told["angle"])
