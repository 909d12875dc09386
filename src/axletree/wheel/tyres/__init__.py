"""Tyre laws: from slip, load and inclination to forces and moments; ``wheel.contract`` says how.

In which order to read it: ``ideal_laws`` (no slip, linear), ``fiala``, ``calspan``, ``brush``,
``tmeasy``, ``short_magic_formula``, ``composed_friction`` (of seven effects), ``external_law`` (the
user's own in C); then ``magic_formula`` (versions 5.2, 6.1 and 6.2) with its
``magic_formula_coefficients`` (a table), ``magic_formula_shape`` (the curve and its arguments),
``magic_formula_forces`` (and moments) and ``magic_formula_carcass`` (radii and relaxation).
"""
