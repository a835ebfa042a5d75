# A small file can be packed so that it holds a large one: memory has an end, and says so.
python3 - <<'END'
import gzip
table = b'\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x01a\x32\x01b' + b'\x32\x00' * (8 << 20)
open('strings.pb.gz', 'wb').write(gzip.compress(table))
END
wc -c <strings.pb.gz
assay top strings.pb.gz --max-memory 20M --symbols none || echo "status $?"
assay check strings.pb.gz --max-memory 20m || echo "status $?"
assay convert strings.pb.gz --max-memory 20000K -o out.folded || echo "status $?"
assay top strings.pb.gz --max-memory 0 --symbols none >/dev/null && echo fine
assay top strings.pb.gz --max-memory 2X || echo "status $?"
ls
