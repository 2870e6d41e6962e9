"""Chemical and nuclear equations: found in an answer, read to terms, balanced and compared."""
