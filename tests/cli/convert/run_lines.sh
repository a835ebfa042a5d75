# What the recorder says of a run is true of what is written: it stays, is added up, or is lost with a word.
golden=$(cd "$(dirname "$0")/../../../src/formats/gperf/golden" && pwd)
cp "$golden/recorded.prof" a.prof
cp "$golden/list.prof" other.prof
said() { echo "== $1"; LC_ALL=C grep -a -o 'assay: .*' "$1" | LC_ALL=C tr -d '\351'; }

assay convert a.prof -t gperf -o same.prof
cmp a.prof same.prof && echo 'the same bytes'

assay convert -q a.prof -t pprof -o a.pb
assay info --compat=pprof a.pb | LC_ALL=C tr -d '\351'
assay convert -q a.pb -t gperf -o from_pprof.prof
said from_pprof.prof

assay convert -q a.prof -t callgrind -o a.cg
said a.cg
assay convert -q a.cg -t gperf -o from_callgrind.prof
said from_callgrind.prof

assay merge a.prof a.prof -o twice.prof
said twice.prof
assay merge a.prof other.prof -o both.prof
said both.prof
assay filter --object libx a.prof -o part.prof
said part.prof
