"""What the searches find in a vault, and how good their rankings are."""
