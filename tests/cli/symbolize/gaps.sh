# What stands for missing samples is no code: nothing is said of its names. Of code that a run-time
# made, where it is much, it is said how it gets names.
python3 - <<'END'
import struct
def write(name, stacks, maps):
    words = [0, 3, 0, 10000, 0]
    for n, address in stacks:
        words += [n, 1, address]
    words += [0, 1, 0]
    open(name, 'wb').write(struct.pack('<%dQ' % len(words), *words) + maps)
write('gap.prof', [(50, 0x1fffffff2010)], b'1fffffff2000-1fffffff3000 r-xp 00000000 00:00 0 [unsampled]\n')
write('jit.prof', [(50, 0x7f0000001000)], b'')
END
assay gap.prof --symbols auto | grep -v '^next'
assay info gap.prof --symbols auto | grep '^names'
for cmd in '/usr/bin/node x.js' 'java -jar x.jar' 'python3.12 x.py' './x'; do
    assay convert jit.prof -q -t callgrind -o - | sed "s|^creator.*|&\ncmd: $cmd|" > cg
    assay top cg --symbols auto > out
done
