"""What can be said of a system without running it, and what runs tell."""
