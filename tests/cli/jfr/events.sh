# Types of events are events by themselves; threads and states are labels; compressed is as good.
golden=$(cd "$(dirname "$0")/../../../src/formats/jfr/golden" && pwd)
cp "$golden/all_events.jfr" .
gzip -k all_events.jfr
assay top all_events.jfr -e jdk.ExecutionSample
assay top all_events.jfr.gz -e jdk.NativeMethodSample
assay top all_events.jfr -e jdk.ObjectAllocationInNewTLAB.tlabSize,jdk.JavaMonitorEnter.duration --by label:comm
assay top all_events.jfr -e profiler.WallClockSample.samples --by label:state
assay top all_events.jfr --label tid=4712 -e jdk.ExecutionSample --by line
assay convert all_events.jfr -o - -t folded
# Every cost comes back from pprof; the numbers of hidden classes are no names.
assay convert all_events.jfr -o x.pb.gz
for file in all_events.jfr x.pb.gz; do
    assay info "$file" -f json > info.json
    python3 -c 'import json; print([(e["name"], e["total"]) for e in json.load(open("info.json"))["events"]])' | sort > "$file.totals"
done
cmp all_events.jfr.totals x.pb.gz.totals
assay merge all_events.jfr x.pb.gz -o merged.pb.gz
assay top merged.pb.gz -e jdk.ExecutionSample -n 1
# What is not to be told is in the file, and in nothing else.
grep -q secret all_events.jfr
assay convert all_events.jfr -t dump -o dump
assay info all_events.jfr > info
! grep -l -e secret -e password dump info
