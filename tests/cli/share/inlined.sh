# What was inlined is in the page: folded or not, the profile in it says what the file says.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -o program "$lib/named.c"
python3 "$lib/make_prof.py" program p.prof hash sum
assay share p.prof --symbols auto --no-code -q -o page.html
assay share p.prof --symbols auto --no-code -q --inline off -o folded.html
PYTHONPATH=$(dirname "$0") python3 - <<'END'
import json, subprocess
from page import Elements
for name in 'page', 'folded':
    open(name, 'wb').write(Elements(f'{name}.html').data('profile'))

def top(file, *words):
    said = json.loads(subprocess.run(['assay', 'top', file, '-n0', '-f', 'json', *words], capture_output=True, text=True, check=True).stdout)
    facts = 'function', 'file', 'line', 'object', 'address', 'self', 'inclusive'
    return [(event['name'], event['total']) for event in said['events']], sorted(json.dumps([row[fact] for fact in facts]) for row in said['rows'])

for by in 'function', 'file', 'filefunction', 'object', 'line', 'address':
    on, off = (top('p.prof', '--symbols', 'auto', '--by', by, '--inline', word) for word in ('on', 'off'))
    print(by, 'apart or not:', 'the same' if on == off else 'not the same')
    assert on == top('page', '--by', by), by
    assert off == top('page', '--by', by, '--inline', 'off'), by
    assert off == top('folded', '--by', by), by
print([name for name, _ in top('page')[0]])
END
