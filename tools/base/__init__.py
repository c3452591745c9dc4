"""Values, errors and guards that everything else may use; they use nothing."""
