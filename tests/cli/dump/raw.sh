# What `pprof -raw` prints: the records of the file in their order, with pprof's cuts.
assay dump --compat=pprof "$FIXTURES/demo.prof" | head -12
assay dump --compat=pprof "$FIXTURES/demo.prof" | sed -n '/^Mappings/,$p' | head -3
# The samples are all that there are: 378 of 4 ms.
assay dump --compat=pprof "$FIXTURES/demo.prof" |
	sed '/^Locations/,$d' | awk -F: '/: [0-9]/ { split($1, v, " "); n += v[1]; t += v[2] } END { print n, t }'
assay info "$FIXTURES/demo.prof" -f json | grep -o '"total": [0-9]*'
# Labels, numbers with and without a unit, several of one key, a default type, a time and its length.
cat > make.py <<'END'
import sys
def num(field, v): return bytes([field << 3]) + b''.join(bytes([x]) for x in varint(v))
def varint(v):
    while v >= 128:
        yield v & 127 | 128
        v >>= 7
    yield v
def text(field, *parts): return bytes([field << 3 | 2, sum(map(len, parts))]) + b''.join(parts)
words = [b'', b'samples', b'count', b'thread', b'worker', b'bytes', b'kB', b'z', b'cpu', b'note']
pb = text(1, num(1, 8), num(2, 0)) + text(1, num(1, 1), num(2, 2))
pb += text(2, num(1, 5), num(2, 1), num(2, 7), text(3, num(1, 5), num(3, 32), num(4, 6)), text(3, num(1, 5), num(3, 9)),
           text(3, num(1, 3), num(2, 4)), text(3, num(1, 7), num(3, 1)), text(3, num(1, 3), num(2, 7)), text(3, num(1, 9)))
pb += text(4, num(1, 5), num(3, 16)) + b''.join(text(6, w) for w in words)
pb += num(9, 1488369600000000000) + num(10, 6012000000000) + num(12, 3) + text(13, b'\x09') + num(14, 1)
sys.stdout.buffer.write(pb)
END
python3 make.py > a.pb
assay dump --compat=pprof a.pb
# What pprof does not read, several files, and a damaged one.
assay dump --compat=pprof "$FIXTURES/callgrind.out.demo" || echo "status $?"
assay dump --compat=pprof "$FIXTURES/demo.prof" a.pb || echo "status $?"
head -c 40 a.pb > b.pb
assay dump --compat=pprof b.pb || echo "status $?"
