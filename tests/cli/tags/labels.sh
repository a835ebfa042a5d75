# The labels of samples: of each the values, what is left out and what has none add up to the total of 255.
cat > make.py <<'END'
def varint(n):
    n &= (1 << 64) - 1
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])

def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)

words = ['']
def word(text):
    if text not in words:
        words.append(text)
    return words.index(text)

def label(key, value, unit=''):
    number = isinstance(value, int)
    return field(3, field(1, word(key)) + (field(3, value) + field(4, word(unit)) if number else field(2, word(value))))

# What a sample costs tells which it is.
samples = [(1, label('user', 'ann') + label('host', 'a1')), (2, label('user', 'bob') + label('size', 512, 'bytes')),
           (4, label('size', 4096, 'bytes')), (8, b''), (16, label('user', 'ann') + label('user', 'bob')),
           (32, label('user', 'Bobby') + label('host', 'b2') + label('shard', 7)), (64, label('request', 2048)),
           (128, label('wait', 1500, 'microseconds') + label('size', 100))]
out = field(1, field(1, word('samples')) + field(2, word('count')))
for value, labels in samples:
    out += field(2, field(1, 1) + field(2, value) + labels)
out += field(3, field(1, 1) + field(2, 4096) + field(3, 8192) + field(5, word('/bin/prog')))
out += field(4, field(1, 1) + field(2, 1) + field(3, 4100) + field(4, field(1, 1))) + field(5, field(1, 1) + field(2, word('main')))
out += field(13, word('a comment')) + field(13, word('#hidden'))
out += b''.join(field(6, w.encode()) for w in words)
open('labels.pb', 'wb').write(out)
END
python3 make.py
assay tags labels.pb
assay tags labels.pb -n 1 -f csv
assay tags labels.pb --tagfocus user=. -f json
assay tags labels.pb -n 0 -f json | python3 -c '
import json, sys
t = json.load(sys.stdin)
for label in t["labels"]:
    assert sum(v["self"][0] for v in label["values"]) + label["rest"]["self"][0] + label["none"]["self"][0] == t["events"][0]["total"]
    assert label["rest"]["values"] == 0'
# Percentages of the whole, and of what is left.
assay tags labels.pb --tagignore user=ann
assay tags labels.pb --tagignore user=ann --relative
# A profile without labels.
assay tags "$FIXTURES/demo.prof" --symbols none
assay tags "$FIXTURES/callgrind.out.demo" -q -f csv
# pprof counts each of several values; and its comments.
assay tags labels.pb --compat pprof
assay tags labels.pb --compat pprof --pprof-option unit=auto --tagfocus 1kb:
assay info labels.pb --compat pprof
assay traces labels.pb --compat pprof --tagfocus bob
