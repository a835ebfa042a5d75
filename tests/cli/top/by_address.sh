# Function and offset, and the instruction: as nm and objdump have them of every address with a sample.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
if assay --version | grep -q "no capstone"; then echo "no capstone"; exit 77; fi
cp -r "$FIXTURES/dcpi" .
epoch=dcpi/200212042334
assay top $epoch/* --by address -n 6 --symbols auto
COLUMNS=150 assay top $epoch/* --by address -n 3 --symbols auto
COLUMNS=80 assay top $epoch/* --by address -n 3 --symbols auto
assay top $epoch/wave.cycles --by address -n 1 --symbols auto -f json | grep '"instruction"'
echo "== not asked for, gone"
assay top $epoch/wave.cycles --by address -n 1 --symbols none -f csv -q
mv dcpi/wave dcpi/gone
assay top $epoch/wave.cycles --by address -n 1 --symbols auto -f csv -q
mv dcpi/gone dcpi/wave
cat >check.py <<'END'
import csv, re, subprocess, sys
path, profiles, arguments = sys.argv[1], sys.argv[2].split(','), sys.argv[3:]
rows = [row for p in profiles for row in csv.DictReader(subprocess.run(
    ['assay', 'top', p, '--by', 'address', '-n', '0', '-f', 'csv', '--symbols', 'auto', '--no-symbol-cache', *arguments],
    capture_output=True, text=True, check=True).stdout.splitlines()) if row['object'].endswith(path)]
symbols, code = [], {}
for line in subprocess.run(['nm', '-S', path], capture_output=True, text=True, check=True).stdout.splitlines():
    row = line.split()
    if len(row) == 4 and row[2] in 'tT':
        symbols.append((int(row[0], 16), int(row[1], 16), row[3]))
for line in subprocess.run(['objdump', '-d', '-M', 'suffix', '--no-show-raw-insn', path], capture_output=True, text=True, check=True).stdout.splitlines():
    row = re.match(r' +([0-9a-f]+):\t(\w+)', line)
    if row:
        code[int(row[1], 16)] = row[2]
wrong = 0
for row in rows:
    address = int(row['address'], 16)
    name = next(f'{n}+{address - begin:#x}' for begin, size, n in symbols if begin <= address < begin + size)
    at = max(a for a in code if a <= address) # a caller is known by the last byte of its call
    got, want = row['instruction'].split()[0], code[at]
    if row['at'] != name or re.sub(r'^(ret|call)q$', r'\1', got) != re.sub(r'^(ret|call)q$', r'\1', want):
        print(hex(address), row['at'], name, got, want)
        wrong += 1
print(path, len(rows) > 8, 'addresses,', wrong, 'wrong;', sum(row['function'] != row['at'].split('+')[0] for row in rows) > 0, 'inlined')
END
python3 check.py dcpi/wave $epoch/wave.cycles
python3 check.py dcpi/libfft.so $epoch/libfft.so.cycles
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -o program "$lib/named.c"
python3 "$lib/inlined_costs.py" program hash mix >/dev/null
for p in p.dcpi p.prof; do
	python3 check.py program $p
	python3 check.py program $p --inline off
done
