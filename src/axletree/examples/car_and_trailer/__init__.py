"""The passenger car with a trailer of Lot and Massaro 2017.

To be read in this order:

- ``data``: table 1 of the paper.
- ``mechanics``: sections 2.1 to 2.5 and 3.3, frames, bodies, forces, constraints and tyres.
- ``spaces``: section 4, car and car with trailer as state space.
- ``components``: the same vehicle from components, with axles and guides of one's own.
- ``results``: section 5, with figures 3 to 7.
- ``__main__``: ``python -m axletree.examples.car_and_trailer FOLDER`` draws them.
"""
