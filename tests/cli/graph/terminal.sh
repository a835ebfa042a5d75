# A terminal shows no picture: it is told how to get one, and has DOT for the asking.
if ! command -v script > /dev/null; then
    exit 0
fi
tty() {
    NO_COLOR=1 TERM=xterm ASSAY_PAGER=cat script -qec "stty cols 100 rows 24; $1" /dev/null < /dev/null | tr -d '\r'
}
p=$FIXTURES/callgrind.out.demo
tty "assay graph $p; echo exit \$?"
tty "assay graph $p -f dot" | grep -c digraph
tty "assay graph $p -o -" | grep -c digraph
tty "assay graph $p -o g.svg -f dot; echo exit \$?"
assay graph "$p" | grep -c digraph
