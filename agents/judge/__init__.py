"""Which claims contradict each other or are one state at two times, and how sure that is."""
