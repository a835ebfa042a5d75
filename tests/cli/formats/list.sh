# Every format of the registry, once per form.
assay formats -f json > formats.json
python3 - <<'END'
import csv, json, subprocess
formats = json.load(open('formats.json'))['formats']
text = subprocess.run(['assay', 'formats'], capture_output=True, text=True, check=True).stdout.splitlines()
rows = list(csv.DictReader(subprocess.run(['assay', 'formats', '-f', 'csv'], capture_output=True, text=True,
                                          check=True).stdout.splitlines()))
assert [f['name'] for f in formats] == [line.split()[0] for line in text[1:]] == [r['format'] for r in rows]
assert [f['write'] for f in formats] == [r['write'] == 'yes' for r in rows]
assert {'callgrind', 'dcpi', 'gperf'} <= {f['name'] for f in formats}
END
assay formats -v | grep -c '^call paths '
