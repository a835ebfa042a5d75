# A name that tells no format, and a program whose interpreter is not there.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
printf '#!/no/such/interpreter\n' > script && chmod +x script
assay record -o run.svg ./script || echo "status $?"
assay record -o run ./script || echo "status $?"
assay record -o run.svg -t folded ./script || echo "status $?"
assay record -o run.folded ./script || echo "status $?"
ls -A
