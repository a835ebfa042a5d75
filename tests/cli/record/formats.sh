# One file, in the format of its name; a part for every process.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
burn='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
assay record -q --no-show -F 4000 -o all.pb.gz sh -c "sh -c '$burn' ; $burn" || echo "status $?"
assay info all.pb.gz -f json | python3 -c 'import json,sys; print(json.load(sys.stdin)["format"])'
assay record -q --no-show -F 4000 -o one.folded sh -c "$burn" || echo "status $?"
assay check one.folded
assay record -q --no-show -F 4000 -o - -t gperf sh -c "$burn" > out.prof && assay check -q out.prof && echo sound
ls -A
