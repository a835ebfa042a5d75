. "$(dirname "$0")/names"
hostile > h
assay graph h -n 0 -m 0
assay graph h -n 0 -m 0 -f json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["nodes"]))'
