"""The formal track: one module for each check kind, found through one registry.

Knows no database, no LLM client and no web: others embed it.
"""
