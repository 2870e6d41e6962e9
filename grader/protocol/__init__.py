"""What a model sees under each protocol and mode."""
