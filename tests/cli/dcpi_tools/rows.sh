# dcpiprof, dcpilist, dcpicat and dcpidiff: what their equivalents say is what Python finds in the files and nm in the images.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
if assay --version | grep -q "no capstone"; then echo "no capstone"; exit 77; fi
cd "$FIXTURES"
cat >"$OLDPWD/check.py" <<'END'
import csv, json, pathlib, subprocess, sys
sys.path.insert(0, '../oracle')
import dcpi_oracle

EPOCH, OTHER = 'dcpi/200212042334', 'dcpi/200212050612'


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, check=True).stdout


def assay(*args):
    return run('assay', *args, '--symbols', 'auto', '--no-symbol-cache', '-q')


def rows(*args):
    return list(csv.DictReader(assay(*args, '-n', '0', '-f', 'csv').splitlines()))


def symbols(image):
    found = (line.split() for line in run('nm', '-S', f'dcpi/{image}').splitlines())
    return {row[3]: (int(row[0], 16), int(row[1], 16)) for row in found if len(row) == 4 and row[2] in 'tT'}


def counts(epoch, image, event):
    return dcpi_oracle.read(f'{epoch}/{image}.{event}').addresses(1)


def by_function(epoch, image, event):
    data = counts(epoch, image, event)
    return {name: sum(n for a, n in data.items() if begin <= a < begin + size)
            for name, (begin, size) in symbols(image).items()}


def same(what, got, want):
    print(what, 'as in the files' if got == want else f'{got} is not {want}')


files = [str(path) for path in sorted(pathlib.Path(EPOCH).iterdir())]
images, events = ('wave', 'libfft.so'), ('cycles', 'imiss')
want = {name: tuple(by_function(EPOCH, image, e)[name] for e in events) for image in images for name in symbols(image)}
same('dcpiprof', {r['function']: tuple(int(r[f'self {e}']) for e in events) for r in rows('top', *files)}, want)
want = {f'dcpi/{image}': tuple(sum(counts(EPOCH, image, e).values()) for e in events) for image in images}
same('dcpiprof -i', {r['object']: tuple(int(r[f'self {e}']) for e in events) for r in rows('objects', *files)}, want)
same('dcpiprof -s', [r['function'] for r in rows('top', *files, '-s', 'imiss')][:3], ['smooth', 'fft', 'move'])
begin, size = symbols('wave')['smooth']
data = counts(EPOCH, 'wave', 'cycles')
listing = json.loads(assay('asm', 'smooth', f'{EPOCH}/wave.cycles', '-f', 'json'))
got = {int(i['address'], 16): i['self'][0] for i in listing['instructions'] if i['self'][0]}
same('dcpilist', got, {a: n for a, n in data.items() if begin <= a < begin + size})
text = run('assay', 'convert', '-q', f'{EPOCH}/wave.cycles', '-t', 'dcpicat', '-o', '-')
got = {int(line.split()[0], 16): int(line.split()[1]) for line in text.splitlines() if line.startswith('0x')}
same('dcpicat', got, data)
pathlib.Path(sys.argv[1]).write_text(text)
want = sorted(n for n in by_function(EPOCH, 'wave', 'cycles').values())
same('dcpicat, read', sorted(int(r['self cycles']) for r in rows('top', sys.argv[1])), want)
old, new = (by_function(epoch, 'wave', 'cycles') for epoch in (EPOCH, OTHER))
got = json.loads(assay('diff', f'{EPOCH}/wave.cycles', f'{OTHER}/wave.cycles', '--normalize', 'none', '-f', 'json'))
same('dcpidiff', {r['function']: r['self'][0]['difference'] for r in got['rows']}, {name: new[name] - old[name] for name in old})
END
python3 "$OLDPWD/check.py" "$OLDPWD/wave.dcpicat"
COLUMNS=120 assay top dcpi/200212042334/* --symbols auto | awk '$1 ~ /^[0-9]/ { sum += $2; if ($3 - sum > 0.3 || sum - $3 > 0.3) print "cum% is wrong", $0; n++ } END { print n, "rows, cum%" }'
