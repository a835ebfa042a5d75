# What a stranger's profile holds moves no cursor, also where the output is pprof's.
python3 - << 'END'
def varint(n):
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])
def number(field, n):
    return varint(field << 3) + varint(n)
def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data
strings = ['', 'samples', 'count', 'ma\x1b[31min', 'com\x1bment\nline 2', '/bin/\x14pp', 'k\x9bey', 'val\x7fue']
body = message(1, number(1, 1) + number(2, 2))
body += message(2, message(1, varint(1)) + message(2, varint(3)) + message(3, number(1, 6) + number(2, 7)))
body += message(3, number(1, 1) + number(2, 0x1000) + number(3, 0x2000) + number(5, 5))
body += message(4, number(1, 1) + number(2, 1) + number(3, 0x1010) + message(4, number(1, 1)))
body += message(5, number(1, 1) + number(2, 3)) + number(13, 4)
open('x.pb', 'wb').write(body + b''.join(message(6, s.encode()) for s in strings))
END
for command in top tree traces tags dump; do
    echo "--- $command"
    assay "$command" --compat=pprof x.pb
done
