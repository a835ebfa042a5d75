# By label: what is chosen with --label is what the rows say, and rows, rest and what filters left
# out make the whole. Figures by hand.
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

strings = ['', 'samples', 'count', 'main', 'user', 'ann', 'bob, the "builder"', 'size', 'bytes', 'delta']
user, size, delta = 4, 7, 9
out = field(1, field(1, 1) + field(2, 2))
for value, labels in (
        (1, [(user, 5, 0, 0)]),
        (2, [(user, 6, 0, 0), (size, 0, 512, 8)]),
        (4, [(size, 0, 1024, 8)]),
        (8, []),
        (16, [(size, 0, 512, 8), (user, 6, 0, 0)]),
        (32, [(user, 5, 0, 0), (user, 6, 0, 0)]),
        (64, [(delta, 0, -3, 0)])):
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
top() { assay top labels.pb --symbols none "$@"; }
top --by label
top --by label:user -n 2
top --by label:size --label user -f csv
top --by label:size --label user
top --by label:size --label user --relative -m 'percent(samples)'
top --by label -f csv -n 4
top --by label:user -f json
top --by part -f json -n 2
for by in label label:user label:size label:delta part; do
    for n in 1 2 0; do
        top --by $by -n $n -f json > t.json
        python3 - <<'END'
import json
top = json.load(open('t.json'))
assert sum(r['self'][0] for r in top['rows']) + top['rest']['self'][0] == 127, top
END
    done
done
top --by label:usr
