. "$(dirname "$0")/../samples"
broken > cg
assay check --format json cg > check.json || echo status $?
python3 - <<'END'
import json
check = json.load(open('check.json'))
assert list(check) == ['schema', 'files', 'findings'], check
assert check['schema'] == 'assay.check/1'
for finding in check['findings']:
    assert list(finding) == ['severity', 'code', 'file', 'line', 'offset', 'message'], finding
    print(finding['severity'], finding['code'], finding['file'], finding['line'] or '-')
END
