# Processes are counted, not programs; what is lost where they become one is one line.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
burn='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
echo "$burn" > burn.sh
assay record --no-show -F 4000 -o exec.prof sh -c "$burn; exec sh burn.sh"
assay record --no-show -F 4000 -o two.prof sh -c "sh burn.sh; $burn"
assay record --no-show -F 4000 -o two.cg sh -c "sh burn.sh; $burn" 2>&1 | grep -o '[0-9]* process.*'
assay record --no-show -F 4000 -o two.pb.gz sh -c "sh burn.sh; sleep 1; sh burn.sh" # began at two times: nothing is lost
for i in exec.prof two.prof two.cg; do assay info $i -f json | python3 -c 'import json,sys; print("parts:", len(json.load(sys.stdin)["parts"]))'; done
