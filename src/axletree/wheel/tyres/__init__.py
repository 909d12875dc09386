"""Tyre laws: from slip, load and inclination to forces and moments; ``wheel.contract`` says how.

In which order to read it: ``ideal_laws`` (no slip, linear), ``fiala``, ``calspan``, ``brush``,
``tmeasy``, ``short_magic_formula``, ``composed_friction`` (of seven effects), ``external_law`` (the
user's own in C); then ``magic_formula`` (versions 5.2, 6.1 and 6.2) with its
``magic_formula_coefficients``, ``magic_formula_shape`` (the curve and what it is a function of),
``magic_formula_forces``, ``magic_formula_moments``, ``magic_formula_carcass`` (radii and
relaxation) and ``magic_formula_data`` (keys and signs of property files, example tyres).

From files: ``tyre_file_text`` (the text of a property file ``.tir``: values, units, edits),
``tyre_file`` (such a file as an object, read and written without loss), ``law_files`` (from a name,
a property file or a YAML file to a law) and ``tyre_data`` (measured slip and forces from CSV).
"""
