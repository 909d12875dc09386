"""Sweeps: one model run many times with other numbers, on all cores."""
