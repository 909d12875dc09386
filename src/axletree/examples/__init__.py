"""Models written by hand in the analyst's language, with the results that they were written for.

- ``car_and_trailer/``: the passenger car with a trailer of Lot and Massaro 2017.
"""
