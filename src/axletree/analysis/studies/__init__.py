"""Studies: many runs of a model, several models, or derivatives of what runs come to.

Sweep: ``variations`` (what is varied, and its values as people write them), ``sweep_plan``,
``sweep_point``, ``sweep_result``, ``workers`` (processes and their bar), and ``sweep``, the
call. Sensitivity: ``sensitivity_direction`` (by what is differentiated),
``variational_system``, ``discontinuities`` (gears that change), ``sensitivity_result``;
``run_sensitivity`` and ``turn_sensitivity`` are the calls. ``fidelity_ladder``: one manoeuvre
by all models of a vehicle. ``comparison``: runs side by side. Tyres: ``tyre_characteristics``,
``tyre_bench``, ``tyre_fit``.
"""
