# The exit status is the program's; what can't be run is told as shells tell it.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
assay record -q --no-show -o a.prof sh -c 'exit 5' || echo "status $?"
assay record -q --no-show -o b.prof sh -c 'kill -9 $$' || echo "status $?"
assay record -q no-such-program || echo "status $?"
assay record -q ./a.prof || echo "status $?"
assay record -q /etc || echo "status $?"
ls -A
