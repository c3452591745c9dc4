"""What a sentence claims, and how it stands to what another claims."""
