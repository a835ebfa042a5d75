# A line that no probe takes for Callgrind.
printf 'fn=f\n1 2\nevents: Ir\nfn=g\n3 40\n' > odd
assay top --from callgrind odd -f csv | grep -c '^g,.*,40,'
