"""What one sentence says of another: contradicts it, follows from it, tells of the same event."""
