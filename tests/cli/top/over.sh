# A column for each stretch of time, of what says when, in each form; rows add up to what top has without.
lib=$(dirname "$0")/../../lib
python3 "$lib/uftrace_dir.py" two_threads rec
assay top rec --over 1ms
assay top rec --over 1ms -n 2 -f json
assay top rec --over 2ms -f csv
assay top rec --over 2ms -f markdown -n 1 --sort inclusive
assay top rec --over 2ms --by thread --unit ms
assay top rec --over 2ms --by process -f json | sed -n '/"over"/,$p'
assay files rec --over 5ms -e calls
assay top rec --over 2ms --thread helper --from 4ms
for by in function file object line address thread process part; do
    for order in time inclusive; do
        assay top rec --by $by --over 700us --sort $order -f csv > over
        assay top rec --by $by -e time -f csv > plain
        python3 - $order <<'END'
import csv, sys
over, plain = (list(csv.DictReader(open(name))) for name in ('over', 'plain'))
column = 'inclusive time' if sys.argv[1] == 'inclusive' and 'inclusive time' in plain[0] else 'self time'
times = [key for key in over[0] if key.endswith('us')]
assert len(times) > 10 and len(over) == len(plain)
rows = {tuple(value for key, value in row.items() if key not in times): row for row in over}
for row in plain:
    assert sum(int(rows[tuple(row.values())][key]) for key in times) == int(row[column])
END
    done
done
for wrong in 0 5x -1s 1ns; do
    assay top rec --over $wrong || echo "$?"
done
assay top rec --over 1ms -m time || echo "$?"
assay top "$FIXTURES/callgrind.out.demo" --over 1m || echo "$?"
