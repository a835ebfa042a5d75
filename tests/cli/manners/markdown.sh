# Tables as Markdown: what reads them gets the figures of the JSON, whatever the names are.
cd "$FIXTURES"
assay top callgrind.out.demo -f markdown -n 3 -e Ir
assay tree demo.prof -f markdown --depth 2
assay cycles callgrind.out.demo -f markdown -n 1
assay top callgrind.out.before -f markdown --by part
assay info callgrind.out.before -f markdown
cd "$OLDPWD"
# Names are anybody's: they end no line, no cell and no code.
printf 'events: Ir\nfl=a|b`.c\nfn=a<b>&"c`|\033[2J\377%%\n1 10\ncfn=x\\|y\ncalls=1 1\n1 30\nfn=x\\|y\n1 30\n' > odd.cg
printf 'main|x;f`;g 30\nmain|x;f`;h 10\nmain|x;<b> 5\nz 1\n' > odd.folded
assay top odd.cg -f markdown --names full
python3 - "$FIXTURES" <<'END'
import json, re, subprocess, sys
fixtures = sys.argv[1]

def run(*args):
    return subprocess.run(['assay', *args], capture_output=True, text=True, check=True).stdout

def tables(text):
    """Tables as GitHub reads them: the cells of heads, whether they are numbers, rows of cells."""
    found = []
    for line in text.split('\n') + ['']:
        if not line.startswith('|'):
            found.append(None)
            continue
        assert line.endswith('|'), line
        cells = [c.strip() for c in re.split(r'(?<!\\)\|', line[1:-1])]
        if found and found[-1]:
            found[-1].append(cells)
        else:
            found.append([cells])
    for head, align, *rows in filter(None, found):
        assert all(re.fullmatch(r'---:?', a) for a in align), align
        for row in rows:
            assert len(row) == len(head) == len(align), (head, row)
        yield head, [a == '---:' for a in align], rows

def name(cell):
    """The name, where the cell has one."""
    code = re.search(r'`([^`]*)`', cell)
    return code and code.group(1).replace('\\|', '|')

def shown(text):
    return re.sub(r'[\x00-\x1f\x7f]', lambda m: '\\x%02x' % ord(m.group()), text).replace('`', "'")

def number(cell):
    return int(cell.replace(',', ''))

def check_cost(row, i, cost, total):
    assert number(row[i]) == cost, (row, i, cost)
    assert row[i + 1] == '%.1f' % (100 * cost / total + 1e-9), (row, cost, total)

compared = 0
odd = 'odd.cg', 'odd.folded', f'{fixtures}/callgrind.out.demo', f'{fixtures}/demo.symbolized.prof'
for path in odd:
    for rows in '0', '2':
        args = [path, '--names', 'full', '-n', rows]
        doc = json.loads(run('top', *args, '-f', 'json'))
        [(head, numbers, body)] = list(tables(run('top', *args, '-f', 'markdown')))[:1]
        total, event = doc['events'][0]['total'], doc['events'][0]['name']
        assert head[:2] == ['self ' + event, '%'] and head[-2:] == ['function', 'where'], head
        assert numbers == [True] * (len(head) - 2) + [False] * 2, numbers
        expected = doc['rows'] + ([doc['rest']] if doc['rest']['rows'] else [])
        assert len(body) == len(expected), (body, expected)
        for cells, row in zip(body, expected):
            check_cost(cells, 0, row['self'][0], total)
            at = head.index('incl ' + event) if row.get('inclusive') else None
            if at is not None and cells[at][0] == '≤':
                assert number(cells[at][1:]) == row['inclusive_at_most'][0], (cells, row)
            elif at is not None:
                check_cost(cells, at, row['inclusive'][0], total)
            if row.get('calls') is not None:
                assert number(cells[head.index('calls')]) == row['calls']
            if row.get('function'):
                assert name(cells[-2]) == shown(row['function']), (cells, row)
            compared += 1
        assert sum(number(cells[0]) for cells in body) == total
for path in odd:
    args = [path, '--names', 'full']
    doc = json.loads(run('tree', *args, '-f', 'json'))
    [(head, numbers, body)] = tables(run('tree', *args, '-f', 'markdown'))
    assert len(body) == len(doc['rows'])
    for cells, row in zip(body, doc['rows']):
        assert number(cells[0].lstrip('~')) == row['inclusive'][0], (cells, row)
        if row['kind'] == 'function' and row['function']:
            assert name(cells[-2]) == shown(row['function']), (cells, row)
        assert cells[-2].count('&nbsp;') == 2 * row['depth']
        compared += 1
for path, func in ('odd.cg', 'x\\|y'), (f'{fixtures}/callgrind.out.before', 'parse_header'):
    [of] = json.loads(run('peek', func, path, '--names', 'full', '-f', 'json'))['functions']
    [(head, numbers, body)] = tables(run('peek', func, path, '--names', 'full', '-f', 'markdown'))
    expected = of['callers'] + [of] + of['callees']
    assert [name(c[-2]) for c in body] == [shown(f['function']) for f in expected], body
    assert [number(c[0]) for c in body] == [f['inclusive'][0] for f in expected], body
    compared += len(body)
doc = json.loads(run('traces', 'odd.folded', '-f', 'json'))
[(head, numbers, body)] = tables(run('traces', 'odd.folded', '-f', 'markdown'))
assert [name(c[2]) for c in body] == [shown(f['function']) for p in doc['paths'] for f in p['frames']]
assert [number(c[0]) for c in body if c[0]] == [p['self'][0] for p in doc['paths']]
assert compared > 60, compared
END
for form in list asm check; do assay $form odd.cg -f markdown || echo "exit status $?"; done
