"""Printers: a program as text of a language, one language to a file.

``dialect`` has what languages differ in: the spelling of operations, and rules for names and
lines. ``c`` prints the unit that is compiled and exported. ``fortran`` and ``matlab`` share
``statements``, for languages whose arrays count from 1. Small functions that programs may need
are in ``functions.c``, ``functions.f90`` and ``functions.m``. ``python`` serves machines without a
C compiler. ``steps`` prints the steps of integrators in all four languages. ``casadi`` prints
what CasADi asks a compiled library for, from ``casadi.c`` and ``casadi_hessian.c``. ``lanes/`` has
what steps many vehicles at once.
"""
