# At most 24 lines of 80 columns, unless one name is longer than its column.
for file in callgrind.out.demo callgrind.out.demo.full cachegrind.out.demo demo.prof demo.symbolized.prof; do
    COLUMNS=80 assay "$FIXTURES/$file" > screen
    python3 - "$file" <<'END'
import sys
lines = open('screen', encoding='utf-8').read().splitlines()
assert len(lines) <= 24, (sys.argv[1], len(lines))
for line in lines:
    assert len(line) <= 80, (sys.argv[1], line)
END
done
