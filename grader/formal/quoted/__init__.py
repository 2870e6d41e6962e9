"""What the text of a flexible point quotes, and what code finds about it: facts for whoever judges."""
