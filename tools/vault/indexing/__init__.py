"""From changed files to the catalog."""
