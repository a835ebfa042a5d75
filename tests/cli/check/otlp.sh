# What is odd about OpenTelemetry's profiles, one finding after the other.
golden=$(cd "$(dirname "$0")/../../../src/formats/otlp/golden" && pwd)
for name in "$golden"/*.otlp; do
    [ -e "$name.dump" ] || continue
    cp "$name" .
    assay check "${name##*/}" || true
done
