# Segments are pieces of one recording; what one process had mapped is no matter of another.
cat > segment.py <<'END'
"""segment.py OUT MINUTE: nginx and sh, each in a library of its own, for a minute from 10:MINUTE on."""
import gzip, os, sys
out, minute = sys.argv[1], int(sys.argv[2])
strings = ['', 'cpu', 'nanoseconds', 'comm', 'nginx', 'sh', '/usr/lib/nginx.so', '/usr/lib/sh.so', '/usr/lib/idle.so']
def varint(v):
    got = b''
    while v > 127:
        got += bytes([v & 127 | 128])
        v >>= 7
    return got + bytes([v])
def number(field, v):
    return varint(field << 3) + varint(v)
def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data
body = message(1, number(1, 1) + number(2, 2))
for i in (1, 2):
    body += message(2, number(1, i) + number(2, 10 * i + minute) + message(3, number(1, 3) + number(2, 3 + i)))
for i in (1, 2, 3):
    body += message(3, number(1, i) + number(2, i << 20) + number(3, i + 1 << 20) + number(5, 5 + i))
for i in (1, 2):
    body += message(4, number(1, i) + number(2, i) + number(3, (i << 20) + 0x100))
body += b''.join(message(6, text.encode()) for text in strings)
body += number(9, (1795430700 + 60 * (minute - 45)) * 10**9) + number(10, 60 * 10**9)
os.makedirs(os.path.dirname(out), exist_ok=True)
with gzip.GzipFile(out, 'wb', mtime=0) as f:
    f.write(body)
END
e=db/box/202611231045
python3 segment.py $e/20261123T104500Z-60.pb.gz 45
python3 segment.py $e/20261123T104600Z-60.pb.gz 46
assay merge $e/*.pb.gz -o files.pb.gz
assay merge db -o one.pb.gz
assay convert db -o two.pb.gz --strict
cmp one.pb.gz two.pb.gz && cmp one.pb.gz files.pb.gz
assay info one.pb.gz --symbols none | sed -n '/^started/p; /^duration/p; / mapping/p'
for process in sh nginx; do
    assay filter db --process $process -o $process.pb.gz
    assay convert $process.pb.gz -t dump -o - | grep idle
    assay convert $process.pb.gz -t dump -o - | grep -c "^map.*$process.so"
    assay convert $process.pb.gz -t dump -o - | grep -v "$process.so" | grep '[.]so' || true
done
