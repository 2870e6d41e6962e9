"""The review desk: people mark what is doubted, and what chance has drawn."""
