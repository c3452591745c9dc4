"""What the tests share: servers, processes, vaults, questions, values and checks."""
