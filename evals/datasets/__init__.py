"""Questions, vaults and judgements as files give them."""
