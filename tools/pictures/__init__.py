"""How time looks: evolutions and neighbourhoods as lines for a terminal and as pages of their own.

Output only: it knows the domain and pure helpers, no store and no vault.
"""
