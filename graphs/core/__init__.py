"""What every graph shares: state, dependencies, nodes, and what is recorded of a run."""
