# What a page holds: the file's own bytes, source of hot functions, what reading found. Twice the same.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
mkdir src
for f in hot cold; do i=0; while [ $i -lt 60 ]; do i=$((i + 1)); echo "$f line $i	&<>"; done >src/$f.c; done
cat >callgrind.out.7 <<END
events: Ir
fl=/gone/hot.c
fn=hot
20 500
25 500
fl=/gone/cold.c
fn=cold
30 5
END
assay share callgrind.out.7 -o a.html --source-path src --code 1
assay share callgrind.out.7 -o b.html --source-path src --code 1 -q -j 1
cmp a.html b.html
assay share callgrind.out.7 -o d.html --source-path src --no-source
assay share callgrind.out.7 -o - --source-path src --no-code >e.html
assay share callgrind.out.7 -o b.html --source-path src 2>/dev/null || echo "exit $?"
assay share callgrind.out.7 -o b.html --source-path src -y
gzip -9 <"$FIXTURES/callgrind.out.demo" >packed.gz
assay share packed.gz -o c.html -q
PYTHONPATH=$(dirname "$0") python3 - "$FIXTURES" <<'END'
import pathlib, sys
from page import Elements
fixtures = pathlib.Path(sys.argv[1])
page = Elements('a.html')
assert page.data('profile') == open('callgrind.out.7', 'rb').read()
print(page.scripts['profile']['attrs'], repr(page.title), list(page.scripts))
origin = page.json('origin')
print(origin['files'], origin['info']['schema'], origin['info']['file'], origin['info']['events'], origin['notes'])
print(origin['check']['schema'], origin['check']['files'])
code = page.json('code')
for path, spans in code['sources'].items():
    print(path, [(span['from'], span['lines'][0], len(span['lines'])) for span in spans], code['asm'])
print(sorted(Elements('b.html').json('code')['sources']), Elements('d.html').json('code'))
assert 'code' not in Elements('e.html').scripts
assert Elements('c.html').data('profile') == (fixtures / 'callgrind.out.demo').read_bytes()
END
