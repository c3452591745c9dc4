"""Care of an index: its status, what ails it, repair, reset, relocation."""
