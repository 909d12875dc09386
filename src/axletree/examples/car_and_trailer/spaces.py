"""Section 4 of Lot and Massaro 2017: car, and car with trailer, as state space."""

from __future__ import annotations

from functools import lru_cache

import sympy

from axletree.examples.car_and_trailer import mechanics as m
from axletree.examples.car_and_trailer.data import CAR_PARAMETERS
from axletree.examples.car_and_trailer.mechanics import Mechanics
from axletree.language import Equation, StateSpace, rate, state_space

# Eq. (38).
CAR_STATES = (
    m.z, m.mu, m.phi, m.v, m.r, m.V_z, m.Omega_mu, m.Omega_phi,
    m.Y_R1, m.Y_L1, m.Y_R2, m.Y_L2,
)  # fmt: skip
# Eq. (43), without the algebraic ones.
TRAILER_STATES = (
    m.x_t, m.y_t, m.z_t, m.alpha, m.beta, m.V_xt, m.V_yt, m.V_zt, m.Omega_alpha, m.Omega_beta,
    m.Y_R3, m.Y_L3,
)  # fmt: skip
REACTIONS = (m.N_R3, m.N_L3, m.H_x, m.H_y, m.H_z)

# Eqs. (36), (41).
CAR_VELOCITIES = {m.z: m.V_z, m.mu: m.Omega_mu, m.phi: m.Omega_phi}
TRAILER_VELOCITIES = {
    m.x_t: m.V_xt, m.y_t: m.V_yt, m.z_t: m.V_zt, m.alpha: m.Omega_alpha, m.beta: m.Omega_beta,
}  # fmt: skip

_UNITS = {
    "N": (m.Y_R1, m.Y_L1, m.Y_R2, m.Y_L2, m.Y_R3, m.Y_L3, *REACTIONS),
    "m": (m.z, m.x_t, m.y_t, m.z_t),
    "rad": (m.mu, m.phi, m.alpha, m.beta, m.delta),
    "m/s": (m.v, m.V_z, m.V_xt, m.V_yt, m.V_zt),
    "rad/s": (m.r, m.Omega_mu, m.Omega_phi, m.Omega_alpha, m.Omega_beta),
}
UNITS = {variable: unit for unit, variables in _UNITS.items() for variable in variables}

# Beyond these the products that are left out matter: 0.2 rad makes sines wrong by 0.7 %.
_SMALL = {m.z: 0.2, m.mu: 0.2, m.phi: 0.2, m.beta: 0.2}


@lru_cache(maxsize=2)
def car_space(mechanics: Mechanics | None = None) -> StateSpace:
    """A_c x' = B_c (eq. 37) in 12 states: the hitch is unhooked, H = 0."""
    model = mechanics or Mechanics()
    outputs = _car_outputs(model)
    return state_space(
        "car", car_equations(model), CAR_STATES, inputs=[m.delta], parameters=CAR_PARAMETERS,
        velocities=CAR_VELOCITIES,
        switched_off={m.H_x: 0, m.H_y: 0, m.H_z: 0},
        outputs=outputs, units=_units(CAR_STATES, outputs),
        small={q: bound for q, bound in _SMALL.items() if q in CAR_STATES},
    )  # fmt: skip


@lru_cache(maxsize=2)
def train_space(mechanics: Mechanics | None = None) -> StateSpace:
    """A(x) x' = B(x, u) (eq. 42) in 29 variables."""
    model = mechanics or Mechanics()
    x_t = -CAR_PARAMETERS["f_x"][0] - CAR_PARAMETERS["j_x"][0]
    outputs, states = _car_outputs(model), (*CAR_STATES, *TRAILER_STATES)
    return state_space(
        "car with trailer", [*car_equations(model), *trailer_equations(model)], states,
        inputs=[m.delta], parameters=CAR_PARAMETERS,
        algebraic=REACTIONS, constraints=[model.bounce, model.hitch],
        velocities=CAR_VELOCITIES | TRAILER_VELOCITIES,
        outputs=outputs, units=_units((*states, *REACTIONS), outputs),
        start={m.x_t: x_t, m.z_t: -CAR_PARAMETERS["h_t"][0]}, small=_SMALL,
    )  # fmt: skip


def car_equations(model: Mechanics) -> list[Equation]:
    """(21b), (21c), (22), and (35) of four tyres; (21a) gives the driving force alone."""
    _, y, z = model.car.newton()
    tyres = [tyre.relaxation for tyre in model.car_tyres]
    return [y, z, *model.car.euler(model.T_0.origin), *tyres]


def trailer_equations(model: Mechanics) -> list[Equation]:
    """(23), (24) about T in the axes of T_alpha, and (35) of two tyres."""
    turning = model.trailer.euler(model.T_T.origin, model.T_alpha)
    tyres = [tyre.relaxation for tyre in model.trailer_tyres]
    return [*model.trailer.newton(), *turning, *tyres]


def _car_outputs(model: Mechanics) -> dict[str, sympy.Expr]:
    """Loads (30), lateral acceleration, the driving force that (21a) asks for."""
    loads = {f"N_{tyre.name}": sympy.sympify(tyre.N) for tyre in model.car_tyres}
    along = model.car.newton()[0]
    driving = sympy.solve(along.residual, m.X_2)[0]
    return {**loads, "a_y": m.u * m.r + rate(m.v), "X_2": driving}


def _units(variables: tuple[sympy.Expr, ...], outputs: dict[str, sympy.Expr]) -> dict[object, str]:
    known = {x: UNITS[x] for x in (*variables, m.delta)}
    return {**known, **{name: "m/s^2" if name == "a_y" else "N" for name in outputs}}
