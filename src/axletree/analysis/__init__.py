"""What can be said of a system without running it, and what runs tell.

In the order in which they build on one another:

``linear``    small deviations from a motion: linearisation, modes, frequency response, pencils
``steady``    steady motions: problem, conditions, equations, search, continuation, root locus
``clearance_search``  the way between cones that leaves the most room, by linear programs
``practice``  what a driver learns of a path from run to run
``drive``     a system through a manoeuvre, from the steady motion in which it begins
``steady_start``  a stepper of a model, from a steady motion
``energy``    the energy audit of a run
``joint_loads``  what acts in every joint, spring and bushing during a run
``handling``  a vehicle's turns up to the limit, straight running, response to steering
``measurements``  measured data beside runs: channels, filters, alignment, agreement, replay
``identification``  parameters and states from measured drives, with limits
``kinematics_and_compliance``  an axle on a rig: toe, camber, centres and ratios over travel
``procedures``  what standards ask for: all runs, findings, a verdict
``studies``   many runs or models: sweep, sensitivity, fidelities, comparison, tyres
"""
