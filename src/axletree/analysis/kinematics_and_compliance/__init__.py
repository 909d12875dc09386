"""An axle on a rig that holds the body, moves the wheels and the rack, and loads the wheels.

An axle by hard points, in the order in which they build on one another:

``rig``                static equilibrium and closure at all positions at once, with all rates
``load_cases``         what the rig does: travel, roll, steering, forces, torques
``measured_axle``      an axle after all cases
``metrics``            what follows of it, each with definition, sign and unit
``result``             metrics and tables
``axle_in_vehicle``    an axle of a vehicle, with what metrics need of the rest of it
``targets``            limits of metrics, and the verdict by them
``tables``             curves and hard points as other programs write them
``hard_point_fit``     hard points from target curves
``point_sensitivity``  what each coordinate of a hard point changes
``suspension_design``  all three for an axle of a vehicle: curves, fit, what a point changes

Of any model whose body is held, by the equations of that model:

``axle``             what the rig is told: the model with its body held, frames by name
``linkage``          positions by continuation from design, rates from the constraints

Both share what is measured of a wheel:

``poses``            positions of the wheels with their rates
``characteristics``  what follows of a wheel: toe to support angles
"""
