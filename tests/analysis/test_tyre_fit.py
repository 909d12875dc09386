"""Parameters from measurements: synthetic tyres are recovered, and doubts are stated."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from mechanisms.laws import LAWS_OF_FORCES

from axletree.analysis.studies.tyre_characteristics import slip_sweep
from axletree.analysis.studies.tyre_fit import (
    FittedParameter,
    TyreFit,
    fit_problem,
    fit_tyre,
    fitted_names,
)
from axletree.core.errors import AxletreeError, ModelError
from axletree.wheel.contract import TyreLaw
from axletree.wheel.friction_slips import CombinedFriction
from axletree.wheel.tyres.composed_friction import AdvancedFriction
from axletree.wheel.tyres.fiala import Fiala
from axletree.wheel.tyres.ideal_laws import LinearTyre
from axletree.wheel.tyres.law_files import read_tyre_law
from axletree.wheel.tyres.magic_formula import MagicFormula52, ShortMagicFormula
from axletree.wheel.tyres.tyre_data import DATA_INPUTS, TyreData

TRUE = Fiala(0.17, 95e3, 70e3, 0.01, 1.05, 0.6)
START = Fiala(0.12, 60e3, 100e3, 0.02, 0.8, 0.8)


def measured(
    law: TyreLaw, noise: float = 0.0, count: int = 400, channels: str = "Fx Fy Mz"
) -> TyreData:
    """Points at random; the noise is a share of each force's peak."""
    random = np.random.default_rng(20)
    Fz = random.choice([1500.0, 3000.0, 5000.0], count)
    S, alpha = random.uniform(-0.4, 0.4, count), random.uniform(-0.3, 0.3, count)
    gamma = random.uniform(-0.08, 0.08, count)
    forces = slip_sweep(law, Fz, S, alpha, gamma)
    values = {name: np.array(getattr(forces, name)) for name in channels.split()}
    for value in values.values():
        value += noise * np.abs(value).max() * random.standard_normal(count)
    return TyreData(Fz, S, alpha, gamma, values)


def by_name(fit: TyreFit) -> dict[str, FittedParameter]:
    return {item.name: item for item in fit.parameters}


def test_exact_data_give_exact_parameters() -> None:
    fit = fit_tyre(START, measured(TRUE))
    assert fit.converged
    expected = {**TRUE.numbers, "rolling_resistance": START.rolling_resistance}
    assert fit.law.numbers == pytest.approx(expected, rel=1e-6)
    assert fit.rms["Fy"] < 1e-3


def test_parts_of_a_law_are_fitted_by_their_place() -> None:
    true = AdvancedFriction(
        slip=CombinedFriction(lateral_peak_friction=1.1, longitudinal_adhesion_slip=0.12)
    )
    names = ["slip.lateral_peak_friction", "slip.longitudinal_adhesion_slip"]
    fit = fit_tyre(AdvancedFriction(), measured(true), names)
    assert [item.name for item in fit.parameters] == [names[1], names[0]]
    assert fit.law.numbers == pytest.approx(true.numbers, rel=1e-6)
    assert "load_influence.nominal_load" not in fitted_names(true)


def test_noisy_data_give_parameters_within_their_deviations() -> None:
    noise = 0.02
    data = measured(TRUE, noise)
    fit = fit_tyre(START, data)
    found = by_name(fit)
    for name in ("width", "slip_stiffness", "cornering_stiffness", "peak_friction"):
        item = found[name]
        assert 0.0 < item.deviation < 0.05 * item.value
        assert abs(item.value - TRUE.numbers[name]) < 4.0 * item.deviation
    for name, error in fit.rms.items():
        assert error == pytest.approx(noise * fit.peaks[name], rel=0.15)


def test_deviations_are_those_of_repeated_measurements() -> None:
    """The spread over 30 sets of noise, of a law that is linear in its parameters."""
    true = LinearTyre(100e3, 80e3, camber_stiffness=5e3, pneumatic_trail=0.03)
    clean = measured(true)
    values, deviations = [], []
    for k in range(30):
        random = np.random.default_rng(k)
        forces = {
            name: value + 0.01 * np.abs(value).max() * random.standard_normal(len(clean))
            for name, value in clean.forces.items()
        }
        fit = fit_tyre(true, dataclasses.replace(clean, forces=forces), ["cornering_stiffness"])
        values.append(fit.law.numbers["cornering_stiffness"])
        deviations.append(fit.parameters[0].deviation)
    assert np.std(values) == pytest.approx(np.mean(deviations), rel=0.4)


