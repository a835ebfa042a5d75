# What can't go together, and processes that are not there.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
assay record -p 1 true || echo "status $?"
assay record -p 0 || echo "status $?"
assay record -p 1 --mode wall || echo "status $?"
assay record -p 1 --callgrind || echo "status $?"
assay record --stacks frames --mode wall true || echo "status $?"
ls -A
