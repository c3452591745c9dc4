"""Where open questions wait until they are answered."""
