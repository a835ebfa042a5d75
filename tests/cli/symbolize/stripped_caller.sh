# A stripped program that only calls what costs is no news; -v has it.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
echo 'int main(void) { return 0; }' > a.c
cc -o named a.c
cp named stripped
strip stripped
address=$(nm named | sed -n 's/ T main$//p')
segment=$(readelf -lW named | sed -n 's/^ *LOAD *\(0x[0-9a-f]*\) *\(0x[0-9a-f]*\) .* R E .*/\1 \2/p')
# shellcheck disable=SC2086 # two words
python3 - "$address" $segment <<'END'
import os, struct, sys
main, offset, start = (int(word, 16) for word in sys.argv[1:])
bases = {'named': 0x555500000000, 'stripped': 0x666600000000}
words = [0, 3, 0, 10000, 0, 50, 2, bases['named'] + main - start, bases['stripped'] + main - start + 1]
words += [50, 1, 0x7f0000001000, 0, 1, 0]  # no code of any file
maps = ''.join('%x-%x r-xp %08x 00:00 0 %s/%s\n' % (base, base + 0x1000, offset, os.getcwd(), name)
               for name, base in bases.items())
open('p.prof', 'wb').write(struct.pack('<%dQ' % len(words), *words) + maps.encode())
END
assay top p.prof --symbols auto -f csv 2> err | cut -d, -f1,7 | sed 's/0x[0-9a-f]*/0xMAIN/'
grep -c 'no names' err || true
assay top p.prof --symbols auto -f csv -v 2>&1 | grep -c 'no names'
