"""How well a question is read: its intent, what it is about, its dates."""
