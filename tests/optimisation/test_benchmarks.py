"""Problems whose answers are known: in closed form, by a Riccati equation, or published."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve

import axletree as at
from axletree.expr import cos, exp, sin, symbol
from axletree.optimisation.dynamics import dynamics

pytest.importorskip("casadi")

G = 9.81
COLLOCATION = ("trapezoidal", "hermite-simpson", "radau-2", "radau-3")
RULES = (*COLLOCATION, "multiple-shooting")


def brachistochrone(x: float = 2.0, y: float = 1.0) -> at.OptimalControlProblem:
    v, angle, g = symbol("v"), symbol("angle"), symbol("g")
    system = dynamics(
        "brachistochrone",
        {"x [m]": v * sin(angle), "y [m]": v * cos(angle), "v [m/s]": g * cos(angle)},
        ["angle [rad]"],
        {"g [m/s^2]": G},
    )
    return at.OptimalControlProblem(
        system=system,
        states={
            "x": at.Range(0, 5, initial=0, final=x),
            "y": at.Range(0, 5, initial=0, final=y),
            "v": at.Range(0, 20, initial=0),
        },
        controls={"angle": at.Range(0, "172 deg")},
        length=at.Range(0.1, 3),
        length_weight=1.0,
    )


def cycloid_time(x: float = 2.0, y: float = 1.0) -> float:
    """Johann Bernoulli (1696): x = r (k - sin k), y = r (1 - cos k), T = k sqrt(r / g)."""
    k = brentq(lambda k: (1.0 - math.cos(k)) * x - (k - math.sin(k)) * y, 0.1, 6.2)
    return float(k * math.sqrt(x / (k - math.sin(k)) / G))


@pytest.mark.validation("numerics")
@pytest.mark.parametrize(
    ("rule", "tolerance"),
    [("trapezoidal", 1e-3), ("hermite-simpson", 1e-7), ("radau-3", 1e-8),
     ("multiple-shooting", 1e-8)],
)  # fmt: skip
def test_the_brachistochrone(agrees: Agrees, rule: str, tolerance: float) -> None:
    found = at.optimal_control(brachistochrone(), rule=rule, mesh=20, start={"v": 3.0})
    source = "closed form: the cycloid (Johann Bernoulli 1696)"
    agrees(
        f"brachistochrone by {rule}, 20 intervals", found.length, cycloid_time(),
        abs=tolerance, unit="s", source=source,
    )  # fmt: skip


@pytest.mark.validation("numerics")
def test_sensitivity_of_the_brachistochrone(agrees: Agrees) -> None:
    """T goes with 1 / sqrt(g), so that dT/dg = -T / (2 g)."""
    found = at.optimal_control(brachistochrone(), rule="radau-3", mesh=10, start={"v": 3.0})
    agrees(
        "brachistochrone: dT/dg by multipliers", found.sensitivities()["g"],
        -0.5 * cycloid_time() / G, rel=1e-6, unit="s^3/m", source="closed form",
    )  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_the_double_integrator_in_least_time(rule: str) -> None:
    """Bang-bang: T = 2 sqrt(x) with |a| <= 1 (Bryson and Ho 1975, section 3.9)."""
    rates = {"x [m]": symbol("v"), "v [m/s]": symbol("a")}
    problem = at.OptimalControlProblem(
        system=dynamics("cart", rates, ["a [m/s^2]"]),
        states={"x": at.Range(initial=0, final=1), "v": at.Range(initial=0, final=0)},
        controls={"a": at.Range(-1, 1)},
        length=at.Range(0.1, 10),
        length_weight=1.0,
    )
    found = at.optimal_control(problem, rule=rule, mesh=20)
    # What joins controls at nodes by straight lines cannot jump from one bound to the other.
    assert found.length == pytest.approx(2.0, abs=6e-3 if "radau" not in rule else 1e-6)
    assert found["a"].max() == pytest.approx(1.0, abs=1e-6)


def regulator_cost(rule: str, intervals: int) -> float:
    """Of x' = x + u over 2 s, with 2 x^2 + u^2, less what the Riccati equation gives."""
    x, u = symbol("x"), symbol("u")
    system = dynamics("regulator", {"x": x + u}, ["u"], {}, {"cost": 2.0 * x * x + u * u})
    problem = at.OptimalControlProblem(
        system=system,
        states={"x": at.Range(initial=1)},
        controls={"u": at.Range()},
        length=2.0,
        integral={"cost": 1.0},
    )
    settings = at.Ipopt(tolerance=1e-12)
    return at.optimal_control(problem, rule=rule, mesh=intervals, settings=settings).cost