@pytest.mark.parametrize("name", LAWS_OF_FORCES)
def test_derivatives_agree_with_differences(name: str) -> None:
    law = read_tyre_law(name)
    problem = fit_problem(law, measured(law, count=40), ())
    x = np.array([law.numbers[n] for n in problem.names])
    exact = problem.jacobian(x)
    for k, value in enumerate(x):
        size = abs(value) or 1e-2
        step = 1e-6 * size
        sides = [problem.residuals(x + sign * step * np.eye(len(x))[k]) for sign in (1.0, -1.0)]
        difference = (sides[0] - sides[1]) / (2.0 * step)
        scale = max(np.abs(difference).max(), 1e-3 / size)
        # A point whose switch lies within the step has another slope on each side of it.
        assert np.mean(np.abs(exact[:, k] - difference) < 1e-3 * scale) > 0.98


def test_what_the_forces_do_not_depend_on_keeps_its_value() -> None:
    found = by_name(fit_tyre(START, measured(TRUE, channels="Fx")))
    assert found["width"].value == START.width
    assert found["width"].note == "no effect on Fx"
    assert found["width"].held
    assert not found["slip_stiffness"].held
    assert math.isnan(found["width"].deviation)
    assert found["slip_stiffness"].value == pytest.approx(TRUE.slip_stiffness, rel=1e-6)


def test_what_cannot_be_told_apart_is_kept_and_said() -> None:
    """At one load, peak factor and load dependency act as one number."""
    true = ShortMagicFormula(10.0, 1.5, 1.0, 0.2, 4000.0)
    alpha = np.linspace(-0.3, 0.3, 61)
    load, none = np.full(61, 3000.0), np.zeros(61)
    data = TyreData(load, none, alpha, none, {"Fy": slip_sweep(true, load, none, alpha).Fy})
    found = by_name(fit_tyre(ShortMagicFormula(8.0, 1.4, 0.8, 0.4, 4000.0), data))
    assert found["load_dependency"].note == "these data do not tell it from peak_factor"
    assert found["load_dependency"].value == 0.4
    # 1 (1 + 0.2 / 4) with the load dependency of the truth, D (1 + 0.4 / 4) with that kept.
    assert found["peak_factor"].value == pytest.approx(1.05 / 1.1, rel=1e-6)
    assert found["shape_factor"].value == pytest.approx(1.5, rel=1e-6)
    assert "nominal_load" not in found


def test_what_the_data_do_not_show_is_kept() -> None:
    """Without inclination nothing is known of its stiffness, though Fy depends on it."""
    true = LinearTyre(100e3, 80e3, camber_stiffness=5e3)
    data = measured(true, channels="Fy")
    upright = dataclasses.replace(data, inclination=np.zeros(len(data)))
    found = by_name(fit_tyre(true, upright, ["c*_stiffness"]))
    assert found["camber_stiffness"].note == "these data do not tell it"
    assert found["camber_stiffness"].value == 5e3
    assert found["cornering_stiffness"].note == ""


def test_bounds_are_kept() -> None:
    true = LinearTyre(100e3, 80e3, camber_stiffness=0.0)
    data = measured(true, channels="Fy")
    wrong = {"Fy": data.forces["Fy"] + 9e3 * data.inclination}  # as if it were negative
    fit = fit_tyre(
        LinearTyre(100e3, 80e3, camber_stiffness=2e3), dataclasses.replace(data, forces=wrong)
    )
    found = by_name(fit)["camber_stiffness"]
    assert 0.0 <= found.value < 1e-3
    assert found.note == "at its bound"


def test_points_that_were_not_measured_are_left_out() -> None:
    data = measured(TRUE)
    holes = {name: value.copy() for name, value in data.forces.items()}
    holes["Fy"][::2] = np.nan
    holes["Mz"][5:] = np.nan
    fit = fit_tyre(START, dataclasses.replace(data, forces=holes))
    assert fit.law.numbers["cornering_stiffness"] == pytest.approx(70e3, rel=1e-6)


