"""Audits that ask a judge anew: what is asked of it, what that costs, and what its answers say."""
