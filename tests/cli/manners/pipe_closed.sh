# The reader goes: not a word, and the status of SIGPIPE or 0.
(assay dump "$FIXTURES/callgrind.out.demo" || status=$?; echo "${status:-0}" > status) | head -n 1
grep -cxE '0|141' status
