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
tty "assay $p --no-keys --color=auto" | grep -c "$(printf '\033')"
# Progress shows when reading takes longer than a moment, and is wiped out; -q has none.
# The rest of the profile comes in pieces until it shows, however busy the machine is.
cat > slowly <<'END'
n=4000
head -c $n "$1"
while ! grep -q 'read[i]ng' log && [ $n -lt 14000 ]; do
    sleep 0.1
    tail -c +$((n + 1)) "$1" | head -c 100
    n=$((n + 100))
done
tail -c +$((n + 1)) "$1"
END
NO_COLOR=1 TERM=xterm script -qefc "sh slowly $p | assay top - -n 1" log < /dev/null > out
grep -c 'reading' out || true
tty "(head -c 4000 $p; sleep 0.5; tail -c +4001 $p) | assay top - -n 1 -q" | grep -c 'reading' || true
