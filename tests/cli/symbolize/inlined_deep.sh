# Calls that are inlined deeper than any compiler nests them: the innermost and the outermost stay.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
python3 - >deep.c <<'END'
print('volatile int v;')
print('static inline __attribute__((always_inline)) void f0(void) { v++; v++; }')
for i in range(1, 300):
    print(f'static inline __attribute__((always_inline)) void f{i}(void) {{ f{i - 1}(); }}')
print('__attribute__((noinline)) void work(void) { f299(); }\nint main(void) { work(); return v; }')
END
cc -g -O1 -o program deep.c
python3 "$lib/make_prof.py" program p.prof work
touch -d 2100-01-01 p.prof
assay traces p.prof --symbols auto -n 1 -f json 2>told | python3 -c '
import json, sys
names = [frame["function"] for frame in json.load(sys.stdin)["paths"][0]["frames"]]
print(len(names), names[:3], names[-2:])'
sed "s#$PWD/##g" told
# pprof has them in its locations.
python3 - >deep.pb <<'END'
import sys
def varint(v):
    out = b''
    while v > 127:
        out, v = out + bytes([v & 127 | 128]), v >> 7
    return out + bytes([v])
def num(field, v):
    return varint(field << 3) + varint(v)
def part(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data
n = 1000
out = part(1, num(1, 1) + num(2, 1)) + part(2, part(1, varint(1) * 1000) + num(2, 7))
out += part(4, num(1, 1) + b''.join(part(4, num(1, i + 1) + num(2, i)) for i in range(n)))
out += b''.join(part(5, num(1, i + 1) + num(2, i + 2)) for i in range(n))
out += b''.join(part(6, s) for s in [b'', b'samples'] + [b'f%d' % i for i in range(n)])
sys.stdout.buffer.write(out)
END
assay check deep.pb || echo "status $?"
assay traces deep.pb -n 1 -f json | python3 -c '
import json, sys
names = [frame["function"] for frame in json.load(sys.stdin)["paths"][0]["frames"]]
print(len(names), names[0], names[1], names[255], names[256], names[-1])'
assay convert deep.pb -t folded --strict -o - >/dev/null || echo "status $?"
