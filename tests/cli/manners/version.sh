assay --version | head -n 1
assay --version --json | python3 -c 'import json, sys; j = json.load(sys.stdin); print(list(j)); print(list(j["features"]))'
