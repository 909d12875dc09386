"""Small variables: what is cut off, what stays, and what cannot be cut."""

from __future__ import annotations

import pytest
import sympy
from sympy import cos, sin

from axletree.language import (
    TIME,
    Assembly,
    Body,
    LanguageError,
    Small,
    World,
    inertia,
    parameters,
    rate,
    rotation_x,
    rotation_y,
    rotation_z,
    translation,
    variables,
)
from axletree.language.expressions import truncated

x, y, z, phi, mu, alpha, r, v = variables("x y z phi mu alpha r v")
a, b, h = parameters("a b h")


def test_rates_of_what_is_small_are_small() -> None:
    """Lot and Massaro 2017, eq. (12), in the order of places, velocities, accelerations."""
    small = Small(displacements=(z,), velocities=(v, rate(alpha)), accelerations=(rate(r),))
    assert small.all == (
        z, rate(z), v, rate(alpha), rate(z, 2), rate(v), rate(alpha, 2), rate(r),
    )  # fmt: skip


def test_what_is_not_declared_stays() -> None:
    small = Small(velocities=(rate(alpha),))
    assert small.first_order(rate(alpha) * alpha**2) == rate(alpha) * alpha**2
    assert small.first_order(rate(alpha) ** 2 * alpha) == 0
    assert small.first_order(rate(alpha) * rate(alpha, 2)) == 0
    assert small.first_order(r**2 * x) == r**2 * x


FUNCTIONS = [
    sin(x + a),
    cos(a * x) * sympy.exp(b * x),
    1 / (a + x) ** 2,
    sympy.sqrt(a**2 + 1 + x),
    sympy.atan2(x + a, b),
    (x + 1) ** a,
    sympy.Abs(x + 2),
    sympy.Max(x, 3) * x + sympy.Max(-1, x),
    sympy.Piecewise((x**2 + x, y > 0), (3 * x + a, True)),
]


@pytest.mark.parametrize("f", FUNCTIONS[:7], ids=str)
def test_places_are_cut_after_taylor(f: sympy.Expr) -> None:
    """Eq. (11a), by SymPy's slope at zero."""
    s = sympy.Symbol("s", real=True)
    slope = f.subs(x, s).diff(s).subs(s, 0)
    assert sympy.simplify(truncated(f, [x]) - f.subs(x, 0) - slope * x) == 0


def test_kinks_elsewhere_do_not_matter() -> None:
    assert truncated(FUNCTIONS[7], [x]) == 4 * x
    found = sympy.piecewise_fold(truncated(FUNCTIONS[8], [x]))
    assert found == sympy.Piecewise((x, y > 0), (3 * x + a, True))


def test_velocities_and_accelerations_of_small_places_that_move_fast() -> None:
    """Eqs. (11b), (11c), which are printed with one prime too many in terms of the last.

    f' x' + f'' x x', and f' x'' + f'' x'^2 + f'' x x'' + f''' x x'^2.
    """
    f = sin(a * x + b) + sympy.exp(h * x)
    s = sympy.Symbol("s", real=True)
    f_1, f_2, f_3 = (f.subs(x, s).diff(s, n).subs(s, 0) for n in (1, 2, 3))
    X, V, A = x, rate(x), rate(x, 2)
    assert sympy.simplify(truncated(rate(f), [x]) - f_1 * V - f_2 * X * V) == 0
    expected = f_1 * A + f_2 * V**2 + f_2 * X * A + f_3 * X * V**2
    assert sympy.simplify(truncated(rate(f, 2), [x]) - expected) == 0
    everything = truncated(rate(f, 2), Small((x,)).all)
    assert sympy.simplify(everything - f_1 * A) == 0


def test_small_and_finite_angles_mixed() -> None:
    world = World(small=Small((phi, mu)))
    frame = world.base.moved("A", rotation_z(alpha), rotation_y(mu), rotation_x(phi))
    c, s = cos(alpha), sin(alpha)
    assert frame.matrix[:3, :3] == sympy.Matrix(
        [[c, -s, mu * c + phi * s], [s, c, mu * s - phi * c], [-mu, phi, 1]]
    )
    back = frame.vector(a, b, h).in_frame(world.base).in_frame(frame)
    assert list(back) == [a, b, h]


def test_points_and_products_are_cut_as_they_arise() -> None:
    world = World(small=Small((z, phi)))
    frame = world.base.moved("A", translation(z=z), rotation_x(phi))
    assert list(frame.point(0, phi, z).in_frame(world.base).xyz) == [0, phi, 2 * z]
    assert frame.vector(z, phi).dot(frame.vector(phi, 1)) == phi
    assert list(frame.vector(z, 1).cross(frame.vector(phi, z))) == [0, 0, -phi]
    assert list(frame.point(y=a).velocity()) == [0, 0, a * rate(phi) + rate(z)]


def test_what_is_linearised_last_is_kept_whole_and_shown_cut() -> None:
    world = World(small=Small((z, phi)), linearise_last=True)
    frame = world.base.moved("A", translation(z=z), rotation_x(phi))
    point = frame.point(0, a, 0).in_frame(world.base)
    assert list(point.exact) == [0, a * cos(phi), a * sin(phi) + z]
    assert list(point.xyz) == [0, a, a * phi + z]
    velocity = point.velocity()
    assert velocity.exact[1] == -a * sin(phi) * rate(phi)
    assert list(velocity) == [0, 0, a * rate(phi) + rate(z)]


