# At 4 samples a signal, 400 against 500 samples are noise; of as many signals they are not.
make() {
    python3 - "$@" << 'END'
import struct, sys
path, f, squares = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
words = (0, 3, 0, 1000, 0, f, 1, 0x401000, 200, 1, 0x501000, 0, 1, 0)
text = '00400000-00500000 r-xp 00000000 00:00 0 /f\n00500000-00600000 r-xp 00000000 00:00 0 /g\n'
with open(path, 'wb') as out:
    out.write(struct.pack('<%dQ' % len(words), *words) + text.encode())
    out.write(b'assay: squares of their samples: %d\n' % squares)
END
}
make a4 400 2400
make b4 500 2800
make a1 400 600
make b1 500 700
for i in 4 1; do
    assay diff a$i b$i --by object
    assay diff a$i b$i --by object --object f --relative | grep '/f'
done
# Merged runs have as many samples without a signal as those of them that say it.
cp a4 half
echo 'assay: samples of threads that ended before them: 300' >> half
assay merge half a4 -o a8
assay merge b4 b4 -o b8
assay diff a8 b8 --by object | grep "/f"
