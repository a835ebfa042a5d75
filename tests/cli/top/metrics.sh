# Metrics are what their formulas say, in every form; what is divided by zero comes last.
cg="$FIXTURES/callgrind.out.demo.full"
assay top "$cg" -n 3 -e Ir,D1mr -m 'miss=100 D1mr/Dr' -s miss
assay top "$cg" -n 2 -e Ir -m CEst -m 'percent(Ir)' --cumulative
for how in "" --cumulative; do
    for n in 0 2; do
        assay top "$cg" -n $n -m miss=D1mr/Dr -m D1-miss-rate -m 'sum = Ir + 2(Dr - Dw)' -s miss $how -f csv > m.csv
        assay top "$cg" -n $n -m miss=D1mr/Dr -m D1-miss-rate -m 'sum = Ir + 2(Dr - Dw)' -s miss $how -f json > m.json
        python3 - "${how:+inclusive}" <<'END'
import csv, json, sys
of = sys.argv[1] or 'self'
rows = list(csv.DictReader(open('m.csv')))
top = json.load(open('m.json'))
assert top['metrics_of'] == of and [m['name'] for m in top['metrics']] == ['miss', 'D1-miss-rate', 'sum'], top['metrics']
last = None
for row, jrow in zip(rows, top['rows'] + [dict(top['rest'], rest=True)]):
    if of == 'inclusive' and 'rest' in jrow:
        assert jrow['metrics'] == [None] * 3
        continue
    v = {e: row['%s %s' % ('self' if 'rest' in jrow else of, e)] for e in ('Ir', 'Dr', 'Dw', 'D1mr', 'D1mw')}
    v = {e: int(x) for e, x in v.items()}
    div = lambda a, b: a / b if b else None
    want = [div(v['D1mr'], v['Dr']), div(v['D1mr'] + v['D1mw'], v['Dr'] + v['Dw']), v['Ir'] + 2 * (v['Dr'] - v['Dw'])]
    got = [float(x) if x else None for x in (row['%s %s' % (of, m)] for m in ('miss', 'D1-miss-rate', 'sum'))]
    for w, g, j in zip(want, got, jrow['metrics']):
        assert (w is None) == (g is None) == (j is None), (row, w, g, j)
        assert w is None or abs(w - g) <= 1e-9 * abs(w) and abs(w - j) <= 1e-9 * abs(w), (row, w, g, j)
    if 'rest' not in jrow:
        key = -1 if got[0] is None else got[0]
        assert last is None or last >= key, (last, key)
        last = key
END
    done
done
assay top "$cg" -m 'x=D1mr/Foo'
