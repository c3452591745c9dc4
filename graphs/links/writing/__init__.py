"""Links planned, put into notes, taken out: both sides or neither."""
