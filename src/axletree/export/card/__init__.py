"""A model on a CUDA card: ``write`` leaves its text, its layout, and what runs them.

``card_batch`` imports NumPy and CuPy alone: it goes to the machine with the card.
"""
