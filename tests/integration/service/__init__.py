"""``brain serve``, the process that stays."""
