# What the recorder says of a run is told in words.
python3 - <<'END'
import struct
words = [0, 3, 0, 10000, 0, 8, 1, 0x400010, 0, 1, 0]
lines = b'400000-401000 r-xp 00000000 00:00 0 /bin/prog\n' \
        b'assay: clock: cpu\nassay: cpu time: 1.5\nassay: threads: 3 8 search g\n'
open('p.prof', 'wb').write(struct.pack('<%dQ' % len(words), *words) + lines)
END
assay info p.prof | sed -n '/^also/,$p'
assay info p.prof -f json | grep -A3 '"assay: threads"'
# When it began; DCPI calls that its epoch.
printf '# callgrind format\nversion: 1\ncreator: x\ndesc: assay: started: 1700000000\nevents: Ir\nfn=f\n1 1\n' > cg
assay info cg | grep -e '^started' -e '^epoch' || echo neither
