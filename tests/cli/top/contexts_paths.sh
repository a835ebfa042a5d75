# Names such as f'main'start as call paths; inclusive cost is that within three frames.
assay top --contexts paths "$FIXTURES/callgrind.out.demo.callers" -n 10
assay top --contexts paths "$FIXTURES/callgrind.out.demo.callers" -n 1 -f json -q | grep path_depth
assay show --contexts paths "$FIXTURES/callgrind.out.demo.callers" -q -n 1 | grep note
# No names with callers: refused.
assay top --contexts paths "$FIXTURES/callgrind.out.demo" || echo "status $?"
