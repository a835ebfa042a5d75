# When threads did not run stands below their strips, by why; it adds up to what top says of each.
assay flame --chart "$FIXTURES/off_cpu.pb.gz" -o chart.svg
assay top "$FIXTURES/off_cpu.pb.gz" -e off-cpu --by label:state -f json >sums.json
python3 - <<'END'
import json, xml.etree.ElementTree as tree

svg = '{http://www.w3.org/2000/svg}'
axis = next(g for g in tree.parse('chart.svg').iter(f'{svg}g') if g.get('class') == 'axis')
rects = list(axis.iter(f'{svg}rect'))
for row in json.load(open('sums.json'))['rows']:
    for label in row['labels']:
        own = [rect for rect in rects if rect.get(f'data-{label["value"]}')]
        # of a thread without samples, as "idle", there is no strip
        print(label['value'], sum(int(rect.get(f'data-{label["value"]}')) for rect in own), row['self'][0])
print(max(float(rect.get('x')) + float(rect.get('width')) for rect in rects) <= 1190)
END
# The event itself has the stacks that wait
assay flame --chart -e off-cpu "$FIXTURES/off_cpu.pb.gz" | grep -o '<title>futex_wait' | sort | uniq -c
