"""Pictures, tables and pages for people to look at."""
