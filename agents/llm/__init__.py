"""Language models: how they are asked, ranked by and admitted."""
