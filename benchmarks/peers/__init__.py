"""What the peers of the measurements need, each in an environment of its own: `make bench-peers`."""
