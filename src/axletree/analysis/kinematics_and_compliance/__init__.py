"""An axle on a rig that holds the body, moves the wheels and steers.

``axle``             what the rig is told: the model with its body held, frames by name
``poses``            what it measures: positions of the wheels with their rates
``linkage``          positions by continuation from design, rates from the constraints
``characteristics``  what follows: toe to anti-dive, each with definition, sign and unit
"""
