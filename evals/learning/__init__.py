"""What all training shares: encoders and heads in JAX, descent, batches, files of weights."""
