"""Identification: which parameters a measured drive tells, with what limits; and state estimation.

In which order to read it:

- ``unknowns``: what is sought: parameters of the equations, places of a model's file, and what
  sensors add to their channels.
- ``records``: a measured drive as inputs, measured values and a start for one system.
- ``sensor_model``: what sensors make of outputs.
- ``shooting``: states, outputs and their exact derivatives over many stretches of time at once.
- ``gauss_newton``: the step of multiple shooting, with first states eliminated.
- ``evidence``: limits, correlations, what data do not determine, residuals that are not noise.
- ``identify``: the call; ``identification``: what it finds, and the files that it writes.
- ``experiment``: which manoeuvre tells most.
- ``kalman_filters``: states from measured outputs, step by step.
- ``axles``: side forces over slip angles of a vehicle's axles.
"""
