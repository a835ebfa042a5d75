# What pprof -traces prints: samples in the order of the file, each with its stack.
assay traces "$FIXTURES/demo.prof" --compat pprof --symbols none | head -14
# Each record is there once, where the first of its stack stands: the first leaf of the raw dump is the first here.
assay traces "$FIXTURES/demo.prof" --compat pprof --symbols none --pprof-option granularity=addresses > all
assay dump "$FIXTURES/demo.prof" --compat pprof > raw
python3 - <<'END'
import re
text = open('raw').read()
where = dict(re.findall(r'^ *(\d+): 0x([0-9a-f]+) ', text.split('Locations')[1], re.M))
records = re.findall(r'^ +(\d+) +\d+: ([\d ]+?) $', text, re.M)
stacks = {}
for count, ids in records:
    key = tuple(where[i].zfill(16) for i in ids.split())
    stacks[key] = stacks.get(key, 0) + int(count)
got = []
for block in re.split(r'^-+\+-+\n', open('all').read(), flags=re.M)[1:-1]:
    got.append((tuple(re.findall(r'([0-9a-f]{16}) \[', block)), int(re.match(r' *(\d+)ms', block).group(1)) // 4))
assert got == list(stacks.items()), 'they differ'
print(len(got), 'stacks,', sum(n for _, n in got), 'samples')
END
assay traces "$FIXTURES/callgrind.out.demo" --compat pprof || echo "status $?"
assay traces "$FIXTURES/demo.prof" --compat pprof --pprof-option nodefraction=2 || echo "status $?"
