"""What an answer says of statements and options: verdicts, restatements, tallies."""