def test_side_force_of_a_magic_formula_is_recovered() -> None:
    true = MagicFormula52(**MagicFormula52.example)
    names = ["PCY1", "PDY1", "PDY2", "PEY1", "PKY1", "PKY2", "PHY1", "PVY1"]
    random = np.random.default_rng(5)
    guess = {name: true.numbers[name] * random.uniform(0.7, 1.3) for name in names}
    data = measured(true, 0.01, channels="Fy")
    fit = fit_tyre(dataclasses.replace(true, **guess), data, names)
    assert fit.rms["Fy"] == pytest.approx(0.01 * fit.peaks["Fy"], rel=0.1)
    for item in fit.parameters:
        assert item.note == ""
        assert abs(item.value - true.numbers[item.name]) < 4.0 * item.deviation


def test_scaling_factors_and_nominal_values_are_fitted_only_when_named() -> None:
    law = MagicFormula52(**MagicFormula52.example)
    names = set(fitted_names(law))
    assert {"PCX1", "PKY1", "QDZ1", "RBX1", "SSZ1"} <= names
    assert not {"LMUY", "LFZO", "FNOMIN", "UNLOADED_RADIUS", "LONGVL", "ALPMAX"} & names
    assert fitted_names(law, ["LMU?"]) == ["LMUX", "LMUY"]


def test_progress_is_told() -> None:
    told: list[tuple[int, float]] = []
    fit = fit_tyre(START, measured(TRUE), report=lambda k, error: told.append((k, error)))
    assert [k for k, _ in told] == list(range(1, fit.iterations + 1))
    errors = [error for _, error in told]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-6 < errors[0]


def test_names_of_parameters_to_fit() -> None:
    assert fitted_names(START, ["*_friction", "width"]) == [
        "width",
        "peak_friction",
        "sliding_friction",
    ]
    fit = fit_tyre(START, measured(TRUE), ["*_stiffness"])
    assert [item.name for item in fit.parameters] == ["slip_stiffness", "cornering_stiffness"]
    assert fit.law.numbers["peak_friction"] == START.peak_friction


@pytest.mark.parametrize(
    ("free", "count", "message"),
    [
        (["widht"], 400, "unknown parameter 'widht' in Fiala; did you mean 'width'"),
        (["rolling_resistance"], 400, "no parameter of Fiala .* has an effect on Fx, Fy, Mz"),
        ([], 1, "3 measured values cannot determine 5 parameters"),
    ],
)
def test_fits_that_are_refused(free: list[str], count: int, message: str) -> None:
    with pytest.raises(AxletreeError, match=message):
        fit_tyre(START, measured(TRUE, count=count), free)


def test_forces_that_the_law_does_not_explain_are_no_fit() -> None:
    """Signs of other axes: friction would go to zero, converged, with an error of all the force."""
    data = measured(TRUE)
    turned = {name: -values for name, values in data.forces.items()}
    with pytest.raises(ModelError, match="explains nothing of Fx, Fy, Mz: .*are signs those of"):
        fit_tyre(START, dataclasses.replace(data, forces=turned))
    noise = np.random.default_rng(1).standard_normal(400)
    fit = fit_tyre(START, dataclasses.replace(data, forces={**data.forces, "Mz": noise}))
    assert fit.unexplained == ("Mz",)
    assert fit_tyre(START, data).unexplained == ()


def test_forces_of_zero_are_no_fit() -> None:
    data = measured(TRUE)
    nothing = {name: 0.0 * values for name, values in data.forces.items()}
    with pytest.raises(ModelError, match="Fx, Fy, Mz are zero at all points: nothing to fit"):
        fit_tyre(START, dataclasses.replace(data, forces=nothing))


def test_a_parameter_that_no_point_depends_on_is_no_fit() -> None:
    """Side slip alone says nothing of the slip stiffness, which would be converged as it was."""
    angles = np.linspace(-0.2, 0.2, 21)
    zeros = 0.0 * angles
    forces = slip_sweep(TRUE, 4000.0 + zeros, zeros, angles, zeros)
    found = {"Fx": np.array(forces.Fx), "Fy": np.array(forces.Fy)}
    data = TyreData(4000.0 + zeros, zeros, angles, zeros, found)
    with pytest.raises(ModelError, match="no force at these points depends on slip_stiffness"):
        fit_tyre(START, data, ["slip_stiffness"])


