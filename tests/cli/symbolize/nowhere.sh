# Code that lies in no file is told with its share; a path map that maps nothing is refused.
python3 - <<'PY'
import struct
with open('p.prof', 'wb') as f:
    f.write(struct.pack('<5Q', 0, 3, 0, 10000, 0) + struct.pack('<3Q', 3, 1, 0x7f0000001000) + struct.pack('<3Q', 0, 1, 0))
PY
assay top p.prof --symbols auto -f csv
assay top p.prof --symbols auto --path-map foo
