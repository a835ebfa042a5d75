# Rows and rest add up to the total, for every granularity, format and number of rows.
for file in callgrind.out.demo callgrind.out.demo.full cachegrind.out.demo demo.prof; do
    for by in function file object line address; do
        for n in 1 7 0; do
            assay top "$FIXTURES/$file" --by $by -n $n -f json > top.json
            python3 - "$file $by $n" <<'END'
import json, sys
top = json.load(open('top.json'))
for i, event in enumerate(top['events']):
    total = sum(row['self'][i] for row in top['rows']) + top['rest']['self'][i]
    assert total == event['total'], (sys.argv[1], event, total)
limit = int(sys.argv[1].split()[-1])
assert not limit or len(top['rows']) <= limit
assert limit or top['rest']['rows'] == 0
for row in top['rows']:
    for i, value in enumerate(row['inclusive'] or []):
        assert value <= top['events'][i]['total'], (sys.argv[1], row)
END
        done
    done
done
