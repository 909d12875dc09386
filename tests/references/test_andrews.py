"""Andrews' squeezer: seven bodies in a plane, driven by a motor and held by a spring.

Parameters, initial values and the solution at 0.03 s are those of the problem "andrews" of
the Test Set for IVP Solvers (Mazzia and Magherini 2008, II-6); the mechanism is described
in Schiehlen 1990 and in Hairer and Wanner, Solving Ordinary Differential Equations II,
section VII.7. The seven joint angles of the model are the seven coordinates of the set.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from oracles.andrews_squeezer import Plane, Squeezer

import axletree as at
from axletree.system.forms.partition import Partition

MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)  # [kg]
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)  # [kg m^2]
# Main frames stand at the joint towards the ground; centres of mass in these [m].
CENTRES = (
    (0.00092, 0.0), (-0.0115, 0.0), (0.01043, -0.01874), (0.0, -(0.02 - 0.01421)),
    (0.02308, 0.00916), (0.02 - 0.01421, 0.0), (0.00449, -0.01228),
)  # fmt: skip
A, B, C = (-0.06934, -0.00227, 0.0), (-0.03635, 0.03273, 0.0), (0.014, 0.072, 0.0)  # [m]
STIFFNESS, FREE_LENGTH, TORQUE = 4530.0, 0.07785, 0.033  # [N/m], [m], [N m]

JOINTS = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
START = (
    -0.0617138900142764496358948458001,
    0.0,
    0.455279819163070380255912382449,
    0.222668390165885884674473185609,
    0.487364979543842550225598953530,
    -0.222668390165885884674473185609,
    1.23054744454982119249735015568,
)
FIRST_ACCELERATIONS = (14222.4439199541138705911625887, -10666.8329399655854029433719415)
FIRST_REACTIONS = (98.5668703962410896057654982170, -6.12268834425566265503114393122)
END_ANGLES = (
    0.1581077119629904e2,
    -0.1575637105984298e2,
    0.4082224013073101e-1,
    -0.5347301163226948e0,
    0.5244099658805304e0,
    0.5347301163226948e0,
    0.1048080741042263e1,
)
END_RATES = (
    0.1139920302151208e4,
    -0.1424379294994111e4,
    0.1103291221937134e2,
    0.1929337464421385e2,
    0.5735699284790808e0,
    -0.1929337464421385e2,
    0.3231791658026955e0,
)


def squeezer() -> Any:
    model = at.Model("andrews", gravity=(0.0, 0.0, 0.0))
    K = [
        model.add(at.RigidBody(f"K{k}", mass, (inertia,) * 3, centre_of_mass=(*centre, 0.0)))
        for k, (mass, inertia, centre) in enumerate(zip(MASSES, INERTIAS, CENTRES, strict=True), 1)
    ]
    fixed_a, fixed_b = model.ground.point(*A, "A"), model.ground.point(*B, "B")
    motor = model.add(at.Revolute("beta", model.ground, K[0], axis="z"))
    model.add(at.Revolute("theta", K[0].point(0.007, 0, 0, "end"), K[1], axis="z"))
    model.add(at.Revolute("gamma", fixed_b, K[2], axis="z"))
    model.add(at.Revolute("delta", fixed_a, K[4], axis="z"))
    model.add(at.Revolute("phi", K[4].point(0.04, 0, 0, "end"), K[3], axis="z"))
    model.add(at.Revolute("epsilon", fixed_a, K[6], axis="z"))
    model.add(at.Revolute("omega", K[6].point(0, -0.04, 0, "end"), K[5], axis="z"))
    meeting = K[1].point(-0.028, 0, 0, "meeting")
    ends = ((K[2], (0, -0.035)), (K[3], (0, -0.02)), (K[5], (0.02, 0)))
    for body, (x, y) in ends:
        point = body.point(x, y, 0, "meeting")
        model.add(at.Revolute(f"{body.name}_pin", point, meeting, axis="z"))
    model.add(
        at.SpringDamper(
            "spring", model.ground.point(*C, "C"), K[2].point(0.02, -0.018, 0, "D"),
            stiffness=STIFFNESS, free_length=FREE_LENGTH,
        )
    )  # fmt: skip
    model.add(at.JointTorque("motor", motor, torque=TORQUE))
    model.start = {f"{name}.angle": value for name, value in zip(JOINTS, START, strict=True)}
    return model


@pytest.fixture(scope="module")
def system() -> Any:
    return squeezer().formulate(tree=JOINTS)


def test_six_constraints_leave_one_freedom(system: Any) -> None:
    assert sorted(q.name for q in system.source.coordinates) == sorted(f"{n}.angle" for n in JOINTS)
    assert len(system.constraints) == 6
    assert system.redundant == ()
    assert system.degrees_of_freedom == 1


@pytest.mark.validation("mechanisms")
def test_first_accelerations_and_reactions(system: Any, agrees: Agrees) -> None:
    run = system.simulate(1e-9, step=1e-9)
    found = [run[f"{name}.rate_dot"][0] for name in JOINTS]
    agrees(
        "Andrews' squeezer: first accelerations", found[:2], FIRST_ACCELERATIONS, rel=1e-9,
        unit="rad/s²", source="Mazzia and Magherini 2008, Test Set for IVP Solvers, II-6",
    )  # fmt: skip
    assert found[2:] == pytest.approx([0.0] * 5, abs=1e-6)
    # The first two multipliers of the set are the force of K3 on K2, with the sign of its g.
    force = (run["K3_pin.Fx"][0], run["K3_pin.Fy"][0])
    turn = START[2]
    in_ground = (
        force[0] * np.cos(turn) - force[1] * np.sin(turn),
        force[0] * np.sin(turn) + force[1] * np.cos(turn),
    )
    agrees(
        "Andrews' squeezer: first reactions", in_ground, [-x for x in FIRST_REACTIONS], rel=1e-8,
        unit="N", source="Mazzia and Magherini 2008, Test Set for IVP Solvers, II-6",
    )  # fmt: skip


def end(system: Any, **method: Any) -> tuple[np.ndarray, np.ndarray]:
    run = system.simulate(0.03, outputs=[], record_interval=0.03, **method)
    angles = np.array([run[f"{name}.angle"][-1] for name in JOINTS])
    return angles, np.array([run[f"{name}.rate"][-1] for name in JOINTS])


TIGHT = {"method": "dop853", "relative_tolerance": 1e-12, "absolute_tolerance": 1e-12}


@pytest.mark.validation("mechanisms")
def test_solution_after_30_milliseconds(system: Any, agrees: Agrees) -> None:
    angles, rates = end(system, **TIGHT)
    agrees(
        "Andrews' squeezer: angles after 30 ms", angles, END_ANGLES, rel=1e-9, unit="rad",
        source="Mazzia and Magherini 2008, Test Set for IVP Solvers, II-6",
    )  # fmt: skip
    agrees(
        "Andrews' squeezer: rates after 30 ms", rates, END_RATES, rel=1e-7, unit="rad/s",
        source="Mazzia and Magherini 2008, Test Set for IVP Solvers, II-6",
    )  # fmt: skip


def test_methods_and_forms_agree_more_closely_than_the_published_digits(system: Any) -> None:
    angles, rates = end(system, **TIGHT)
    partitioned = squeezer().formulate(tree=JOINTS, form=Partition())
    for found in (end(system, step=1e-6), end(partitioned, step=1e-6), end(partitioned, **TIGHT)):
        assert found[0] == pytest.approx(angles, rel=1e-10)
        assert found[1] == pytest.approx(rates, rel=1e-8)


@pytest.mark.validation("mechanisms")
def test_agrees_with_lagrange_beyond_the_published_digits(system: Any, agrees: Agrees) -> None:
    bodies = [Plane(*body) for body in zip(MASSES, INERTIAS, CENTRES, strict=True)]
    oracle = Squeezer(bodies, A[:2], B[:2], C[:2], STIFFNESS, FREE_LENGTH, TORQUE)
    angles, rates = oracle.run(START, 0.03)
    found = end(system, **TIGHT)
    agrees(
        "Andrews' squeezer: angles after 30 ms", found[0], angles, rel=1e-10, unit="rad",
        source="Equations by hand, after Lagrange, by SciPy",
    )  # fmt: skip
    assert found[1] == pytest.approx(rates, rel=1e-8)


@pytest.mark.validation("mechanisms")
def test_work_of_the_motor_is_the_gain_of_energy(system: Any, agrees: Agrees) -> None:
    run = system.simulate(0.03, step=1e-6, record_interval=1e-4)
    gained = run["energy.total"] - run["energy.total"][0]
    work = TORQUE * (run["beta.angle"] - run["beta.angle"][0])
    agrees(
        "Andrews' squeezer: gain of energy", gained, work, abs=1e-6 * work.max(), unit="J",
        source="Balance of energy, work of the motor",
    )  # fmt: skip
