# Options end where the program begins; mistakes are told before anything runs.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
assay record -q --no-show -o a.prof echo -F 5 --mode -- -o x
assay record -F 0 true || echo "status $?"
assay record -F 4001 true || echo "status $?"
assay record -d soon true || echo "status $?"
assay record --callgrind -F 10 true || echo "status $?"
assay record --mode fast true || echo "status $?"
assay record || echo "status $?"
assay record -o a.prof true || echo "status $?"
assay record -o a.xyz -t nothing true || echo "status $?"
assay record -q --no-show -y -o a.prof true || echo "status $?"
assay record -q --no-show true; assay record -q --no-show true; ls -A
assay record --delay soon true || echo "status $?"
# Without a rate there are enough samples for a time that is known.
for d in 2 20 1000; do assay record -q --no-show -y -d $d -o r.prof true; assay info r.prof | grep -o 'one every.*'; done
assay record -q --no-show -y -F 300 -d 2 -o r.prof true; assay info r.prof | grep -o 'one every.*'
assay record --max-size 10K true || echo "status $?"
assay record --max-size 10M --stacks copies true || echo "status $?"
assay record --kernel --mode wall true || echo "status $?"
assay record --delay 1 --callgrind true || echo "status $?"
assay record --inside main true || echo "status $?"
