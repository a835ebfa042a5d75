# What pprof -traces prints: samples in the order of the file, each with its stack.
assay traces "$FIXTURES/demo.prof" --compat pprof --symbols none | head -14
# Each stack is there once, where the first of its records stands in the raw dump.
assay traces "$FIXTURES/demo.prof" --compat pprof --symbols none > all
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
    got.append(int(re.match(r' *(\d+)ms', block).group(1)) // 4)
assert got == list(stacks.values()), 'they differ'
print(len(got), 'stacks,', sum(got), 'samples')
END
assay traces "$FIXTURES/callgrind.out.demo" --compat pprof || echo "status $?"