@pytest.mark.validation("numerics")
@pytest.mark.parametrize(
    ("rule", "order", "meshes"),
    [("trapezoidal", 2, (32, 64)), ("hermite-simpson", 4, (8, 16)), ("radau-2", 3, (8, 16)),
     ("radau-3", 5, (8, 16)), ("multiple-shooting", 4, (8, 16))],
)  # fmt: skip
def test_the_order_of_each_rule(
    agrees: Agrees, rule: str, order: int, meshes: tuple[int, int]
) -> None:
    """On a linear quadratic problem, whose cost is P x^2 with P' = 2 P - P^2 + 2 backwards."""
    riccati = solve_ivp(lambda t, p: 2.0 * p - p * p + 2.0, (0.0, 2.0), [0.0], rtol=1e-12,
                        atol=1e-13).y[0, -1]  # fmt: skip
    errors = [abs(regulator_cost(rule, count) - riccati) for count in meshes]
    measured = math.log2(errors[0] / errors[1])
    agrees(
        f"order of {rule} in the cost of a regulator", measured, order, abs=0.06, unit="1",
        source="theory of the rules; cost by the Riccati equation",
    )  # fmt: skip


@pytest.mark.validation("numerics")
def test_linear_tangent_steering(agrees: Agrees) -> None:
    """Thrust 100 m/s^2, height 5 m, final speed 45 m/s (Bryson and Ho 1975, section 2.4; with
    these numbers Betts 2010 and COPS 3.0, problem 9)."""
    u = symbol("u")
    rates = {
        "x [m]": symbol("vx"), "y [m]": symbol("vy"),
        "vx [m/s]": 100.0 * cos(u), "vy [m/s]": 100.0 * sin(u),
    }  # fmt: skip
    problem = at.OptimalControlProblem(
        system=dynamics("rocket", rates, ["u [rad]"]),
        states={
            "x": at.Range(initial=0, nominal=10),
            "y": at.Range(initial=0, final=5),
            "vx": at.Range(initial=0, final=45),
            "vy": at.Range(initial=0, final=0, nominal=20),
        },
        controls={"u": at.Range(-1.5, 1.5)},
        length=at.Range(0.1, 2),
        length_weight=1.0,
    )
    found = at.optimal_control(problem, mesh=20, start={"problem.length": 1.0})
    agrees(
        "linear tangent steering, final time", found.length, linear_tangent_time(), abs=2e-8,
        unit="s", source="the linear tangent law, tan u = c (1 - 2 t / T), by quadrature",
    )  # fmt: skip
    agrees(
        "linear tangent steering, published", found.length, 0.55457, abs=1e-5, unit="s",
        source="Dolan et al. 2004 (COPS 3.0), problem 9",
    )  # fmt: skip


def linear_tangent_time() -> float:
    """T for which a steering angle of this law comes to its ends; vy is 0 there by symmetry."""

    def misses(unknowns: np.ndarray) -> list[float]:
        c, length = unknowns
        places, weights = np.polynomial.legendre.leggauss(40)
        t, weights = 0.5 * length * (places + 1.0), 0.5 * length * weights
        tangent = c * (1.0 - 2.0 * t / length)
        along = 100.0 / np.sqrt(1.0 + tangent**2)
        height = np.sum(weights * along * tangent * (length - t))  # by parts
        return [np.sum(weights * along) - 45.0, height - 5.0]

    return float(fsolve(misses, [1.0, 0.5], xtol=1e-13)[1])


@pytest.mark.validation("numerics")
def test_the_goddard_rocket(agrees: Agrees) -> None:
    h, v, m, thrust = symbol("h"), symbol("v"), symbol("m"), symbol("thrust")
    drag = 310.0 * v * v * exp(-500.0 * (h - 1.0))
    rates = {"h": v, "v": (thrust - drag) / m - 1.0 / (h * h), "m": -thrust / 0.5}
    problem = at.OptimalControlProblem(
        system=dynamics("goddard", rates, ["thrust"], {}, {"fallen": -h}),
        states={
            "h": at.Range(1.0, 1.1, initial=1.0),
            "v": at.Range(0, 0.3, initial=0),
            "m": at.Range(0.6, 1, initial=1, final=0.6),
        },
        controls={"thrust": at.Range(0, 3.5)},
        length=at.Range(0.05, 1),
        final={"fallen": 1.0},
    )
    start = {"h": 1.0, "v": 0.1, "problem.length": 0.2}
    found = at.optimal_control(problem, rule="trapezoidal", mesh=100, start=start)
    agrees(
        "Goddard rocket, height over the radius of the earth", -found.cost, 1.01283, abs=5e-6,
        unit="1", source="Dolan et al. 2004 (COPS 3.0), problem 10",
    )  # fmt: skip


