"""Formulas as chemical objects: read to a tree, matched by composition or by structure, written out."""
