"""How well links are suggested: links of a vault are hidden and looked for."""
