# Conditions of metrics: by name, formulas, in every form; what cannot be judged, and what is refused.
cd "$FIXTURES"
gate() {
    assay diff callgrind.out.before callgrind.out.after "$@" && echo "exit status 0" || echo "exit status $?"
}
gate -n 1 --metric 'rate=100 Dr/Ir' --metric 'work = Ir + 2 Dr' --fail-if "self(rate, 'hash') > +1%" \
    --fail-if 'total(work) > +50% or |total(rate)| > 50%'
gate -f junit --metric 'rate=100 Dr/Ir' --fail-if "total(rate) > 100"
gate -f json --metric 'rate=Dr/Ir' --fail-if "incl(rate, 'parse_header') > 0.1" | sed -n '/"gates"/,/^  \]/p'
for text in 'total(rate) > 1' "total('Ir/calls') > 1" "total('Ir/0') > 1" "total('2 Ir') > 1s"; do
    gate -n 1 --fail-if "$text" | tail -n 1
done
assay diff demo.prof demo.prof -n 1 --metric 'twice=2 samples' --fail-if 'total(twice) > 1' > /dev/null ||
    echo "exit status $?"
gate --metric 'rate=Dr/Cycles' --fail-if 'total(rate) > 1'
gate --metric 'rate=Dr/Ir'
