# "[unsampled]" says what is missing: it is no address, and not the program.
python3 - <<'END'
import struct
maps = b'1fffffff2000-1fffffff3000 r-xp 00000000 00:00 0 [unsampled]\n400000-401000 r-xp 00000000 00:00 0 /bin/prog\n'
words = [0, 3, 0, 10000, 0, 5, 1, 0x1fffffff2010, 7, 1, 0x400010, 0, 1, 0]
open('p.prof', 'wb').write(struct.pack('<%dQ' % len(words), *words) + maps)
END
assay top p.prof -f csv | cut -d, -f1,4-6
assay convert p.prof -t callgrind -o - -q | grep -e '^ob' -e '^fn'
assay convert p.prof -t folded -o - -q
assay convert p.prof -o p.pb -q
assay dump p.pb | grep '^map'
assay top p.pb -f csv -e samples | cut -d, -f1,4-6
assay convert p.prof -o p.cg -q
assay top p.cg -f csv | cut -d, -f1,4-6
