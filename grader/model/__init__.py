"""Talking to language models: requests, replies, and asking with retries, limits, money and a journal."""