def test_a_best_fit_that_is_no_law_is_refused() -> None:
    """Side forces of a tyre whose sliding value comes before its peak, far beyond the data."""

    @dataclasses.dataclass(frozen=True)
    class Ordered(LinearTyre):
        def problems(self) -> list[str]:
            return ["stiffer sideways"] if self.cornering_stiffness > self.slip_stiffness else []

    with pytest.raises(ModelError, match="what fits best is no possible law.*stiffer sideways"):
        fit_tyre(Ordered(100e3, 50e3), measured(LinearTyre(50e3, 100e3)))


# -- what physics asks of parameters ---------------------------------------------------------


def side_slip_test(largest: float) -> TyreData:
    """Another kind of tyre, rolling freely up to a slip angle [rad]: Fy and Mz."""
    law = read_tyre_law("magic-formula-5.2")
    loads, angles = np.meshgrid([2000.0, 4000.0, 6000.0], np.linspace(-largest, largest, 41))
    Fz, alpha = loads.ravel(), angles.ravel()
    forces = slip_sweep(law, Fz, 0.0 * Fz, alpha, 0.0 * Fz)
    return TyreData(Fz, 0.0 * Fz, alpha, 0.0 * Fz, {"Fy": forces.Fy, "Mz": forces.Mz})


def test_sliding_friction_stays_below_the_peak() -> None:
    """Without the relation Fiala's law follows these data best with a sliding friction of 3."""
    data = side_slip_test(0.12)
    fit = fit_tyre(read_tyre_law("fiala"), data)
    found = by_name(fit)
    assert fit.converged
    assert found["sliding_friction"].value <= found["peak_friction"].value
    assert found["sliding_friction"].note == "at its bound, by peak_friction"
    assert found["slip_stiffness"].note == "no effect on Fy, Mz"
    # The same, with one friction coefficient in both places and bounds of its own.
    law = read_tyre_law("fiala")

    def rms(friction: float) -> float:
        one = dataclasses.replace(fit.law, peak_friction=friction, sliding_friction=friction)
        forces = slip_sweep(one, *(getattr(data, name) for name in DATA_INPUTS))
        errors = [(getattr(forces, n) - data.forces[n]) / fit.peaks[n] for n in ("Fy", "Mz")]
        return float(np.sqrt(np.mean(np.square(errors))))

    best = found["peak_friction"].value
    assert rms(best) < min(rms(0.99 * best), rms(1.01 * best))
    assert law.numbers["slip_stiffness"] == fit.law.numbers["slip_stiffness"]


def test_points_of_curves_keep_their_order() -> None:
    fit = fit_tyre(read_tyre_law("tmeasy"), side_slip_test(0.12))
    found = by_name(fit)
    assert fit.converged
    assert fit.law.problems() == []
    for load in "12":
        assert fit.law.numbers[f"FyS_{load}"] <= fit.law.numbers[f"FyM_{load}"]
        assert found[f"sxM_{load}"].note == "these data do not tell it"
    assert found["syE_1"].note in ("hardly determined by these data", "at its bound, by sy0_1")
    assert fit.rms["Fy"] < 0.02 * fit.peaks["Fy"]


def test_a_law_whose_points_are_in_order_is_found_exactly() -> None:
    true = read_tyre_law("tmeasy").with_numbers({"FyM_1": 3500.0, "FyS_1": 2900.0})
    start = true.with_numbers({"FyM_1": 3100.0, "FyS_1": 3000.0, "syM_1": 0.3, "syS_1": 0.9})
    names = ["FyM_1", "FyS_1", "syM_1", "syS_1"]
    found = by_name(fit_tyre(start, measured(true, channels="Fy"), names))
    for name in names:
        assert found[name].value == pytest.approx(true.numbers[name], rel=1e-6)
        assert found[name].note == ""


def test_every_relation_is_between_parameters_that_the_law_has() -> None:
    for name in LAWS_OF_FORCES:
        law = read_tyre_law(name)
        for one in law.named_relations():
            used = {one.name, *one.above, *(term for terms in one.below for term in terms)}
            assert used <= set(law.numbers)
            value = law.numbers[one.name]
            highest = min(sum(f * law.numbers[n] for n, f in t.items()) for t in one.below)
            assert sum(f * law.numbers[n] for n, f in one.above.items()) <= value <= highest
