# What is larger than --limit is summed up, and keeps its totals; what cannot be is refused.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
python3 - <<'END'
with open('big.cg', 'w') as out:
    out.write('positions: instr line\nevents: Ir\nob=a\nfl=a.c\n')
    for f in range(40):
        out.write(f'fn=f{f}\n' + ''.join(f'0x{f * 100000 + i:x} {i} {i % 7 + 1}\n' for i in range(2000)))
END
head -c 600 /dev/zero | tr '\0' x >long
{ echo 'events: Ir'; i=0; while [ $i -lt 2000 ]; do echo "fn=$i$(cat long)"; echo "1 1"; i=$((i + 1)); done; } >names.cg
assay share big.cg -o a.html --limit 1 --no-code
assay share names.cg -o b.html --limit 1 --no-code || echo "exit $?"
PYTHONPATH=$(dirname "$0") python3 - <<'END'
import json, subprocess
from page import Elements
page = Elements('a.html')
open('in.cg', 'wb').write(page.data('profile'))
print(page.json('origin')['notes'])
top = [json.loads(subprocess.run(['assay', 'top', name, '-n', '0', '-f', 'json'], capture_output=True, check=True).stdout)
       for name in ('big.cg', 'in.cg')]
assert [[r['function'], r['self']] for r in top[0]['rows']] == [[r['function'], r['self']] for r in top[1]['rows']]
print(top[1]['events'][0]['total'], len(top[1]['rows']))
END
