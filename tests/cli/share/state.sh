# Filters are what the page begins with; --only chooses what goes in; a base; several files.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
printf 'main;parse;read 40\nmain;parse 20\nmain;write 30\n' >st.folded
printf 'main;parse 7\n' >base.folded
assay share st.folded -o a.html --view flame --sort samples --focus 'pa<r&"se|é|parse' --hide main --relative --base base.folded
assay share st.folded -o b.html --only --focus write --view table
. "$(dirname "$0")/../samples"
labelled > labels.pb
assay share labels.pb -o d.html --symbols none --label user=ann --tagfocus 'user=^a,b' --tagfocus 1kb:4kb --tagignore Bob
assay share st.folded base.folded -o c.html --base base.folded --base base.folded
PYTHONPATH=$(dirname "$0") python3 - <<'END'
import gzip, subprocess, urllib.parse
from page import Elements
a, b, c = Elements('a.html'), Elements('b.html'), Elements('c.html')
print(a.scripts['state']['text'])
print(urllib.parse.parse_qsl(a.scripts['state']['text']))
assert a.data('base') == open('base.folded', 'rb').read() and a.data('profile') == open('st.folded', 'rb').read()
assert a.json('origin')['base']['files'] == ['base.folded']
print(b.scripts['state']['text'])
print(Elements('d.html').scripts['state']['text'])
for name, page, element in (('only', b, 'profile'), ('both', c, 'profile'), ('bases', c, 'base')):
    open(name, 'wb').write(page.data(element))
    print(name, page.scripts[element]['attrs']['data-name'], page.json('origin')['notes'])
    print(subprocess.run(['assay', 'traces', name, '-f', 'csv'], capture_output=True, text=True, check=True).stdout, end='')
END
