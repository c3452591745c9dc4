"""How good whole answers are: evidence, listings, overviews, threads, telling of none."""
