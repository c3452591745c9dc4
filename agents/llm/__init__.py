"""Language models: how they are asked and admitted."""
