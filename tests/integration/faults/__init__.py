"""Processes that are killed, stores that are damaged, disks that are full, notes that mean harm."""
