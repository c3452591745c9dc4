"""The trainings of networks, each called after what it trains."""
