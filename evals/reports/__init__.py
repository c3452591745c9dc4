"""What was measured as pages and tables."""
