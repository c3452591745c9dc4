"""The fits of few weights by regression, each called after what it weighs."""
