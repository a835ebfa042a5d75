# How to see when threads did not run is the first of the next steps, where the profile says it.
assay show --symbols none "$FIXTURES/off_cpu.pb.gz" | grep '^next'
# It is a line that works
assay top "$FIXTURES/off_cpu.pb.gz" -e off-cpu --by state | head -2
# Of other profiles nothing is said of it
printf 'main;f 20\n' > x.folded
assay show x.folded | grep '^next'
