"""What the tests share: servers, processes, vaults, questions, values, checks and waiting."""
