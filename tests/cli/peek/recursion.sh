# Recursion: one table for a cycle's member, one for a function that calls itself.
. "$(dirname "$0")/../samples"
recursive > cg
# even: 20 of its own, and no call of it leaves the cycle.
assay peek even cg
assay peek odd cg
assay peek fib cg
