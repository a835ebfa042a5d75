# Files of a database stand where they began, in columns of the clock; of folders of places, too.
. "$(dirname "$0")/database.inc"
e=db/box/202611231045
minute $e/20261123T104500Z 1
minute $e/20261123T104630Z 2
minute $e/20261124T105100Z 3
assay top db --over 1h -f csv > all
for at in 20261123T104500Z 20261123T104630Z 20261124T105100Z; do
    sums $e/$at-60.pb.gz.sums | sed 's/^/'$at' /'
done > want
assay top db --until 2026-11-24 --over 1m -f csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    for at in ("2026-11-23T10:45:00Z", "2026-11-23T10:46:00Z"):
        if row["function"] != "main":
            print(at, row["function"], row[at])' | sort > got
sed -n 's/^20261123T104500Z/2026-11-23T10:45:00Z/p; s/^20261123T104630Z/2026-11-23T10:46:00Z/p' want | sort | diff - got
assay top db --over 12h
assay top db --until 2026-11-24 --over 1m --by process
assay top db --until 2026-11-24 --over 1m --process sh -n 1 -f json | sed -n '/"over"/,$p'
# A column is not narrower than the files are.
assay top db --until 2026-11-24 --over 25s -f csv | head -n 1
# What has no date stands beside.
assay top $e/*.pb.gz --over 1h -n 1 || echo "$?"
cp $e/20261123T104500Z-60.pb.gz x.pb.gz
assay top db x.pb.gz --over 1d -n 1
# Folders of places: a column for each, of what top has.
for at in 20261123T104500Z 20261123T104600Z; do
    mkdir -p flat/box/202611231045
    assay convert -q "$FIXTURES/demo.prof" -t dcpi -o "flat/box/202611231045/$at-60.dcpi/"
done
assay objects flat --over 1m --symbols none -q -n 2
assay top flat --by address --over 1m --symbols none -q -n 0 -f csv > over
assay top flat --by address --symbols none -q -n 0 -f csv > plain
python3 - <<'END'
import csv
over, plain = (list(csv.DictReader(open(name))) for name in ('over', 'plain'))
assert len(over) == len(plain) > 20
cost = {(row['object'], row['address']): row for row in over}
for row in plain:
    got = cost[row['object'], row['address']]
    times = [int(value) for key, value in got.items() if key.startswith('2026-')]
    assert len(times) == 2 and times[0] == times[1]
    assert sum(times) == int(next(value for key, value in row.items() if key.startswith('self')))
END
