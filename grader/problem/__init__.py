"""problem."""
