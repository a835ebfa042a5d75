# Ctrl-C while the output is written: no temporary stays, the old file does. Writing is slowed
# down by many inputs; whenever the signal comes, the folder must be clean.
echo old > out
for delay in 0.005 0.02 0.05 0.1 0.2; do
    assay convert -q -y "$FIXTURES/callgrind.out.demo.full" -t dump -o out &
    pid=$!
    sleep $delay
    kill -TERM $pid 2> /dev/null || true
    wait $pid || true
    ls -A
    head -n 1 out | grep -qE '^(old|assay-dump)'
done
