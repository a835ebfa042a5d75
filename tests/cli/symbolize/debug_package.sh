# Of a program of a distribution, without its names: which package has them.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
if ! grep -qs '^\(/usr\)\?/bin/gzip$' /var/lib/dpkg/info/gzip.list; then echo "no dpkg"; exit 77; fi
python3 - <<'END'
import struct
elf = open('/usr/bin/gzip', 'rb').read()
at, size, n = struct.unpack_from('<Q', elf, 32)[0], *struct.unpack_from('<HH', elf, 54)
for i in range(n):
    kind, flags, offset, _, _, length = struct.unpack_from('<IIQQQQ', elf, at + i * size)
    if kind == 1 and flags & 1:
        break
begin = 0x550000000000 + offset
words = [0, 3, 0, 10000, 0, 50, 1, begin + length // 2, 0, 1, 0]
maps = f'{begin:x}-{begin + (length + 4095) // 4096 * 4096:x} r-xp {offset:08x} 00:00 0 /usr/bin/gzip\n'
open('p.prof', 'wb').write(struct.pack('<%dQ' % len(words), *words) + maps.encode())
END
told() {
	assay top "$@" --symbols auto 2>&1 >out | sed -n 's/.*cost stays without names/.../p'
}
told p.prof
DEBUGINFOD_URLS=http://127.0.0.1:9 told p.prof --debuginfod
cp /usr/bin/gzip .
told p.prof --binary ./gzip
