# Whether libc's names are there is what its build id says of the debug files.
assay doctor -f json > told
python3 - <<'END'
import json, os, re, subprocess
line = [c for c in json.load(open('told'))['checks'] if c['about'] == 'debug names']
path = re.search(r'\S*/libc\.so\S*', ' '.join(c['found'] for c in line) or '/lib/x86_64-linux-gnu/libc.so.6').group()
build = re.search(r'Build ID: ([0-9a-f]+)', subprocess.run(['readelf', '-n', path], capture_output=True, text=True).stdout).group(1)
there = os.access(f'/usr/lib/debug/.build-id/{build[:2]}/{build[2:]}.debug', os.R_OK)
print(len(line), (line[0]['state'] == 'ok') == there, bool(line[0]['advice']) != there)
END
