"""Experiments: many cars that differ, put through the same, and what is learnt of them together.

``varied_quantities`` (names, patterns and distributions of what differs), ``trials`` (manoeuvres
and procedures that each car is put through), ``lane_trials`` (the same for many cars side by side),
``evaluation`` (cars with given values, kept in a folder on the way). On these stand
``monte_carlo``, what tolerances come to, ``sobol``, which of them matters, and ``optimise``, which
values are best: ``goals`` (expressions of findings, and limits), ``searches`` (CMA-ES, NSGA-II and
gradients) and ``exact_slopes`` (derivatives by the adjoint of a run).
"""
