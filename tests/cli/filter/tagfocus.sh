# Samples by their labels, as pprof chooses them: each costs a power of two, so that sums tell which they are.
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
sum() { assay top labels.pb --symbols none -q -f json "$@" > x.json 2> /dev/null || echo '{"rows": []}' > x.json
	python3 -c '
import json, sys
print(*sys.argv[1:], "->", sum(r["self"][0] for r in json.load(open("x.json"))["rows"]))' "$@"; }
for what in ann user=ann user=^bob user=bob,ann ann,bob user:b host= 'user=^A' 'user=Bob' \
	512 512b 512: 1kb: :1kb size=1kb: 1kb:4kb 4kb:1kb 1ms: :2ms 1ms:1s 7 shard=7 shard=7: request=2kb 100 1kb:1ms; do
	sum --tagfocus "$what" || :
	sum --tagignore "$what" || :
done
sum --tagfocus user=ann --tagfocus size=4kb
sum --tagfocus user= --tagignore user=ann
sum --tagfocus user=BOB --compat pprof || :
sum --label user=bob --tagignore ann
# What is left has the mappings and comments of the whole.
assay filter labels.pb --tagfocus 4kb -t pprof -o x.pb
assay dump x.pb | grep -E '^(map|meta|label)|comment|prog'
# Labels by their keys: samples stay.
assay tags labels.pb -f csv --taghide 'user|size|w' --tagfocus user=
assay tags labels.pb --tagshow '^s'
assay filter labels.pb --taghide . -t pprof -o y.pb
assay tags y.pb
assay dump y.pb | grep -c '^sample'
# Nothing is left, nothing is matched, and what is no pattern.
assay top labels.pb --tagfocus user=eve || echo "status $?"
assay top labels.pb --tagfocus user= --tagignore user= || echo "status $?"
assay top labels.pb --tagignore nosuch --symbols none
assay top labels.pb --tagfocus 'user=a,x(' || echo "status $?"
assay top "$FIXTURES/callgrind.out.demo" --tagfocus user=ann || echo "status $?"
