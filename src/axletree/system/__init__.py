"""From equations to a system x' = f(x, u), y = g(x, u), with names and units.

Read in this order:

1. ``system``: the result, and A x' = B, the equations written by hand that it may come from;
2. ``mechanism``: the constraints of equations in numbers: assembled configurations, rank;
   ``start``: first values in other variables than the tree's, bound to these;
   ``dead_centre``: how far configurations are from those where constraints depend on each other;
3. ``forms/``: the ways in which equations with constraints become explicit rates;
4. ``assemble``: the arrow from equations to a system, in a form; ``formulation``: the whole way
   from a model to a system;
5. ``outputs``, ``reactions``: everything that can be asked of a model besides its states;
6. ``consistent_states``: states moved onto constraints, and the first values of a run;
7. ``structure``, ``block_solver``, ``index_reduction``: from A x' = B to x' = f;
8. ``edit``: a system with other expressions; ``component_system``: a component of it alone;
   ``sampled_laws``: laws of controllers in its steps;
9. ``symbolic_equations``, ``latex_names``: the equations in SymPy, to read and to print;
10. ``stored_system``: a system as JSON, which is read in place of being formulated.
"""
