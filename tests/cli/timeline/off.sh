# When threads did not run stands below their lanes, by why; it adds up to what top says of each.
assay timeline -f svg "$FIXTURES/off_cpu.pb.gz" -o lanes.svg
assay top "$FIXTURES/off_cpu.pb.gz" -e off-cpu --by label:state -f json >sums.json
python3 - <<'END'
import collections, json, xml.etree.ElementTree as tree

sums, lanes = collections.Counter(), collections.defaultdict(collections.Counter)
svg = '{http://www.w3.org/2000/svg}'
for i, lane in enumerate(g for g in tree.parse('lanes.svg').iter(f'{svg}g') if g.get('class') == 'lane'):
    for rect in lane.iter(f'{svg}rect'):
        for why in 'waiting', 'runnable', 'blocked', 'stopped':
            sums[why] += int(rect.get(f'data-{why}', 0))
            lanes[i][why] += float(rect.get('height')) * float(rect.get('width')) if rect.get(f'data-{why}') else 0
for row in json.load(open('sums.json'))['rows']:
    for label in row['labels']:
        print(label['value'], sums[label['value']], row['self'][0] == sums[label['value']])
# A pixel of a lane of 920 by 4 is so many nanoseconds, a row for each thread
print({i: [round(lane[why] / 3680 * 620144550 / 1e7) for why in lane] for i, lane in lanes.items()})
END
# Its colours are those of the page, by the words above it
grep -o 'grey waiting, amber runnable, red blocked, green stopped' lanes.svg
grep -o 'class="w[0-9]" data-from="[0-9]*" data-[a-z]*' lanes.svg | sed 's/data-from.* //' | sort -u
# A profile that does not say it has nothing there
assay timeline -f svg -e time "$FIXTURES/../../src/formats/traceevent/golden/calls.json" 2>&1 | grep -c 'off the CPU' || true
