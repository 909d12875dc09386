"""Small deviations from a motion: x' = A x + B u, y = C x + D u, and what follows from the
matrices.

Read ``jacobians`` (derivatives in numbers), ``tangent`` (which changes constraints allow),
``linearisation`` (the linear system with names) and ``linearise`` (how it comes about); then
``modes`` (eigenvalues, participation, modes followed along a parameter), ``mode_shapes``
(shapes, and the names that engineers give them), ``frequency_response``, ``controllability``,
``pencil`` (eigenvalues of differential-algebraic equations) and ``stable_step`` (of fixed-step
methods).
"""
