"""The passenger car with a trailer of Lot and Massaro 2017."""
