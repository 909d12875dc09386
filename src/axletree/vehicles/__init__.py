"""Vehicles as engineers describe them, and the models that they make."""
