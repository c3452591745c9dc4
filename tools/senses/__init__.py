"""What a name stands for, where it stands for several things."""
