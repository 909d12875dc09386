"""Expressions, and the stages that make code of a model by them."""

from __future__ import annotations

from reference_page import Page, Python

from axletree import expr
from axletree.code.backends.runnable import compile_program
from axletree.code.lowering import derivative_extras, lower
from axletree.code.printers.c import print_unit
from axletree.code.step_rules import Tableau, runge_kutta
from axletree.code.system_operations import count_system
from axletree.components.edges import Domain
from axletree.equations.derivation import derive_equations
from axletree.equations.graph import LinearGraph, build_graph
from axletree.equations.tree import select_trees
from axletree.export.named_statements import named_blocks
from axletree.simulation.integrators import fixed_step
from axletree.simulation.mlcp import (
    ComplementarityProblem,
    ComplementaritySolution,
    Pivoting,
    ProjectedSweeps,
)
from axletree.system.assemble import assemble

EXPRESSIONS = Page(
    "expressions",
    "Expressions: `axletree.expr`",
    "What laws of one's own are written with. The functions take floats, NumPy arrays,\n"
    "expressions and SymPy's symbols, and answer in kind.",
    (
        Python("Symbols and numbers", (expr.Expr, expr.symbol, expr.number, expr.as_expr)),
        Python(
            "Functions",
            (expr.sin, expr.cos, expr.tan, expr.asin, expr.acos, expr.atan, expr.atan2,
             expr.sinh, expr.cosh, expr.tanh, expr.exp, expr.log, expr.sqrt, expr.power,
             expr.absolute, expr.sign),
        ),
        Python(
            "Choices",
            (expr.minimum, expr.maximum, expr.where, expr.logical_and, expr.logical_or,
             expr.logical_not),
        ),
        Python(
            "Values and derivatives", (expr.evaluate, expr.jacobian, expr.gradient, expr.hessian)
        ),
        Python("Functions in C", (expr.ExternalFunction, expr.call)),
    ),
    package="from axletree.expr import sqrt, symbol",
)  # fmt: skip

STAGES = Page(
    "stages",
    "Stages between a model and its run",
    "What `Model.formulate` and `System.simulate` do one after the other;\n"
    "[how it works](../how-it-works.md) walks through them.",
    (
        Python("Linear graphs and trees", (build_graph, LinearGraph, Domain, select_trees)),
        Python("Equations", (derive_equations, assemble)),
        Python(
            "Code",
            (lower, derivative_extras, print_unit, compile_program, named_blocks, count_system),
        ),
        Python("Integrators by a tableau", (Tableau, runge_kutta, fixed_step)),
        Python(
            "Complementarity problems",
            (ComplementarityProblem, Pivoting, ProjectedSweeps, ComplementaritySolution),
        ),
    ),
    package="from axletree.equations.derivation import derive_equations",
)
