#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pprof's own golden files: what `--compat=pprof` prints is what pprof prints, to the byte; graphs (DOT) are
compared as graphs: nodes and edges with all that is said of them, but for the numbers of nodes.

cases.tsv says of each golden which input and which flags it is of; more goldens are told by their names.  Not there:
pprof.heap.flat.files.seconds.text, an empty table of flags that pprof no longer has.
"""
import tap
from dot_graph import same_graph
from tap import Run, contents, data_path, want

t = tap.Tap('pprof driver')
FOLDER = data_path('gperftools', 'pprof_driver')
ALWAYS = '-trim -compact_labels -nodecount=20 -nodefraction=0.05 -edgefraction=0.01 -unit=minimum -symbolize=none'
NAMED = [       # input, flags, golden: what cases.tsv leaves out
    ('driver_heap.pb.gz', '-text -inuse_objects -flat -all_frames', 'pprof.heap.flat.inuse_objects.text.all_frames'),
    ('driver_heap_request.pb.gz', '-tags -relative_percentages -tagfocus=400kb:', 'pprof.heap_request.relative_percentages.tags.focus'),
    ('driver_cpu.pb.gz', '-text -functions -flat -call_tree -nodecount=5', 'pprof.unknown.flat.functions.call_tree.text'),
    ('driver_heap_sizetags.pb.gz', '-dot', 'pprof.heap_sizetags.dot'),
    ('driver_heap_alloc.pb.gz', '-dot -alloc_space -flat -tagshow=[2]00', 'pprof.heap_alloc.flat.alloc_space.dot'),
    ('driver_heap_alloc.pb.gz', '-dot -alloc_space -flat -focus=[234]00', 'pprof.heap_alloc.flat.alloc_space.dot.focus'),
    ('driver_heap_alloc.pb.gz', '-dot -alloc_space -flat -hide=line.*1?23?', 'pprof.heap_alloc.flat.alloc_space.dot.hide'),
]

# pprof's flag (without a value), and our options; {} is the value
FLAGS = {
    'trim': ['--pprof-option', 'trim'],
    'compact_labels': ['--pprof-option', 'compact_labels'],
    'nodecount': ['--pprof-option', 'nodecount={}'],
    'nodefraction': ['--pprof-option', 'nodefraction={}'],
    'edgefraction': ['--pprof-option', 'edgefraction={}'],
    'unit': ['--pprof-option', 'unit={}'],
    'all_frames': ['--pprof-option', 'all_frames'],
    'call_tree': ['--pprof-option', 'call_tree'],
    'relative_percentages': ['--pprof-option', 'relative_percentages'],
    'symbolize': ['--symbols', '{}'],
    'flat': ['--pprof-option', 'sort=flat'],
    'cum': ['--pprof-option', 'sort=cum'],
    'noinlines': ['--inline', 'off'],
    'focus': ['--focus', '{}'],
    'ignore': ['--ignore', '{}'],
    'hide': ['--hide', '{}'],
    'show': ['--show', '{}'],
    'show_from': ['--show-from', '{}'],
    'tagfocus': ['--tagfocus', '{}'],
    'tagshow': ['--tagshow', '{}'],
    'tagignore': ['--tagignore', '{}'],
}
for word in ('functions', 'filefunctions', 'files', 'lines', 'addresses'):
    FLAGS[word] = ['--pprof-option', 'granularity=' + word]
for word in ('inuse_space', 'inuse_objects', 'alloc_space', 'alloc_objects'):
    FLAGS[word] = ['--pprof-option', 'sample_index=' + word]

# Kind of report, and the command that prints it: {} is the flag's value, FILE the input.
KINDS = {
    'text': ['top', 'FILE'],
    'tree': ['tree', 'FILE'],
    'peek': ['peek', '{}', 'FILE'],
    'traces': ['traces', 'FILE'],
    'tags': ['tags', 'FILE'],
    'comments': ['info', 'FILE'],
    'dot': ['graph', 'FILE'],
    'callgrind': ['convert', 'FILE'],
}
# A conversion says where to and as what, and never looks for names.
CONVERT = ['-q', '-t', 'callgrind', '-o', '-']


def split(flags):
    """pprof's command line as [(name, value)]"""
    return [tuple((word[1:] + '=').split('=', 1)) for word in flags.split()]


def fill(words, value):
    return [word.replace('{}', value) for word in words]


def translate(flags, path):
    """pprof's flags and input as a command line of assay."""
    command, options = None, []
    for name, value in split(flags):
        value = value[:-1] if value.endswith('=') else value
        if name in KINDS:
            command = [path if word == 'FILE' else word for word in fill(KINDS[name], value)]
        elif name == 'symbolize' and '-callgrind' in flags.split():
            options += CONVERT
        else:
            want(name in FLAGS, 'a flag of pprof that has no translation: -' + name)
            options += fill(FLAGS[name], value)
    want(command, 'no kind of report in ' + flags)
    return [command[0], '--compat', 'pprof'] + options + ['--'] + command[1:]


def same(name, flags, golden):
    args = translate(ALWAYS + ' ' + flags, data_path('gperftools', 'pprof_driver', name))
    run = Run(args)
    want(run.code == 0, 'status', run)
    theirs = contents(data_path('gperftools', 'pprof_driver', golden)).decode().split('\n')
    ours = run.out.decode(errors='replace').split('\n')
    if '-dot' in flags.split():
        return same_graph(theirs, ours, ' '.join(args))
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
    for case in list(cases()) + NAMED:
        t.add('%s: %s %s' % (case[2], case[0], case[1]), same, *case)
except FileNotFoundError:
    t.skip_all('no shared data')
t.run()
