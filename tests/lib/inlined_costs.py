#!/usr/bin/env python3
"""What `assay asm` and `assay list` must say about code with inlined calls, told by objdump and addr2line.

inlined_costs.py PROGRAM FUNCTION INLINED    profiles of all three shapes, a cost at each instruction of FUNCTION, into
which INLINED was inlined; prints a line for each comparison
"""
import json
import os
import re
import struct
import subprocess
import sys

BASE = 0x555500000000
HEADER = [('version', 'pdb-0.07'), ('image', 'abc'), ('epoch', '9612042334'), ('platform', 'x'), ('event', 'cycles'),
          ('period', '63488'), ('tstart', '0'), ('tsize', '8388608'), ('cpuspeed', '333')]


def run(*args, stdin=''):
    return subprocess.run(args, capture_output=True, text=True, check=True, input=stdin).stdout


def dcpi(path, program, cost):
    header = ''.join('%-21s%s\n' % row for row in HEADER + [('path', program)])
    header += 'samples' + ' ' * (-(len(header) + 8) % 4) + '\n'
    body = b''.join(struct.pack('<3I', a, 1, v) for a, v in cost.items()) + struct.pack('<2I', len(cost), sum(cost.values()))
    with open(path, 'wb') as f:
        f.write(header.encode() + body)


def gperftools(path, program, cost, main):
    with open(program, 'rb') as f:
        data = f.read()
    at, = struct.unpack_from('<Q', data, 32)
    size, n = struct.unpack_from('<HH', data, 54)
    heads = [struct.unpack_from('<IIQQQQ', data, at + i * size) for i in range(n)]
    (_, _, offset, vaddr, _, filesz), = [h for h in heads if h[0] == 1 and h[1] & 1]
    words = [0, 3, 0, 10000, 0]
    for address, value in cost.items():
        words += [value, 2, address - vaddr + offset + BASE, main - vaddr + offset + BASE + 1]
    words += [0, 1, 0]
    begin, end = offset // 4096 * 4096, (offset + filesz + 4095) // 4096 * 4096
    line = f'{BASE + begin:x}-{BASE + end:x} r-xp {begin:08x} 08:01 1234   {program}\n'
    with open(path, 'wb') as f:
        f.write(struct.pack(f'<{len(words)}Q', *words) + line.encode())


def callgrind(path, program, cost, places, function):
    with open(path, 'w') as f:
        f.write(f'# callgrind format\npositions: instr line\nevents: Ir\nob={program}\nfl=named.c\nfn={function}\n')
        for address, value in cost.items():
            f.write(f'0x{address:x} {places[address][0][1]} {value}\n')


def answer(command, function, path):
    p = subprocess.run(['assay', command, function, path, '-f', 'json', '--symbols', 'auto', '--no-symbol-cache'],
                       capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    return json.loads(p.stdout)


def total(rows, pick=lambda row: True):
    return sum(row['self'][0] for row in rows if row['self'] and pick(row))


def compare(what, got, want):
    print(f'{what}: ' + ('as it must be' if got == want else f'{got}, not {want}'))


def check_asm(path, function, cost, names):
    """Costs and names of instructions; FUNCTION's are those whose chain of names, innermost first, has it."""
    j = answer('asm', function, path)
    rows, own = j['instructions'], {a: v for a, v in cost.items() if function in names[a]}
    head = j['functions'][0]
    compare(f'{path} {function} rows', {int(r['address'], 16): r['self'][0] for r in rows if r['self']}, own)
    compare(f'{path} {function} functions', {int(r['address'], 16): r['function'] for r in rows},
            {a: names[a][0] for a in names if function in names[a]})
    compare(f'{path} {function} self', head['self'][0], sum(v for a, v in own.items() if names[a][0] == function))
    compare(f'{path} {function} self of its rows', total(rows, lambda r: r['function'] == function), head['self'][0])
    compare(f'{path} {function} with inlined', head['with_inlined'][0], sum(own.values()))


def check_list(path, function, cost, places):
    j = answer('list', function, path)
    want = {}
    for address, value in cost.items():
        chain = [name for name, _ in places[address]]
        if function in chain:
            lines = places[address][:chain.index(function) + 1]
            key = tuple(reversed(lines))
            want[key] = want.get(key, 0) + value
    got, stack = {}, []
    for row in j['lines']:
        stack[row['depth']:] = [(row['function'], row['line'] or 0)]
        if row['self'][0]:
            got[tuple(stack)] = row['self'][0]
    compare(f'{path} {function} lines', got, want)
    outer = [r for r in j['lines'] if not r['depth']]
    compare(f'{path} {function} inclusive', sum(r['inclusive'][0] for r in outer), sum(want.values()))
    compare(f'{path} {function} self', total(outer), j['functions'][0]['self'][0])


def main():
    program, function, inlined = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    listing = run('objdump', '-d', '--no-show-raw-insn', program)
    code = re.search(r'<%s>:\n(.*?)(?:\n\n|$)' % function, listing, re.S).group(1)
    address = [int(a, 16) for a in re.findall(r'^\s*([0-9a-f]+):\t', code, re.M)]
    start = int(re.search(r'^([0-9a-f]+) <main>:', listing, re.M).group(1), 16)
    cost = {a: i * 7 % 13 + 1 for i, a in enumerate(address) if i % 4 != 1}
    places = {}
    for a in address:
        text = run('addr2line', '-f', '-i', '-e', program, hex(a)).split('\n')
        places[a] = [(name, int((re.search(r':(\d+)', where) or [0, 0])[1])) for name, where in zip(text[::2], text[1::2])]
    names = {a: [name for name, _ in places[a]] for a in places}
    assert any(inlined in n for n in names.values()) and any(inlined not in n for n in names.values())
    dcpi('p.dcpi', program, cost)
    gperftools('p.prof', program, cost, start)
    callgrind('p.callgrind', program, cost, places, function)
    for path in 'p.dcpi', 'p.prof':
        for name in function, inlined:
            check_asm(path, name, cost, names)
            check_list(path, name, cost, places)
    j = answer('asm', function, 'p.callgrind')
    head = j['functions'][0]
    compare('p.callgrind', [head['self'][0], head['with_inlined'][0], total(j['instructions'])], [sum(cost.values())] * 3)


main()
