# Threads that labels name, as JFR's do.
golden=$(cd "$(dirname "$0")/../../../src/formats/jfr/golden" && pwd)
cp "$golden/two_chunks.jfr" .
assay timeline two_chunks.jfr -b 8
assay timeline two_chunks.jfr -b 2 -f csv
assay timeline two_chunks.jfr -b 8 -f svg | grep -o '<text class="[nq][^<]*' | sed 's/.*>//'
assay flame --chart two_chunks.jfr --depth 1 | grep -o '[a-z]*, thread [0-9]*' | sort -u
