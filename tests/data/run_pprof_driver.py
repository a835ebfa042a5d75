#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pprof's own golden files of samples, labels and comments: what `--compat=pprof` prints is what pprof prints, to the byte.

cases.tsv says of each golden which input and which flags it is of.  Those of tables and graphs were made with fractions that assay
has no options for; tables are compared with the pprof that is here (interop/run_compat.py).
"""
import tap
from tap import Run, contents, data_path, want

t = tap.Tap('pprof driver')
FOLDER = data_path('gperftools', 'pprof_driver')
ALWAYS = '-trim -compact_labels -nodecount=20 -nodefraction=0.05 -edgefraction=0.01 -unit=minimum -symbolize=none'
NAMED = [       # input, flags, golden: what cases.tsv leaves out
    ('driver_heap_request.pb.gz', '-tags -relative_percentages -tagfocus=400kb:', 'pprof.heap_request.relative_percentages.tags.focus'),
]

# pprof's flag (without a value), and our options; {} is the value. Some make no difference to these kinds of reports.
FLAGS = {name: [] for name in ('trim', 'compact_labels', 'nodecount', 'nodefraction', 'edgefraction', 'flat', 'cum', 'functions')}
FLAGS.update({
    'unit': ['--unit', '{}'],
    'relative_percentages': ['--relative'],
    'symbolize': ['--symbols', '{}'],
    'noinlines': ['--inline', 'off'],
    'focus': ['--focus', '{}'],
    'ignore': ['--ignore', '{}'],
    'hide': ['--hide', '{}'],
    'show': ['--show', '{}'],
    'show_from': ['--show-from', '{}'],
    'tagfocus': ['--tagfocus', '{}'],
    'tagshow': ['--tagshow', '{}'],
    'tagignore': ['--tagignore', '{}'],
})
for word in ('inuse_space', 'inuse_objects', 'alloc_space', 'alloc_objects'):
    FLAGS[word] = ['--event', word]

# Kind of report, and the command that prints it.
KINDS = {'traces': 'traces', 'tags': 'tags', 'comments': 'info'}


def split(flags):
    """pprof's command line as [(name, value)]"""
    return [tuple((word[1:] + '=').split('=', 1)) for word in flags.split()]


def fill(words, value):
    return [word.replace('{}', value) for word in words]


def kind_of(flags):
    return next((KINDS[name] for name, _ in split(flags) if name in KINDS), None)


def translate(flags, path):
    """pprof's flags and input as a command line of assay."""
    command, options = kind_of(flags), []
    for name, value in split(flags):
        if name not in KINDS and (name != 'unit' or command != 'info'):
            want(name in FLAGS, 'a flag of pprof that has no translation: -' + name)
            options += fill(FLAGS[name], value[:-1] if value.endswith('=') else value)
    return [command, '--compat', 'pprof'] + options + ['--', path]


def same(name, flags, golden):
    args = translate(ALWAYS + ' ' + flags, data_path('gperftools', 'pprof_driver', name))
    run = Run(args)
    want(run.code == 0, 'status', run)
    theirs = contents(data_path('gperftools', 'pprof_driver', golden)).decode().split('\n')
    ours = run.out.decode(errors='replace').split('\n')
    for i, (a, b) in enumerate(zip(theirs + [None] * len(ours), ours + [None] * len(theirs))):
        if a != b:
            want(False, 'line %d of `assay %s`' % (i + 1, ' '.join(args)), 'pprof: %r' % a, 'assay: %r' % b)
    return None


def cases():
    with open(data_path('gperftools', 'pprof_driver', 'cases.tsv'), encoding='utf-8') as f:
        for line in f:
            if not line.startswith('#'):
                yield tuple(line.split('\t')[:3])
            else:
                want(ALWAYS in line, 'cases.tsv names other flags that every case has', line)


try:
    for case in [c for c in cases() if kind_of(c[1]) and '-addresses' not in c[1].split()] + NAMED:
        t.add('%s: %s %s' % (case[2], case[0], case[1]), same, *case)
except FileNotFoundError:
    t.skip_all('no shared data')
t.run()