@pytest.mark.parametrize(
    "expression",
    [
        1 / z,
        sympy.sqrt(z),
        sympy.atan2(z, phi),
        sympy.Abs(z * a),
        sympy.sign(phi),
        sympy.Max(z, phi),
        sympy.Max(z, 0),
        sympy.log(phi),
        sympy.sqrt(z**2 + phi**2),
        z * phi * sympy.log(phi),
        sympy.Piecewise((z, z > 0), (2 * z, True)),
    ],
    ids=str,
)
def test_what_has_no_first_order_is_said(expression: sympy.Expr) -> None:
    with pytest.raises(LanguageError, match=r"no value, or no slope.*(z|phi)\(t\).*fewer"):
        Small((z, phi)).first_order(expression)


def test_the_length_of_a_small_vector_has_no_first_order() -> None:
    with pytest.raises(LanguageError, match=r"z\(t\).*cannot be taken to the first order"):
        World(small=Small((z,))).base.vector(z=z).norm()


def test_small_declared_wrongly() -> None:
    with pytest.raises(LanguageError, match=r"z\(t\) is declared small twice: among displ.*veloc"):
        Small((z,), (z,))
    with pytest.raises(LanguageError, match=r"z\(t\) is declared small twice"):
        Small((z, z))
    with pytest.raises(LanguageError, match=r"a\*z\(t\).*among small displacements.*consists of"):
        Small((a * z,))
    with pytest.raises(LanguageError, match=r"a is declared among small velocities, but"):
        Small(velocities=(a,))
    with pytest.raises(LanguageError, match=r"Derivative\(z\(t\), t\).*goes under velocities"):
        Small((rate(z),))
    with pytest.raises(LanguageError, match=r"goes under accelerations"):
        Small(velocities=(rate(z, 2),))


k, j = sympy.symbols("k j")

WITH_RANGES = {
    sympy.Integral(sin(x * k), (k, 0, 1)): x / 2,
    sympy.Integral(sin(x * k) + k, (k, 0, x)): sympy.Integer(0),
    sympy.Integral(cos(k), (k, x, 1 + x)): sin(1) + x * (cos(1) - 1),
    sympy.Integral(x * k * j, (k, 0, j), (j, 0, 2)): 2 * x,
    sympy.Integral(y * k, (k, 0, a)): a**2 * y / 2,
    sympy.Integral(sympy.sqrt(1 + x * k**2), (k, 0, a)): a + a**3 * x / 6,
    sympy.Sum(sin(k * x), (k, 1, 3)): 6 * x,
    sympy.Product(1 + k * x, (k, 1, 3)): 1 + 6 * x,
    sympy.Derivative(sin(x) * cos(x), TIME, evaluate=False): rate(x),
    sympy.Subs(sin(k) + k**2, k, x): x,
}


@pytest.mark.parametrize("expression", WITH_RANGES, ids=str)
def test_what_runs_over_a_range_is_cut(expression: sympy.Expr) -> None:
    assert sympy.expand(Small((x,)).first_order(expression) - WITH_RANGES[expression]) == 0


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (sympy.Integral(x, (TIME, 0, 1)), "runs over time.*whose rate is the integrand"),
        (sympy.Integral(sympy.Abs(x * k), (k, 0, 1)), "no value, or no slope"),
        (sympy.Sum(k, (k, 1, x)), "no value, or no slope"),
    ],
    ids=str,
)
def test_what_runs_over_a_range_and_has_no_first_order_is_said(
    expression: sympy.Expr, words: str
) -> None:
    with pytest.raises(LanguageError, match=words):
        Small((x,)).first_order(expression)


def test_small_parameters_are_cut_with_small_variables() -> None:
    """Lot and Massaro 2017, section 1: systems where some coordinates and parameters are small."""
    small = Small((x,), parameters=(a,))
    assert small.first_order(sin(a) * y + a**2 + a * x + cos(a) * x) == a * y + x
    assert small.all == (x, rate(x), rate(x, 2), a)
    tilted = World(small=small).base.moved("tilted", rotation_y(a), translation(x, 0, b))
    assert tilted.matrix[:3, 3] == sympy.Matrix([x + a * b, 0, b])


def test_a_rotor_on_a_shaft_that_is_slightly_bent() -> None:
    """Early and late, in a body whose axis is off by a small angle and whose centre by a little."""
    found = []
    for linearise_last in (False, True):
        small = Small((z,), parameters=(a, b))
        world = World(gravity=(0, 0, -h), small=small, linearise_last=linearise_last)
        shaft = world.base.moved("shaft", translation(z=z), rotation_z(alpha))
        rotor = shaft.moved("rotor", translation(b), rotation_y(a))
        body = Body("rotor", rotor, 2, inertia(3, 3, 4))
        whole = Assembly("rotor", [body])
        found.append([*whole.newton(shaft), *whole.euler(shaft.origin, shaft)])
    for early, late in zip(*found, strict=True):
        assert sympy.expand(early.residual - late.residual) == 0
    unbalance, gyroscopic = found[0][0].left, found[0][4].left
    assert sympy.expand(unbalance + 2 * b * rate(alpha) ** 2) == 0
    assert sympy.expand(gyroscopic - a * rate(alpha) ** 2) == 0  # (C - A) a w^2


def test_small_parameters_declared_wrongly() -> None:
    with pytest.raises(LanguageError, match="a is declared among small velocities, but is a param"):
        Small(velocities=(a,))
    with pytest.raises(
        LanguageError, match=r"x\(t\) is declared among small parameters, but is no"
    ):
        Small(parameters=(x,))
    with pytest.raises(LanguageError, match="t is declared among small parameters"):
        Small(parameters=(TIME,))
