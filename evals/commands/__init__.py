"""What ``brain eval`` and ``brain model`` do."""
