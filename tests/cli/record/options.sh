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
