"""What keeps a vault's data in order, and what a run tells of itself."""
