# What focus and ignore leave adds up to the whole, in every format of the fixtures.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
for file in demo.symbolized.prof callgrind.out.demo callgrind.out.demo.full cachegrind.out.demo; do
	for re in mix sort_phase 'fn:^main$' 'file:demo.c'; do
		for how in --focus --ignore; do
			assay top "$FIXTURES/$file" $how "$re" -n 1 -f json || echo '{"events": [{"total": 0}]}'
		done >both 2>/dev/null
		assay top "$FIXTURES/$file" -n 1 -f json >whole
		python3 - "$file" "$re" <<'END'
import json, sys
text = open('both').read().replace('}\n{', '}\x00{').split('\x00')
a, b = (json.loads(t)['events'] for t in text)
whole = json.load(open('whole'))['events']
for x, y, z in zip(a, b, whole):
    assert x['total'] + y['total'] == z['total'], (sys.argv, x, y, z)
    assert x.get('whole', z['total']) == z['total'] == y.get('whole', z['total'])
END
	done
done
