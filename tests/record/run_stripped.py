#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program whose symbols were stripped, recorded: one row for each function, called by where it begins.

Where the functions begin says nm, of the program before it was stripped; what each costs says the same profile, shown
with that program. Environment: ASSAY, SCENES.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, assay, equal, want  # noqa: E402

SCENES = os.environ.get('SCENES')
ASK = ('-n', '0', '-f', 'json', '--inline', 'off', '--no-symbol-cache', '--symbols', 'auto')
t = tap.Tap('stripped')


def rows_of(profile, program, *args):
    """(function or address) -> [self, inclusive] of the program's code"""
    r = assay('top', profile, *ASK, *args)
    equal(r.code, 0, 'status of top: %s' % r.err)
    out = {}
    for row in r.json()['rows']:
        if os.path.basename(row['object'] or '') != program:
            continue
        key = re.sub(r'\.cold.*', '', row['function']) if row['function'] else int(row['address'], 16)
        have = out.setdefault(key, [0, 0])
        have[0] += row['self'][0]
        have[1] += row['inclusive'][0]
    return out


@t('each row is a function of the program, and costs what it costs with its name')
def _():
    with Scratch() as s:
        os.mkdir(s.name('whole'))
        stripped, whole, profile = s.name('scene'), s.name('whole/scene'), s.name('run.prof')
        shutil.copy(SCENES, whole)
        subprocess.run(['strip', '-o', stripped, whole], check=True)
        r = assay('record', '-q', '--no-show', '-o', profile, '--', stripped, 'calibrated', '1500')
        equal(r.code, 0, 'status of record: %s' % r.err)
        symbols = subprocess.run(['nm', whole], check=True, capture_output=True, text=True).stdout
        starts = {int(a, 16): re.sub(r'\.cold.*', '', name) for a, name in re.findall(r'^([0-9a-f]+) [tTwW] (\S+)$', symbols, re.M)}
        got, named = rows_of(profile, 'scene'), rows_of(profile, 'scene', '--binary', whole)
        want(sum(v[0] for v in named.values()) > 100, 'hardly a sample: %s' % named)
        want(all(isinstance(k, int) for k in got), 'a name in a stripped program: %s' % got)
        equal({hex(k) for k in got} - {hex(k) for k in starts}, set(), 'rows that are no function')
        equal({starts[k]: v[0] for k, v in got.items() if v[0]}, {k: v[0] for k, v in named.items() if v[0]}, 'self cost')
        equal({starts[k]: v[1] for k, v in got.items() if '.cold' not in starts[k]}, {k: v[1] for k, v in named.items()},
              'inclusive cost')
        info = assay('info', profile, '-f', 'json', '--symbols', 'auto').json()['symbols']
        mine = next(o for o in info['objects'] if o['object'].endswith('/scene'))
        equal((mine['addresses_named'], mine['addresses_in_functions']), (0, mine['addresses']), 'addresses')
        equal(mine['self_nameless_functions'], mine['self'], 'cost in functions without symbols')
        equal(mine['self'], sum(v[0] for v in got.values()), 'cost of the program')


if not SCENES or not shutil.which('strip') or not shutil.which('nm'):
    t.skip_all('no SCENES, or no binutils')
t.run()
