"""Which links are worth suggesting, of which type, and why."""
