"""Pairs of answers that must be graded alike, or must not, and what a judge made of them."""
