"""What results are held against: a reference implementation, the phrases in the code."""
