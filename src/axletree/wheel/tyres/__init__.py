"""Tyre laws: from slip, load and inclination to forces and moments; ``wheel.contract`` says how.

In which order to read it: ``ideal_laws`` (no slip, linear), ``fiala``, ``calspan``, ``brush``,
``tmeasy``, ``composed_friction`` (of seven effects), ``external_law`` (the user's own in C); then
``magic_formula`` (versions 5.2, 6.1 and 6.2, and a short one) with its
``magic_formula_coefficients`` (a table), ``magic_formula_shape`` (the curve and its arguments) and
``magic_formula_forces`` (forces, moments, radii and relaxation). Files of tyres: ``tyre_file`` and
``tyre_file_text`` (property files), ``law_files`` (laws read from and written to them),
``tyre_data`` (measured points) and ``rig_data`` (those of test rigs, as laboratories give them).
"""
