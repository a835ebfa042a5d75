# Labels are boxes of their own, numbers of bytes likewise: of the five without other labels 16 and 1024 (4 + 2) are a range.
cat > make.py <<'END'
def varint(n):
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

def label(key, value):
    return field(3, field(1, word(key)) + (field(3, value) if isinstance(value, int) else field(2, word(value))))

samples = [(1, label('user', 'a"nn') + label('host', 'a1')), (2, label('bytes', 1024)), (4, label('bytes', 16)),
           (8, b''), (16, label('bytes', 1 << 20)), (32, label('bytes', 2048)), (64, label('bytes', 1 << 30)),
           (128, label('bytes', 4096) + label('user', 'bob') + label('request', 5))]
out = field(1, field(1, word('samples')) + field(2, word('count')))
for value, labels in samples:
    out += field(2, field(1, 1) + field(2, value) + labels)
out += field(3, field(1, 1) + field(2, 4096) + field(3, 8192) + field(5, word('/bin/prog')))
out += field(4, field(1, 1) + field(2, 1) + field(3, 4100) + field(4, field(1, 1))) + field(5, field(1, 1) + field(2, word('main')))
out += b''.join(field(6, w.encode()) for w in words)
open('labels.pb', 'wb').write(out)
END
python3 make.py
assay graph --compat pprof labels.pb
assay graph --compat pprof labels.pb --tagshow ^u --pprof-option nodefraction=0.01 | grep -v '^node'
assay graph --compat pprof labels.pb --taghide u --tagfocus bytes=1kb:2kb | grep -v '^node'
