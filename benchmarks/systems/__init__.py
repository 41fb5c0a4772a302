"""What is measured: each file prepares one kind of work of one system, and does it when told to.

`prepare(settings)` loads all that is needed and gives a function; that function does the work once for an
order, and gives what it measured. Each runs in a process of its own (`benchmarks.rig.worker`), those of
the peers in environments without twinset.
"""
