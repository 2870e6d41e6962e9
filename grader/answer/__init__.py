"""From the text of an answer to candidates with spans.

Knows no database, no LLM client and no web: others embed it.
"""
