"""Studies: many runs of a model, several models, or derivatives of what runs come to.

Sweep: ``sweep_plan`` (what is varied, its values as people write them, the points of the grid),
``sweep_points`` (what becomes of a point), ``workers`` (processes of this machine, and their bar),
``machines`` (those of a cluster), and ``sweep``, the call with what it finds. Batch:
``driven_batch``, many cars through a manoeuvre side by side, and ``member_findings``, what it finds
of each. Sensitivity: ``sensitivity`` (by what
is differentiated, and derivatives of findings); ``run_sensitivity`` (variational equations, gears
that change) and ``turn_sensitivity`` are the calls.
``fidelity_ladder``: one manoeuvre by all models of a vehicle. ``comparison``: runs side by side.
Tyres: ``tyre_characteristics``, ``tyre_bench``, ``tyre_fit``.
"""
