"""Questions read and answered: by the real reader, or by models that follow a script."""
