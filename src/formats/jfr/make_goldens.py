#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the inputs in golden/: an encoder of its own, so that what it writes does not depend on assay's."""
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent / 'golden'
FIXED = False       # numbers of a fixed width instead of seven bits a byte


def num(v, width=8):
    v &= (1 << 64) - 1
    if FIXED:
        return (v & ((1 << 8 * width) - 1)).to_bytes(width, 'big')
    out = b''
    for _ in range(8):
        if v < 0x80:
            return out + bytes([v])
        out += bytes([v & 0x7f | 0x80])
        v >>= 7
    return out + bytes([v])


def long(v):
    return num(v)


def int_(v):
    return num(v & 0xffffffff, 4)


def text(s, how=3):
    if s is None:
        return b'\0'
    if isinstance(s, int):      # of the pool of texts
        return b'\2' + long(s)
    if s == '' and how == 3:
        return b'\1'
    if how == 4:
        units = struct.unpack('>%dH' % (len(s.encode('utf-16-be')) // 2), s.encode('utf-16-be'))
        return b'\4' + int_(len(units)) + b''.join(num(u, 2) for u in units)
    data = s.encode('latin-1' if how == 5 else 'utf-8')
    return bytes([how]) + int_(len(data)) + data


def event(kind, *fields):
    """Its size counts itself; it may take more bytes than it needs."""
    body = long(kind) + b''.join(fields)
    if FIXED:
        return (len(body) + 4).to_bytes(4, 'big') + body
    n = len(body) + 4
    return bytes([n & 0x7f | 0x80, n >> 7 & 0x7f | 0x80, n >> 14 & 0x7f | 0x80, n >> 21]) + body


# --- types -------------------------------------------------------------------------------------------------------

BASIC = {'boolean': 1, 'byte': 2, 'char': 3, 'short': 4, 'int': 5, 'long': 6, 'float': 7, 'double': 8, 'java.lang.String': 9,
         'jdk.jfr.Timespan': 10, 'jdk.jfr.DataAmount': 11, 'jdk.jfr.Unsigned': 12, 'jdk.jfr.Timestamp': 13}
THREAD, STACK, FRAME, METHOD, CLASS, SYMBOL, STATE, TYPE = range(20, 28)
SAMPLE, NATIVE, TLAB, LOCK, SETTING, LOSS, JVM, ODD, WALL, CPU, LOST, GC, PAUSE = range(101, 114)

# A field: (name, class, *what): 'pool', 'array', and annotations 'Timespan=TICKS'
CLASSES = [
    *((name, id_, []) for name, id_ in BASIC.items()),
    ('java.lang.Thread', THREAD, [('osName', 'java.lang.String'), ('osThreadId', 'long'), ('javaName', 'java.lang.String'),
                                  ('javaThreadId', 'long'), ('virtual', 'boolean')]),
    ('jdk.types.StackTrace', STACK, [('truncated', 'boolean'), ('frames', FRAME, 'array')]),
    ('jdk.types.StackFrame', FRAME, [('method', METHOD, 'pool'), ('lineNumber', 'int'), ('bytecodeIndex', 'int'),
                                     ('type', TYPE, 'pool')]),
    ('jdk.types.Method', METHOD, [('type', CLASS, 'pool'), ('name', SYMBOL, 'pool'), ('descriptor', SYMBOL, 'pool'),
                                  ('modifiers', 'int'), ('hidden', 'boolean')]),
    ('java.lang.Class', CLASS, [('classLoader', CLASS, 'pool'), ('name', SYMBOL, 'pool'), ('modifiers', 'int')]),
    ('jdk.types.Symbol', SYMBOL, [('string', 'java.lang.String')]),
    ('jdk.types.ThreadState', STATE, [('name', 'java.lang.String')]),
    ('jdk.types.FrameType', TYPE, [('description', 'java.lang.String')]),
]
SAMPLED = [('startTime', 'long', 'Timestamp=TICKS'), ('sampledThread', THREAD, 'pool'), ('stackTrace', STACK, 'pool'),
           ('state', STATE, 'pool')]
TIMED = [('startTime', 'long', 'Timestamp=TICKS'), ('duration', 'long', 'Timespan=TICKS'), ('eventThread', THREAD, 'pool'),
         ('stackTrace', STACK, 'pool')]
EVENTS = [
    ('jdk.ExecutionSample', SAMPLE, SAMPLED),
    ('jdk.NativeMethodSample', NATIVE, SAMPLED),
    ('jdk.ObjectAllocationInNewTLAB', TLAB, [SAMPLED[0], ('eventThread', THREAD, 'pool'), SAMPLED[2],
                                             ('allocationSize', 'long', 'Unsigned', 'DataAmount=BYTES'),
                                             ('tlabSize', 'long', 'Unsigned', 'DataAmount=BYTES')]),
    ('jdk.JavaMonitorEnter', LOCK, TIMED + [('timeout', 'long', 'Timespan=MILLISECONDS')]),
    ('jdk.ActiveSetting', SETTING, TIMED + [('id', 'long'), ('name', 'java.lang.String'), ('value', 'java.lang.String')]),
    ('jdk.DataLoss', LOSS, [SAMPLED[0], ('amount', 'long', 'DataAmount=BYTES'), ('total', 'long', 'DataAmount=BYTES')]),
    ('jdk.JVMInformation', JVM, [SAMPLED[0], ('jvmArguments', 'java.lang.String'), ('javaArguments', 'java.lang.String'),
                                 ('pid', 'long')]),
    # nothing that we know: every form of a field, every unit of time; seconds is an array, so no weight
    ('app.Odd', ODD, [('stackTrace', STACK, 'pool'), ('micros', 'int', 'Timespan=MICROSECONDS'), ('millis', 'short', 'Timespan=MILLISECONDS'),
                      ('seconds', 'byte', 'Timespan=SECONDS'), ('nanos', 'long', 'Timespan=NANOSECONDS'), ('bits', 'char', 'DataAmount=BITS'),
                      ('flag', 'boolean'), ('half', 'float'), ('whole', 'double'), ('names', 'java.lang.String', 'array'),
                      ('threads', THREAD, 'pool', 'array'), ('own', SYMBOL), ('weight', 'int'), ('ticks', 'long', 'Timespan=TICKS')]),
    ('profiler.WallClockSample', WALL, SAMPLED + [('samples', 'int', 'Unsigned')]),
    ('jdk.CPUTimeSample', CPU, TIMED[:1] + [SAMPLED[2], ('eventThread', THREAD, 'pool'), ('failed', 'boolean'),
                                            ('samplingPeriod', 'long', 'Timespan=TICKS'), ('biased', 'boolean')]),
    ('jdk.CPUTimeSamplesLost', LOST, TIMED[:1] + [('lostSamples', 'int'), ('eventThread', THREAD, 'pool')]),
]


def metadata(classes, how=3):
    strings = []

    def at(s):
        if s not in strings:
            strings.append(s)
        return int_(strings.index(s))

    def element(tag, attributes, children):
        return (at(tag) + int_(len(attributes)) + b''.join(at(k) + at(str(v)) for k, v in attributes.items())
                + int_(len(children)) + b''.join(children))

    def field(name, of, *what):
        attributes = {'name': name, 'class': BASIC.get(of, of)}
        if 'pool' in what:
            attributes['constantPool'] = 'true'
        if 'array' in what:
            attributes['dimension'] = 1
        notes = []
        for note in what:
            kind, _, value = note.partition('=')
            if kind not in ('pool', 'array'):
                notes.append(element('annotation', {'class': BASIC['jdk.jfr.' + kind], **({'value': value} if value else {})}, []))
        return element('field', attributes, notes)

    types = [element('class', {'name': name, 'id': id_}, [field(*f) for f in fields]) for name, id_, fields in classes]
    tree = element('root', {}, [element('metadata', {}, types), element('region', {'locale': 'en_US'}, [])])
    return event(0, long(0), long(0), long(1), int_(len(strings)), *(text(s, how) for s in strings), tree)


# --- a program -----------------------------------------------------------------------------------------------------

SYMBOLS = {1: 'app/Main', 2: 'run', 3: '()V', 4: 'work', 5: '(I)I', 6: 'app/Main$$Lambda$7+0x00007f0011223344/12345', 7: 'libc.so.6', 8: 'read',
           9: '()L;', 10: 'java/io/File', 11: 'readBytes', 12: 'sys_read', 13: '', 14: 'java/lang/invoke/LambdaForm$MH.0x0000000800c03000', 15: 'w'}
CLASS_NAMES = {1: 1, 2: 6, 3: 7, 4: 10, 5: 13, 6: 14}
METHODS = {1: (1, 2, 3), 2: (1, 4, 5), 3: (2, 2, 3), 4: (3, 8, 9), 5: (4, 11, 5), 6: (5, 12, 9), 7: (1, 4, 3), 8: (6, 15, 3), 9: (3, 13, 9)}
TYPES = {1: 'Interpreted', 2: 'JIT compiled', 3: 'Inlined', 4: 'Native', 5: 'Kernel'}
STATES = {1: 'STATE_RUNNABLE', 2: 'STATE_SLEEPING'}
# number: (truncated, [(method, line, type)]), leaf first
STACKS = {1: (0, [(2, 20, 3), (1, 10, 2)]), 2: (0, [(7, 21, 1), (1, 11, 2)]), 3: (0, [(6, 0, 5), (4, -1, 4), (5, 99, 4), (3, 1, 1)]),
          4: (1, [(2, 20, 1), (2, 20, 1)]), 5: (0, [(8, 0, 1), (9, 0, 4)]), 6: (0, [])}
THREADS = {1: ('main', 4711, 'main', 1, 0), 2: ('worker', 4712, None, 0, 0), 3: ('', 4711, '', 30, 1)}


def symbols(how=3, only=None):
    return {k: text(v, how) for k, v in SYMBOLS.items() if only is None or k in only}


def pools(**change):
    out = {SYMBOL: symbols(), CLASS: {k: long(0) + long(v) + int_(1) for k, v in CLASS_NAMES.items()},
           METHOD: {k: b''.join(long(x) for x in v) + int_(9) + b'\0' for k, v in METHODS.items()},
           TYPE: {k: text(v) for k, v in TYPES.items()}, STATE: {k: text(v) for k, v in STATES.items()},
           THREAD: {k: text(a) + long(b) + text(c) + long(d) + bytes([e]) for k, (a, b, c, d, e) in THREADS.items()},
           STACK: {k: bytes([t]) + int_(len(f)) + b''.join(long(m) + int_(line) + int_(3) + long(y) for m, line, y in f)
                   for k, (t, f) in STACKS.items()}}
    out.update({globals()[k]: v for k, v in change.items()})
    return out


def checkpoint(values, delta=0):
    return event(1, long(0), long(0), long(delta), b'\0', int_(len(values)),
                 *(long(id_) + int_(len(pool)) + b''.join(long(k) + v for k, v in pool.items()) for id_, pool in values.items()))


def sample(kind, stack, thread=1, state=1, more=b''):
    return event(kind, long(1000), long(thread), long(stack), long(state), more)


def lock(stack, duration, thread=1):
    return event(LOCK, long(1000), long(duration), long(thread), long(stack), long(5000))


def tlab(stack, size, tlab_size, thread=1):
    return event(TLAB, long(1000), long(thread), long(stack), long(size), long(tlab_size))


def setting(id_, name, value):
    return event(SETTING, long(0), long(0), long(0), long(0), long(id_), text(name), text(value))


def header(size, at_checkpoint, at_metadata, version=(2, 1), generation=0, flags=None, ticks=1000000, start=1700000000 * 10**9):
    flags = (0 if FIXED else 1) if flags is None else flags
    return b'FLR\0' + struct.pack('>HHQQQQQQQBBH', *version, size, at_checkpoint, at_metadata, start, 2 * 10**9, 500, ticks, generation, 0, flags)


def chunk(events, values=None, classes=None, meta=None, **head):
    """Events, then types, then pools, as the JDK has them."""
    body = b''.join(events)
    meta = metadata(classes or CLASSES + EVENTS) if meta is None else meta
    point = checkpoint(values or pools())
    at = 68 + len(body)
    size = at + len(meta) + len(point)
    return header(head.pop('size', size), head.pop('checkpoint', at + len(meta)), head.pop('meta_at', at), **head) + body + meta + point


SOME = [sample(SAMPLE, 1), sample(SAMPLE, 1), sample(SAMPLE, 2), sample(SAMPLE, 1, 2), sample(NATIVE, 3, 2, 2),
        tlab(1, 16, 2048), tlab(2, 24, 4096), lock(2, 1500), lock(2, 7, 2)]
ODD_EVENT = event(ODD, long(1), int_(7), num(-3, 2), b'\2', long(11), num(9, 2), b'\1', b'\0' * 4, b'\0' * 8, int_(2) + text('a') + text(None),
                  int_(1) + long(1), text('x'), int_(5), long(-3))


def fixed():
    global FIXED, SOME
    FIXED = True
    events = [sample(SAMPLE, 1), sample(SAMPLE, 4), lock(2, 1500), tlab(1, 16, 1 << 40)]
    out = chunk(events)
    FIXED = False
    return out


def cut_behind(n):
    data = chunk(SOME)
    return data[:len(data) - n]


def half_written():
    """As async-profiler leaves it when it is killed: the size of the header is a guess, types come first, and there are no pools."""
    meta = metadata(CLASSES + EVENTS)
    return header(1 << 30, 0, 0, generation=0) + meta + b''.join(SOME) + SOME[0][:-3]


def flushed():
    """As the JDK leaves it: all is there up to the last flush, and then some events more, and one that is cut."""
    return chunk(SOME, generation=4) + SOME[0] + SOME[2] + SOME[0][:5]


def chained():
    """Pools in two checkpoints, behind an event of size 0; the newer value holds."""
    body = b''.join(SOME[:2])
    meta = metadata(CLASSES + EVENTS)
    bad = b'\0\0\0\0'
    values = pools()
    first = checkpoint({**values, SYMBOL: {**symbols(), 4: text('old')}})
    second = checkpoint({SYMBOL: {4: text('work')}}, -len(first))
    at = 68 + len(meta) + len(body) + len(bad) + len(first)
    return header(at + len(second), at, 68) + meta + body + bad + first + second


SELF = ('app.Self', 200, [('stackTrace', STACK, 'pool'), ('inner', 200)])
# without a thread, named by a pool; and with one, named by a text
PAUSES = [('jdk.GarbageCollection', GC, [*TIMED[:2], ('gcId', 'int', 'Unsigned'), ('name', SYMBOL, 'pool'),
                                         ('sumOfPauses', 'long', 'Timespan=TICKS')]),
          ('jdk.GCPhasePause', PAUSE, [*TIMED[:3], ('gcId', 'int', 'Unsigned'), ('name', 'java.lang.String')])]
GROUP = ('jdk.types.Group', 201, [('parents', 201, 'array'), ('name', 'java.lang.String')])
DEEP = b'\1' * 100 + b'\0' + text('g') * 101

FILES = {
    'all_events': chunk(SOME + [sample(WALL, 3, 2, 2, int_(25)), sample(WALL, 1, 1, 1, int_(1)), event(CPU, long(9), long(1), long(1), b'\0', long(10), b'\0'),
                                event(CPU, long(9), long(0), long(1), b'\1', long(10), b'\0'), ODD_EVENT, setting(SAMPLE, 'period', '10 ms'),
                                setting(SAMPLE, 'enabled', 'true'), setting(LOSS, 'threshold', '1 ms'),
                                event(JVM, long(5), text('-Dpassword=secret'), text('app.Main --token secret'), long(321))]),
    'texts': chunk([sample(SAMPLE, 1), sample(SAMPLE, 3, 2)], {
        **pools(SYMBOL={**symbols(4, (1, 2)), **symbols(5, (3, 4, 5)), **symbols(3, range(6, 16)), 2: text('r\U0001f600n\u00e9', 4), 4: text('w\u00e4rk', 5),
                        11: text(77), 12: text(78)}), BASIC['java.lang.String']: {77: text('pooled'), 78: text(77)}},
        meta=metadata(CLASSES + EVENTS, 5)),
    'fixed_width': fixed(),
    'two_chunks': chunk(SOME) + chunk([sample(SAMPLE, 2), lock(2, 2500)], start=1700000001 * 10**9, ticks=1000),
    # types have other ids, and stand first
    'two_writers': chunk(SOME, version=(2, 0)) + chunk(
        [event(7, long(9), long(1), long(1), long(1))], classes=CLASSES + [('jdk.ExecutionSample', 7, SAMPLED)], start=1699999999 * 10**9),
    'old_names': chunk([sample(SAMPLE, 1)], version=(1, 0), classes=[(n.replace('jdk.types', 'com.oracle.jfr.types'), i, f) for n, i, f in CLASSES]
                       + [('com.oracle.jdk.ExecutionSample', SAMPLE, SAMPLED)]),
    'hidden': chunk([sample(SAMPLE, 5), sample(SAMPLE, 3), sample(SAMPLE, 1, 3)]),
    'truncated_stack': chunk([sample(SAMPLE, 4), sample(SAMPLE, 6), sample(SAMPLE, 0)]),
    'lost': chunk(SOME[:1] + [event(LOSS, long(1), long(100), long(100)), event(LOSS, long(2), long(28), long(128)),
                              event(LOST, long(1), int_(12), long(1))]),
    'missing': chunk([sample(SAMPLE, 99), sample(SAMPLE, 1, 98, 97), sample(SAMPLE, 2)], pools(SYMBOL=symbols(3, (1, 3, 4)))),
    'pauses': chunk([event(GC, long(1500), long(2000), int_(1), long(4), long(2000)), event(PAUSE, long(1700), long(300), long(2), int_(1), text('GC Pause')),
                     event(PAUSE, long(2700), long(400), long(2), int_(2), text('GC Pause')), event(GC, long(5500), long(0), int_(2), long(99), long(0)),
                     event(PAUSE, long(1700)), SOME[0]], classes=CLASSES + EVENTS + PAUSES),
    'no_ticks': chunk([lock(1, 5000)], ticks=0),
    'odd_ticks': chunk([lock(1, 5000)], flags=5),
    'flushed': flushed(),
    'half_written': half_written(),
    'cut_in_pools': cut_behind(60),
    'cut_in_types': chunk(SOME)[:400],
    'cut_in_header': chunk(SOME) + b'FLR\0\0\2',
    'other_behind': chunk(SOME) + b'something else, of more bytes than the header of a chunk has; it has sixty-eight of them',
    'meta_elsewhere': chunk(SOME, meta_at=70),
    'no_types': header(68 + len(SOME[0]), 68, 68) + SOME[0],
    'short_event': chunk([event(LOCK, long(1000), long(7)), SOME[0], event(SETTING, long(0))]),
    'chained': chained(),
    'damaged_pool': chunk(SOME[:1], pools(STATE={1: b'\x09'})),
    'thread_is_text': chunk(SOME[:1], {**{k: v for k, v in pools().items() if k != THREAD}, THREAD: {1: text('main')}},
                            classes=[('java.lang.String' if c[1] == THREAD else c[0], *c[1:]) for c in CLASSES] + EVENTS),
    'holds_itself': chunk([event(200, long(1)), SOME[0]], {**pools(), 201: {1: DEEP}}, classes=CLASSES + EVENTS + [SELF, GROUP]),
    'no_samples': chunk([setting(SAMPLE, 'period', '10 ms')]),
    'version_0': chunk(SOME, version=(0, 9)),
    'version_3': chunk(SOME, version=(3, 0)),
    'only_magic': b'FLR\0\0\2\0\1',
}

for name, data in FILES.items():
    (HERE / f'{name}.jfr').write_bytes(data)
