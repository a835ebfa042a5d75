# Callgrind names nearly all functions: the few addresses among them are not worth a word, unless it is asked for.
assay top "$FIXTURES/callgrind.out.demo" -n 1 --symbols auto --symfs nowhere
assay top "$FIXTURES/callgrind.out.demo" -n 1 --symbols auto --symfs nowhere -v 2>&1 >all | grep -c 'not found'
