# A script whose first line names no interpreter is the shell's, and sampled from within.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
printf '%s\n' 'echo "$# $1 $2"' 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done' 'exit 3' > script
chmod +x script
assay record --no-show -F 4000 -o run.prof ./script 'a b' c || echo "status $?"
assay info run.prof -f json | python3 -c 'import json,sys; print(json.load(sys.stdin)["command"])'
: > empty && chmod +x empty
assay record -q --no-show -o empty.prof ./empty && echo "an empty one is executed, too"
