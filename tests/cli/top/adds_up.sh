# Rows and rest add up to the total, for every granularity, format and number of rows.
python3 - <<'EOF'
import json, os, subprocess
for file in 'callgrind.out.demo', 'callgrind.out.demo.full', 'cachegrind.out.demo', 'demo.prof':
    for by in 'function', 'file', 'object', 'line', 'address':
        for limit in 1, 7, 0:
            asked = ['assay', 'top', f'{os.environ["FIXTURES"]}/{file}', '--by', by, '-n', str(limit), '-f', 'json']
            top = json.loads(subprocess.run(asked, stdout=subprocess.PIPE, check=True).stdout)
            for i, event in enumerate(top['events']):
                total = sum(row['self'][i] for row in top['rows']) + top['rest']['self'][i]
                assert total == event['total'], (asked, event, total)
            assert not limit or len(top['rows']) <= limit
            assert limit or top['rest']['rows'] == 0
            for row in top['rows']:
                for i, value in enumerate(row['inclusive'] or []):
                    assert value <= top['events'][i]['total'], (asked, row)
EOF
