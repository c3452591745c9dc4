"""What a terminal is shown."""
