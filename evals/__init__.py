"""How well everything is done, as measured, and the learning of its weights."""
