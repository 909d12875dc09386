"""Systems become programs, and programs become C or Python that runs."""
