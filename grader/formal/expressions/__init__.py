"""Symbolic expressions: read by our own grammar, compared by value at rational points."""
