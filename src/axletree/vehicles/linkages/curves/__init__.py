"""What hard points do to the wheels of an axle.

``forces``          what springs carry at design, and wheel rates
``axle_curves``     curves over travel, and the suspension by curves that has them
``compliance``      toe by tyre forces, in bushings
``steering_ratio``  ratio, Ackermann's share and trail of what steers
``curve_files``     such curves as a table, and as an entry of a vehicle file
"""
