# The part as a profile, in the format of the input; with -t in another.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
assay filter "$FIXTURES/callgrind.out.demo" --focus 'fn:^sort_phase$' -o callgrind.out.sort
assay top callgrind.out.sort -n 3
assay top "$FIXTURES/callgrind.out.demo" --focus 'fn:^sort_phase$' --relative -n 3
assay filter "$FIXTURES/demo.prof" --object libc -o libc.prof
assay objects libc.prof
assay filter "$FIXTURES/demo.prof" --object libc -t callgrind -o - | grep totals
assay filter "$FIXTURES/demo.prof" -o new.prof
