# Events with long names leave room for the names of functions; those that have none are named.
golden=$(cd "$(dirname "$0")/../../../src/formats/jfr/golden" && pwd)
for width in 120 160; do
    COLUMNS=$width assay top "$golden/all_events.jfr" -n 3 | cut -d '(' -f 1
done
