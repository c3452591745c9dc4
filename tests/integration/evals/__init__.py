"""``brain eval`` as a person or a script meets it."""
