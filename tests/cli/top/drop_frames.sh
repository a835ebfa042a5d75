# Frames that a profile calls uninteresting go with --compat=pprof, and only then.
oracle=$(dirname "$0")/../../oracle
python3 - "$oracle" <<'END'
import gzip, sys
sys.path.insert(0, sys.argv[1])
from random_pprof import Strings, message, number

def write(path, drop, keep):
    s = Strings()
    out = message(1, number(1, s('samples')) + number(2, s('count')))
    for i, name in enumerate(['main', 'work', 'malloc(unsigned long)', 'deep', 'malloc_hook']):
        out += message(5, number(1, i + 1) + number(2, s(name)))
        out += message(4, number(1, i + 1) + message(4, number(1, i + 1)))
    for stack, value in (([1], 1), ([2, 1], 2), ([4, 3, 2, 1], 4), ([5, 2, 1], 8), ([3], 16)):  # the leaf first
        out += message(2, b''.join(number(1, x) for x in stack) + number(2, value))
    out += number(7, s(drop)) + number(8, s(keep))
    with open(path, 'wb') as f:
        f.write(gzip.compress(out + b''.join(message(6, t.encode()) for t in s.all)))

write('drop.pb.gz', 'malloc.*', '')
write('keep.pb.gz', 'malloc.*', '.*hook')
write('bad.pb.gz', 'ma(', '')
END
assay top --compat pprof drop.pb.gz
assay top --compat pprof keep.pb.gz
assay top --compat pprof bad.pb.gz
assay top drop.pb.gz
