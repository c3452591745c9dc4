"""What `brain link` does, and links within a conversation."""
