# On a terminal: digits in groups, the pager for what is taller than it, no binary data.
if ! command -v script > /dev/null; then
    exit 0
fi
tty() {
    NO_COLOR=1 TERM=xterm ASSAY_PAGER="sed 's/^/paged: /'" script -qec "stty cols 80 rows 24; $1" /dev/null < /dev/null | tr -d '\r'
}
p=$FIXTURES/callgrind.out.demo
tty "assay top $p -n 1" | grep -c '601,848'
tty "assay top $p -n 60" | grep -c '^paged: '
tty "assay top $p -n 60 --no-pager" | grep -c '^paged: ' || true
tty "assay top $p -n 5" | grep -c '^paged: ' || true
tty "assay convert -q $FIXTURES/demo.prof -t gperf -o -" | head -n 1
tty "assay $p --color=auto" | grep -c "$(printf '\033')"
# Progress shows when reading takes longer than a moment, and is wiped out; -q has none.
slow="(head -c 4000 $p; sleep 0.5; tail -c +4001 $p) | assay top - -n 1"
tty "$slow" | grep -c 'reading' || true
tty "$slow -q" | grep -c 'reading' || true
