# On every level the rows add up to the row above, in each direction and for every cut.
for file in demo.symbolized.prof callgrind.out.demo.full callgrind.out.demo; do
    for way in --callees --callers --bottom-up; do
        for cut in '-m 0 -d 0' '-m 2% -d 0' '-m 0 -d 3' '-m 5% -d 2'; do
            for func in '' sum_phase; do
                # shellcheck disable=SC2086
                assay tree "$FIXTURES/$file" $func $way $cut -q -f json > tree.json
                python3 - "$file $way $cut $func" <<'END'
import json, sys
tree = json.load(open('tree.json'))
rows, way, what = tree['rows'], tree['way'], sys.argv[1]
assert rows, what
for e, event in enumerate(tree['events']):
    for i, row in enumerate(rows):
        assert row['inclusive'][e] <= event['total'], (what, row)
        below, k = [], i + 1
        while k < len(rows) and rows[k]['depth'] > row['depth']:
            below += [rows[k]] if rows[k]['depth'] == row['depth'] + 1 else []
            k += 1
        total = sum(r['inclusive'][e] for r in below)
        if way == 'callees':
            assert total + row['self'][e] == row['inclusive'][e], (what, row, total)
        elif below:
            assert total == row['inclusive'][e], (what, row, total)
    if not what.endswith('sum_phase'):
        assert sum(r['inclusive'][e] for r in rows if r['depth'] == 0) == event['total'], what
END
            done
        done
    done
done
