"""What reproduces the tables of Morency 2007, and counts as they do.

``printed_tables`` has the numbers as printed. Tables 4.4 and 4.5: ``contact_sequence`` (a
tyre's variables by complete substitution and as a sequence) and ``sequence_counts`` (any
component). Tables 5.1 to 5.6: ``rewriting`` (intermediate variables simplified by SymPy),
``code_measure`` (what generated code costs) and ``stages`` (the two vehicles, variant by
variant). ``tables`` sets all of it beside what is printed.
"""