@pytest.mark.validation("numerics")
def test_the_robot_arm(agrees: Agrees) -> None:
    """An arm that swings, lifts and slides in the least time: all three controls are bang-bang."""
    rho, phi, length = symbol("rho"), symbol("phi"), 5.0
    inertia = ((length - rho) ** 3 + rho**3) / 3.0
    rates = {
        "rho": symbol("slide"), "theta": symbol("swing"), "phi": symbol("lift"),
        "slide": symbol("u") / length,
        "swing": symbol("v") / (inertia * sin(phi) ** 2),
        "lift": symbol("w") / inertia,
    }  # fmt: skip
    still = at.Range(-2, 2, initial=0, final=0)
    problem = at.OptimalControlProblem(
        system=dynamics("robot_arm", rates, ["u", "v", "w"]),
        states={
            "rho": at.Range(0, length, initial=4.5, final=4.5),
            "theta": at.Range(-math.pi, math.pi, initial=0, final=2.0 * math.pi / 3.0),
            "phi": at.Range(0, math.pi, initial=math.pi / 4.0, final=math.pi / 4.0),
            **dict.fromkeys(("slide", "swing", "lift"), still),
        },
        controls=dict.fromkeys("uvw", at.Range(-1, 1)),
        length=at.Range(1, 30),
        length_weight=1.0,
    )
    theta = (np.array([0.0, 1.0]), np.array([0.0, 2.0 * math.pi / 3.0]))
    start = {"rho": 4.5, "theta": theta, "phi": math.pi / 4.0}
    found = at.optimal_control(problem, rule="radau-3", mesh=100, start=start)
    agrees(
        "robot arm, least time", found.length, 9.1409, abs=1e-4, unit="s",
        source="Dolan et al. 2004 (COPS 3.0), problem 8",
    )  # fmt: skip


@pytest.mark.validation("numerics")
def test_the_catalysts(agrees: Agrees) -> None:
    """The mixture along a reactor, with a singular arc between two bounds."""
    x, y, u = symbol("x"), symbol("y"), symbol("u")
    rates = {"x": u * (10.0 * y - x), "y": u * (x - 10.0 * y) - (1.0 - u) * y}
    problem = at.OptimalControlProblem(
        system=dynamics("catalysts", rates, ["u"], {}, {"left": x + y}),
        states={"x": at.Range(0, 1, initial=1), "y": at.Range(0, 1, initial=0)},
        controls={"u": at.Range(0, 1)},
        length=1.0,
        final={"left": 1.0},
    )
    start = {"x": 1.0, "y": 0.0, "u": 0.5}
    found = at.optimal_control(problem, rule="radau-2", mesh=100, start=start)
    agrees(
        "catalyst mixing, yield", 1.0 - found.cost, 0.0480556, abs=1e-6, unit="1",
        source="Dolan et al. 2004 (COPS 3.0), problem 14",
    )  # fmt: skip


def test_meshes_are_refined_where_the_error_is() -> None:
    """A boundary layer at each end (Rao and Mease 2000): nodes gather there, and cost settles."""
    x, u = symbol("x"), symbol("u")
    system = dynamics("layers", {"x": -x * x * x + u}, ["u"], {}, {"cost": 0.5 * (x * x + u * u)})
    problem = at.OptimalControlProblem(
        system=system,
        states={"x": at.Range(-3, 3, initial=1.5, final=1.0)},
        controls={"u": at.Range(-10, 10)},
        length=20.0,
        integral={"cost": 1.0},
    )
    refinement = at.Refinement(tolerance=1e-6, rounds=8)
    found = at.optimal_control(problem, mesh=10, refinement=refinement)
    errors = [one.error for one in found.meshes]
    assert errors[-1] <= 1e-6 < errors[0]
    steps = np.diff(found.nodes)
    middle = steps[len(steps) // 2]
    assert steps[0] < 0.1 * middle
    assert steps[-1] < 0.3 * middle
    fine = at.optimal_control(problem, rule="radau-3", mesh=300)
    assert found.cost == pytest.approx(fine.cost, rel=2e-5)
    assert abs(found.meshes[0].cost - fine.cost) > 1e-3 * fine.cost
