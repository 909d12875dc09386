"""Turns that a vehicle holds: cornering curves, yaw moments, limits of acceleration."""
