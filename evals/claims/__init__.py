"""How well contradictions are told, between pairs of claims and in whole vaults."""
