"""The process that stays and answers for others."""
