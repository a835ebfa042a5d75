# SPDX-License-Identifier: Apache-2.0
# A device or a pipe is written to: nothing takes its place. What cannot be written is kept.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
burn='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
assay record -q -F 1000 -o /dev/full sh -c "$burn" 2> full.err || echo "status $?"
sed 's/record-.*/record-X/; s/kept in .*\(.assay-record-X\)/kept in \1/' full.err
assay check -q .assay-record-*/* > kept.out && echo "sound"
assay record -q -F 1000 -o /dev/null sh -c "$burn"
mkfifo pipe
cat pipe > got.prof &
assay record -q -F 1000 -o pipe sh -c "$burn"
wait
assay check -q got.prof > pipe.out && echo "sound"
test -p pipe && echo "still a pipe"
# Written for pprof, its time is first, as in what Go writes.
assay record -q --no-show -F 1000 -o x.pb sh -c "$burn"
assay info x.pb -f json | python3 -c 'import json,sys; print([e["name"] for e in json.load(sys.stdin)["events"]])'
