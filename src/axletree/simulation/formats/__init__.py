"""Files that trajectories are written to and read from, one kind in each module.

``contract`` says what a kind has to give, and finds kinds by their names in the catalogue:
``csv_text``, ``numpy_archive``, ``matlab_file``, ``mdf4`` (read by ``mdf4_process``, a process of
its own) and ``parquet``.
"""
