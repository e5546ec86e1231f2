"""What stands where it should not, and what may be moved across what."""
