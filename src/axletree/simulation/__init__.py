"""Systems run: fixed-step loops in C and in Python, variable-step solvers, trajectories.

Read in this order:

1. ``simulate``: the arrow from a system to a trajectory;
2. ``signals``, ``problem``, ``instant``, ``system_functions``: inputs over time, all values that a
   run needs, one instant, rates and their derivatives on arrays;
3. ``fixed_step``, ``loops``: steps of one length, and the loops that take them, in C (texts in
   ``c/``) and in Python;
4. ``integrators``, ``linearly_implicit``: the methods with steps of one length;
5. ``complementarity``, ``mlcp/``: steps that are solved for set-valued forces, and the problem
   of each; ``solved_step_cost``: the operations of such a step;
6. ``variable_step``, ``solvers``: error control, by the solvers of SciPy and SUNDIALS;
7. ``recording``, ``trajectory``, ``formats/``: what a run leaves, its named columns, and their
   files;
8. ``checks``, ``step_watch``, ``self_stress``: what a run is watched for, and forces at rest that
   press against one another;
9. ``control/``: what sets inputs of a run at a rate of its own, with sensors and actuators;
10. ``recomputed_outputs``: outputs that were not recorded, from the states of a run;
11. ``batch/``: many vehicles at once, each with values of its own;
12. ``run_gradient``: exact derivatives of what a run comes to, from its end back;
13. ``stepper/``: a run that another program moves on, step by step; ``fmu/``: FMUs of other
    tools beside it.
"""
