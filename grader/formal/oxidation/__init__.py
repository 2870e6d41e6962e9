"""Oxidation states: how answers write them, and whose they are."""
