# Three epochs of a database, and the same figures by Python out of the files and the symbol tables.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
cd "$FIXTURES"
set -- dcpi/200212042334/* -- dcpi/200212050612/* -- dcpi/200212061200/* --symbols auto --no-symbol-cache
assay stats "$@"
assay stats "$@" -e imiss --by object
for event in cycles imiss; do
	assay stats "$@" -e $event -f csv | python3 -c '
import csv, pathlib, statistics, subprocess, sys
sys.path.insert(0, "../oracle")
import dcpi_oracle
event = sys.argv[1]
epochs = sorted(pathlib.Path("dcpi").glob("2*"))
cost = {}
for image in "wave", "libfft.so":
    lines = subprocess.run(["nm", "-S", "dcpi/" + image], capture_output=True, text=True, check=True).stdout.split("\n")
    functions = [(int(l.split()[0], 16), int(l.split()[1], 16), l.split()[3]) for l in lines if len(l.split()) == 4 and l.split()[2] in "tT"]
    for i, epoch in enumerate(epochs):
        counts = dcpi_oracle.read(epoch / f"{image}.{event}").addresses(1)
        for begin, size, name in functions:
            n = sum(v for a, v in counts.items() if begin <= a < begin + size)
            cost.setdefault(name, [0] * len(epochs))[i] += n
total = sum(map(sum, cost.values()))
rows = [row for row in csv.DictReader(sys.stdin) if row["kind"] == "row"]
for row in rows:
    v = cost[row["function"]]
    want = {"sum": sum(v), "mean": statistics.mean(v), "stddev": statistics.stdev(v), "min": min(v), "max": max(v), "n": len(v),
            "sum_percent": 100 * sum(v) / total, "range_percent": 100 * (max(v) - min(v)) / sum(v)}
    for key, x in want.items():
        if abs(float(row[key]) - x) > 1e-9 * max(1, x):
            print(event, row["function"], key, row[key], "is not", x)
order = [float(row["range_percent"]) for row in rows]
print(event, len(rows), "functions,", "in order" if order == sorted(order, reverse=True) else "not in order")
' $event
done
