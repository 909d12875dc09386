"""The ``axletree`` command: one file per subcommand, put together in ``app``."""
