#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/fleet/run_served.py FOLDER: a store for tests/page/served_test.mjs, whose npm packages are in FOLDER."""
import atexit
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'data')]
import clickhouse                                                     # noqa: E402
from tap import Scratch, assay, equal                                 # noqa: E402

HOSTILE = "it's\"></form><script>window.owned=1;alert(1)</script>&amp;%00"
if not clickhouse.installed():
    print('1..0 # SKIP there is no clickhouse-server')
    sys.exit(0)
SCRATCH = Scratch().__enter__()
ONE = clickhouse.Servers(1)
atexit.register(ONE.__exit__)
ONE.__enter__()
STORE = {'ASSAY_STORE': ONE.url(), 'ASSAY_STORE_USER': clickhouse.USER, 'ASSAY_STORE_PASSWORD': clickhouse.PASSWORD}


def ok(*words):
    got = assay(*words, env=STORE)
    equal(got.code, 0, got)


ok('store', 'init')
for n, (service, host, version, minute) in enumerate((
        ('api', 'web1', '1.4', 45), ('api', 'web2', '1.4', 46), ('api', 'web1', '1.5', 47), ('api', 'web2', '1.5', 48),
        ('web', 'web1', '1.4', 45), ('web', 'web2', '1.5', 46), ('web', 'web2', '1.4', 40), (HOSTILE, 'web1', '1.4', 45))):
    file = SCRATCH.file('%d.folded' % n, ''.join('main;%s_%s;f%d %d\n' % (service.split("'")[0], v, k, 10 * k + n * n + 1)
                                                  for k, v in enumerate(('parse', 'render', version, 'sort'))))
    ok('push', file, '--service', service, '--host', host, '--label', 'version=' + version, '--at', '2026-11-23T10:%d' % minute)
status = subprocess.run([HERE.parent / 'page/run.sh', sys.argv[1], 'served_test'], check=False,
                        env={**os.environ, **STORE, 'HOSTILE': HOSTILE, 'SERVER': str(ONE.server[0].process.pid)}).returncode
SCRATCH.__exit__(None, None, None)
sys.exit(status)
