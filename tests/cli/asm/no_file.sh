# Code that was compiled at run time has a name, but its instructions are in no file.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
python3 - <<'PY'
import struct
with open('p.prof', 'wb') as f:
    f.write(struct.pack('<5Q', 0, 3, 0, 10000, 0) + struct.pack('<3Q', 3, 1, 0x7f0000001004) + struct.pack('<3Q', 0, 1, 0))
PY
echo "7f0000001000 10 jitted" >perf-1.map
assay asm jitted p.prof --symbols auto --binary perf-1.map
