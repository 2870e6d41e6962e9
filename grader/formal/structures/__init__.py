"""Structures as chemical objects: read, brought to one form, compared under the options of a check."""
