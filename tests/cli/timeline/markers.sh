# Markers are an event of their own, for those who ask.
golden=$(cd "$(dirname "$0")/../../../src/formats" && pwd)
cp "$golden/firefox/golden/markers.json" fx.json
cp "$golden/traceevent/golden/markers.json" trace.json
cp "$golden/jfr/golden/pauses.jfr" gc.jfr
assay top fx.json -n 2
assay top fx.json -e markers
assay top fx.json -e samples -s markers -n 1
assay timeline fx.json -e markers -b 8
assay top trace.json -e markers,calls -n 3
assay timeline trace.json -s markers -b 8 -f csv | head -4
assay top "$FIXTURES/demo.prof" -e markers || echo "status $?"
assay convert trace.json -o new.folded
assay convert trace.json -t firefox -o new.json
assay top new.json -e markers -n 3
# Of Java, collections and the pauses for them; who does not ask has none.
assay top gc.jfr -e markers -q
assay timeline gc.jfr -e markers -b 8 -q
assay top gc.jfr -q
assay convert gc.jfr -o gc.folded
assay convert gc.jfr -t firefox -o gc.json -q
assay top gc.json -e markers
