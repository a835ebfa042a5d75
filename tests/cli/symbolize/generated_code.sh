# Code that was compiled at run time, in memory of every kind, has the names of its perf-PID.map in
# each format.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
python3 - <<'END'
import struct

code = {0x7f0000001010: 1, 0x7f0000002020: 2, 0x7f0000005030: 4, 0x55e600000040: 8, 0x7f0000009050: 16}
words = [0, 3, 0, 10000, 0]
for address, n in code.items():
    words += [n, 1, address]
words += [0, 1, 0]
maps = '''\
55e600000000-55e600001000 rwxp 00000000 00:00 0    [heap]
7f0000001000-7f0000002000 rwxp 00000000 00:00 0    //anon
7f0000002000-7f0000003000 rwxp 00000000 00:00 0    //anon
7f0000005000-7f0000006000 rwxp 00000000 00:00 0    /memfd:doublemapper (deleted)
7f0000009000-7f000000a000 rwxp 00000000 00:00 0
'''
with open('p.prof', 'wb') as f:
    f.write(struct.pack(f'<{len(words)}Q', *words) + maps.encode())
with open('perf-7.map', 'w') as f:
    for i, address in enumerate(code):
        f.write(f'{address & ~0xff:x} 100 jit {i}\n')
END
names() {
	assay top "$@" --symbols auto --binary perf-7.map -q -n0 -f csv | tail -n +2 |
		cut -d, -f1,6 | sort
}

names p.prof | tee want
assay convert p.prof -q -o callgrind.out.1
assay convert p.prof -q -t dcpi -o dcpi/
assay convert callgrind.out.1 -q -o back.prof
assay convert p.prof -q -o again.prof
assay merge p.prof again.prof -q -o twice.prof
names callgrind.out.1 | cmp - want
names dcpi/* | cmp - want
names back.prof | cmp - want
names twice.prof
names again.prof | cmp - want

# Callgrind knows the process.
mv perf-7.map /tmp/perf-$$.map
trap 'rm -f /tmp/perf-$$.map' EXIT
sed "s/^creator.*/&\npid: $$/" callgrind.out.1 >callgrind.out.2
assay top callgrind.out.2 --symbols auto -q -n0 -f csv | grep -c jit
assay top callgrind.out.1 --symbols auto -n0 -f csv | grep jit || :
