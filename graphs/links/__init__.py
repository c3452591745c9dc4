"""Links between notes: suggested, looked at by the person, put into both notes, learned from."""
