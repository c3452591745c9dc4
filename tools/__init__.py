"""The domain and its adapters: text, time, vault, vectors, graph."""
