# Labels of pprof's profiles: what is chosen and what is not make the whole.
python3 - <<'END'
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

strings = ['', 'samples', 'count', 'main', 'user', 'ann', 'bob', 'size', 'bytes']
out = field(1, field(1, 1) + field(2, 2))
for value, labels in ((1, [(4, 5, 0, 0)]), (2, [(4, 6, 0, 0), (7, 0, 512, 8)]), (4, [(7, 0, 1024, 8)]), (8, [])):
    sample = field(1, 1) + field(2, value)
    for key, text, number, unit in labels:
        label = field(1, key) + (field(2, text) if text else field(3, number) + field(4, unit))
        sample += field(3, label)
    out += field(2, sample)
out += field(4, field(1, 1) + field(4, field(1, 1))) + field(5, field(1, 1) + field(2, 3))
for s in strings:
    out += field(6, s.encode())
open('labels.pb', 'wb').write(out)
END
for label in user user=ann user=bob size size=512 size=512bytes size=1024; do
    echo "$label: $(assay top labels.pb --label $label -f json --symbols none | python3 -c 'import json, sys; print(json.load(sys.stdin)["rows"][0]["self"])')"
done
assay top labels.pb --label user=ann --label size=1024 --symbols none
assay top labels.pb --label user=eve
