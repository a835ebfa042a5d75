# What is odd about gmon.out: records that are cut, unknown or of nothing.
python3 - <<'END'
import struct
head = b'gmon' + struct.pack('<I', 1) + bytes(12)
def histogram(low, high, rate, *bins):
    return (b'\0' + struct.pack('<QQII', low, high, len(bins), rate) + b'seconds'.ljust(15, b'\0') + b's'
            + struct.pack('<%dH' % len(bins), *bins))
def arc(a, b, n):
    return b'\1' + struct.pack('<QQI', a, b, n)
sound = head + histogram(0x401000, 0x401010, 100, 3, 0, 5, 2) + arc(0x401004, 0x401009, 7)
files = {
    'sound': sound,
    'cut': sound[:-3],
    'tag': sound + b'\7rest',
    'histogram': sound + histogram(0x2000, 0x1000, 100, 1),
    'rate': sound + histogram(0x402000, 0x402010, 1000, 1),
    'full': head + histogram(0x401000, 0x401010, 100, 65535, 1),
    'run-time': head + histogram(0x555555554000, 0x555555554010, 100, 1, 1),
    'nothing': head,
    'version': b'gmon' + struct.pack('<I', 2) + bytes(12),
    'header': head[:9],
}
for name, data in files.items():
    open(name + '.gmon', 'wb').write(data)
END
for file in sound cut tag histogram rate full run-time nothing version header; do
    assay check $file.gmon 2>&1 || true
done
# Gm-cut and the others name places; costs and calls are there, and no inclusive cost.
assay top --symbols none sound.gmon
assay info --symbols none sound.gmon | head -4
