# What pprof makes of mappings that are missing, come late or stand in another order, of a leaf that
# stands twice, and of samples that cost nothing. Checked with pprof's reader.
python3 - <<'END'
import struct

def varint(n):
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])

def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value

def sample(locations, value):
    return field(2, field(1, bytes(locations)) + field(2, value))

strings = ['', 'samples', 'count', 'a', 'b', 'main', 'x.c']
zero = field(1, field(1, 1) + field(2, 2))
zero += sample([1, 3], 0) + sample([2, 3], 5) + sample([1, 3], 7) + sample([2], 0)
for i in 1, 2, 3:
    zero += field(4, field(1, i) + field(3, 0x1000 * i) + field(4, field(1, i) + field(2, i)))
    zero += field(5, field(1, i) + field(2, i + 2) + field(3, i + 2) + field(4, 6))
zero += b''.join(field(6, s.encode()) for s in strings)
open('zero.pb', 'wb').write(zero)

maps = b'''4000-4100 r-xp 00000000 00:00 0
5000-5100 r-xp 00000200 08:01 12 /lib/libc.so.6
7000-8000 r-xp 00000000 08:01 13 /usr/bin/prog
9000-9100 r-xp 00000000 08:01 14 /lib/a.so
'''
records = {'late': [1, 2, 0x900000, 0x7201, 1, 1, 0x4f00, 1, 1, 0x5010],
           'early': [1, 1, 0x4f00, 1, 2, 0x900000, 0x7201, 1, 1, 0x5010],
           'double': [1, 3, 0x7100, 0x7100, 0x7204, 1, 2, 0x7010, 0x7300, 1, 2, 0x7020, 0x7100]}
for name, words in records.items():
    words = [0, 3, 0, 10000, 0] + words + [0, 1, 0]
    open(name + '.prof', 'wb').write(struct.pack('<%dQ' % len(words), *words) + maps)
END
for file in zero.pb late.prof early.prof double.prof; do
	echo "-- $file"
	assay dump --compat=pprof "$file" | sed -n '/^Samples/,$p'
done
assay traces --compat=pprof --symbols none zero.pb
assay top --compat=pprof --symbols none late.prof
