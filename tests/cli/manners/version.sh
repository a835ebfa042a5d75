assay --version | head -n 1
assay --version --json | python3 -c 'import json, sys; print(list(json.load(sys.stdin)))'
