#!/usr/bin/env python3
"""A gperftools profile of a program that never ran: a sample at every byte of some of its functions.

make_prof.py PROGRAM OUT FUNCTION...    each sample is called by the first byte of main
"""
import os
import struct
import subprocess
import sys

BASE = 0x555500000000


def segments(data):
    """(offset, size, vaddr) of the executable segments"""
    at, = struct.unpack_from('<Q', data, 32)
    size, n = struct.unpack_from('<HH', data, 54)
    for i in range(n):
        kind, flags, offset, vaddr, _, filesz = struct.unpack_from('<IIQQQQ', data, at + i * size)
        if kind == 1 and flags & 1:
            yield offset, filesz, vaddr


def main():
    program, out, *functions = sys.argv[1:]
    with open(program, 'rb') as f:
        (offset, size, vaddr), = segments(f.read())
    nm = subprocess.run(['nm', '-S', program], capture_output=True, text=True, check=True).stdout
    symbol = {w[3]: (int(w[0], 16), int(w[1], 16)) for w in (line.split() for line in nm.splitlines()) if len(w) == 4}

    def run_time(address):
        return address - vaddr + offset + BASE

    words = [0, 3, 0, 10000, 0]
    for name in functions:
        start, length = symbol[name]
        for address in range(start, start + length):
            words += [1, 2, run_time(address), run_time(symbol['main'][0]) + 1]
    words += [0, 1, 0]
    begin, end = offset // 4096 * 4096, (offset + size + 4095) // 4096 * 4096
    line = f'{BASE + begin:x}-{BASE + end:x} r-xp {begin:08x} 08:01 1234   {os.path.abspath(program)}\n'
    with open(out, 'wb') as f:
        f.write(struct.pack(f'<{len(words)}Q', *words) + line.encode())


main()
