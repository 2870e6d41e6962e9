"""The judge: cards, prompts, replies, evidence, votes and routing. It knows no database."""
