"""Systems leave for other tools, and for readers.

Each target is one file with one function that writes a folder: ``c_project``, ``matlab``,
``fortran``, ``casadi_model`` (with acados and do-mpc), ``ros2_node``, ``s_function``, ``wasm``,
``kalman_filter``, ``latex`` (with ``latex_writer``, which makes equations fit a page). ``folder``
is what all of them do; ``fmu/`` writes one file, for tools that know FMI, ``realtime/`` a model by
the clock, with its clients, and ``card/`` many vehicles on a CUDA card. What does not depend on the
model stands in ``templates``. ``named_statements`` is the right-hand side under model names, for
``axletree derive``.
"""
