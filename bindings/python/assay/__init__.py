# SPDX-License-Identifier: Apache-2.0
"""assay: CPU profiles of thirty formats as columns, trees, comparisons and other formats.

    import assay
    prof = assay.open('callgrind.out.1234')
    top = prof.top()
    for row in top.rows():
        print(row['self'], row['name'])

Costs are exact integers in the event's own unit (`Profile.events` says which: instructions, "nanoseconds", "bytes" ...).
A column of numbers is a read-only memoryview that numpy and pandas take without a copy; where a number is unknown, or has
more than 64 bits, the column is a list of int and None instead, so that no figure is ever rounded or cut.

Profiles never change, and many threads may use one; the GIL is released while the library works.
"""
import os
from collections import abc
from typing import (Any, BinaryIO, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union)

from . import _assay
from ._errors import (ArgumentError, Error, FormatError, LimitError, NotProfileError, SystemCallError, TruncatedError,
                      UnsupportedError)

__version__ = _assay.version

__all__ = ['ArgumentError', 'Converted', 'Error', 'Event', 'Finding', 'Format', 'FormatError', 'LimitError', 'Loss', 'NotProfileError',
           'Profile', 'Symbols', 'SystemCallError', 'Table', 'TruncatedError', 'UnsupportedError', 'diff', 'formats', 'merge', 'open']

Path = Union[str, bytes, 'os.PathLike[str]', 'os.PathLike[bytes]']
Column = Union[memoryview, List[Any]]

_DETAIL = {'full': 0, 'line': 1, 'function': 2}
_BY = {name: i for i, name in enumerate(('function', 'file', 'object', 'line', 'address', 'filefunction', 'part', 'thread', 'label'))}
_WAY = {'callees': 0, 'callers': 1, 'bottom-up': 2}
_NORM = {'auto': 0, 'none': 1, 'total': 2, 'time': 3}
_SEVERITY = ('info', 'warning', 'error')
_SHAPES = ('places', 'calls', 'paths')
_ALL = 2**32 - 1  # threads: as many as there are processors


class Event(NamedTuple):
    """What is counted. A count of 1 stands for `period` `period_unit`s where a source says so, else period is 0."""
    name: str
    unit: str  # of costs: 'nanoseconds', 'bytes' ...; '': the name says it
    title: str
    period: int
    period_unit: str
    total: int  # self cost of the whole profile, in the event's unit
    whole: int  # likewise, of the profile that filters chose this one from


class Finding(NamedTuple):
    """Something odd in an input; reading went on."""
    severity: str  # 'info', 'warning' or 'error'
    code: str  # as docs/findings.md lists them
    file: str
    line: Optional[int]  # from 1
    offset: Optional[int]  # bytes, from 0
    message: str


class Loss(NamedTuple):
    """What a target could not carry: `amount` of a `kind`; None: of a number that is not known."""
    kind: str
    amount: Optional[int]
    text: str


class Converted(NamedTuple):
    """A profile in another format: its bytes, or None where a file was written, and what was lost."""
    data: Optional[bytes]
    losses: List[Loss]


class Format(NamedTuple):
    """A format that this library knows."""
    name: str
    title: str
    extensions: Tuple[str, ...]
    can_read: bool
    can_write: bool


class Symbols(NamedTuple):
    """What became of an object with nameless code."""
    object: Optional[str]
    state: str  # 'named', 'missing', 'changed', 'damaged', 'no names' or 'not a file'
    file: str  # that was opened, or ''
    note: str
    unproven: bool  # nothing tells whether it is the file that was recorded
    addresses: int
    named: int


class Table(abc.Mapping):
    """An answer in columns: a mapping of their names to columns, all as long as `n_rows`.

    `about` has what is said of all of it (the event, its unit, totals). A column of numbers is a memoryview over memory
    of its own, which lives as long as anybody looks at it; other columns are lists.
    """

    def __init__(self, columns: Mapping[str, Column], about: Mapping[str, Any]):
        self._columns = dict(columns)
        self.about = dict(about)
        self.n_rows = len(next(iter(self._columns.values())))

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f'<assay.Table of {self.n_rows} rows: {", ".join(self._columns)}>'

    def rows(self) -> Iterator[Dict[str, Any]]:
        """The rows, one by one, as dictionaries."""
        for values in zip(*self._columns.values()):
            yield dict(zip(self._columns, values))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the same columns; those of numbers share this table's memory and are read-only."""
        import numpy
        import pandas

        columns = {name: numpy.asarray(c) if isinstance(c, memoryview) else pandas.Series(c, dtype=object)
                   for name, c in self._columns.items()}
        return pandas.DataFrame(columns, copy=False)


class Profile:
    """A profile that was read; open(), merge() and its own methods make them."""

    def __init__(self, handle: object, findings: Iterable[Finding] = (), losses: Iterable[Loss] = (),
                 unmatched: Iterable[str] = (), symbols: Iterable[Symbols] = ()):
        self._handle = handle
        info = _assay.info(handle)
        self.findings = list(findings)  # what was odd in the input
        self.losses = list(losses)  # what filter() or merge() could not keep
        self.unmatched = list(unmatched)  # the words of filter() that matched nothing
        self.symbols = list(symbols)  # what became of each object in symbolize()
        self.events: List[Event] = [Event(*row) for row in info.pop('events')]
        self.files: List[Optional[str]] = info.pop('files')  # number 0 is unknown
        self.objects: List[Optional[str]] = info.pop('objects')  # likewise
        self.format: str = info['format']  # 'callgrind'; '' of several
        self.version: str = info['version']  # of the format
        self.epoch: str = info['epoch']  # ISO 8601 begin of the recording, or ''
        self.shapes = frozenset(name for i, name in enumerate(_SHAPES) if info['shapes'] >> i & 1)
        self.estimated: bool = info['estimated']  # paths were made from calls
        self.partial: bool = info['partial']  # the input was damaged; this was salvaged
        self.path_depth: Optional[int] = info['path_depth'] or None  # frames that paths were cut to
        self.counts: Dict[str, int] = {key[2:]: info[key] for key in info if key.startswith('n_')}

    def __repr__(self) -> str:
        return f'<assay.Profile {self.format or "of several"}: {", ".join(e.name for e in self.events)}>'

    def _event(self, event: 'Union[str, int, None]') -> int:
        """The number of an event by its name; the first unless one is named."""
        names = [e.name for e in self.events]
        if event is None:
            event = 0
        if isinstance(event, str):
            if event not in names:
                raise _mistake(f'there is no event {event!r}; there are {", ".join(names)}')
            return names.index(event)
        if not 0 <= event < len(names):
            raise _mistake(f'there is no event number {event}; there are {len(names)}')
        return event

    def top(self, by: str = 'function', *, event: 'Union[str, int, None]' = None, events: 'Optional[Sequence[Union[str, int]]]' = None,
            inclusive: bool = False, label: Optional[str] = None, contexts: bool = False, cycles: bool = True,
            cycle_rows: bool = False) -> Table:
        """Costs by 'function', 'file', 'object', 'line', 'address', 'filefunction', 'part', 'thread' or 'label'.

        Rows come with the largest self cost first (INCLUSIVE: inclusive cost) of EVENT, the first event unless named.

        name       of the function, file, object, thread ...; None: unknown, and `address` tells which code it is
        file, object  paths, or None
        line       from 1; 0: unknown
        address    in the object; 0: unknown, or of a function that has a name
        self       cost of the row itself, in the event's unit
        inclusive  with all that was called from there; a list with None where the profile does not tell it
        calls      times called; likewise
        cycle      number of the circle of calls that the row belongs to, from 1, or 0

        The rows add up to the total. CYCLE_ROWS adds rows that stand for a whole circle, beside those of its members, and
        the column `is_cycle`, which says so: leave them out of sums.
        EVENTS, several names, gives `self:NAME` and `inclusive:NAME` of each instead of `self` and `inclusive`.
        LABEL is the key of the label whose values are the rows (by='label'; else whole sets of labels are).
        CONTEXTS keeps Callgrind's f'2 apart, and cycles=False gives raw sums.
        """
        at = self._event(events[0] if event is None and events else event)
        asked = [self._event(e) for e in events] if events else [at]
        columns = _assay.top(self._handle, _choice('by', by, _BY), _bytes(label), contexts, not cycles, at, inclusive, cycle_rows,
                             tuple(asked))
        if not cycle_rows:
            del columns['is_cycle']
        flat: Dict[str, Any] = {}
        for name, column in columns.items():
            if name not in ('self', 'inclusive'):
                flat[name] = column
            elif not events:
                flat[name] = column[0]
            else:
                flat.update((f'{name}:{self.events[e].name}', c) for e, c in zip(asked, column))
        e = self.events[at]
        return _table(flat, {'by': by, 'event': e.name, 'unit': e.unit, 'total': e.total, 'whole': e.whole, 'estimated': self.estimated})

    def tree(self, function: Optional[str] = None, way: str = 'callees', *, event: 'Union[str, int, None]' = None, min: int = 0, depth: int = 0,
             contexts: bool = False, cycles: bool = True) -> Table:
        """Who called whom: rows depth first, `depth` says how deep.

        WAY 'callees' goes down from the roots, or from FUNCTION; 'callers' up from FUNCTION; 'bottom-up' from where the
        cost is. FUNCTION is what `assay list` takes (a name, a part of one, a regular expression, FILE:LINE), and the
        largest that it finds is meant; LookupError: there is none. What costs less than MIN, in the event's unit, or is
        deeper than DEPTH levels (0: all), is summed up in rows of kind 'rest'.

        depth           rows above, from 0
        kind            'function', 'rest' or 'no caller'
        name, file, object, address   as in top()
        cost            in the event's unit; what is below a row adds up to it, with its own `self` where the tree goes down
        self            of callees, else a list of None
        n_rest          rows that a row of the rest stands for
        again           the function is above, too
        estimated, self_estimated   whether the figure is: out of calls, most paths are
        """
        at = self._event(event)
        columns = _assay.tree(self._handle, _choice('way', way, _WAY), _bytes(function), contexts, not cycles, at, min,
                              _count('depth', depth))
        if columns is None:
            raise LookupError(f'there is no function {function!r}')
        e = self.events[at]
        return _table(columns, {'way': way, 'event': e.name, 'unit': e.unit, 'total': e.total, 'whole': e.whole})

    def convert(self, path: Optional[Path] = None, format: Optional[str] = None, *, strict: bool = False, estimate_paths: bool = False,
                overwrite: bool = False, piece: int = 0, options: Sequence[str] = (), threads: int = 1) -> Converted:
        """This profile in FORMAT (that of PATH's ending unless named), as a file or, without PATH, as bytes.

        A file appears whole or not at all. What the format cannot carry is in `losses`; with STRICT anything that would be
        lost is UnsupportedError. ESTIMATE_PATHS makes paths out of calls for a format that has paths only. PIECE, from 1,
        is for formats that need several files. OPTIONS are "key=value", as `assay formats -v` lists them.
        """
        data, losses = _assay.write(self._handle, None if path is None else os.fsencode(path), format, strict, estimate_paths, overwrite,
                                    _count('piece', piece), _words(options), _threads(threads))
        return Converted(data, _losses(losses))

    def diff(self, changed: 'Profile', **how: Any) -> Table:
        """What CHANGED costs, compared with this profile: diff() has the rest."""
        return diff(self, changed, **how)

    def filter(self, *words: str, contexts: bool = False, relative: bool = False, unit: Optional[str] = None) -> 'Profile':
        """The part that WORDS choose: "focus=^std::", "hide=obj:libc", "thread=1": the program's options (docs/filters.md)."""
        (handle, losses), matched = _assay.filter(self._handle, _words(words), contexts, relative, unit)
        return Profile(handle, losses=_losses(losses), unmatched=[w for w, m in zip(words, matched) if not m])

    def symbolize(self, *, binaries: Sequence[Path] = (), path_map: Sequence[str] = (), debug_dirs: Sequence[Path] = (),
                  symfs: Optional[Path] = None, force: bool = False, inlines: bool = True, threads: int = 1) -> 'Profile':
        """This profile with the names, lines and inlined calls that its binaries have; `symbols` says what became of each.

        A binary that cannot be had is no error. docs/symbols.md says where they are looked for.
        """
        handle, found = _assay.symbolize(self._handle, _words(binaries), _words(path_map), _words(debug_dirs),
                                         None if symfs is None else os.fsencode(symfs), force, not inlines, _threads(threads))
        return Profile(handle, symbols=[Symbols(*row) for row in found])


def open(source: 'Union[Path, BinaryIO, bytearray, memoryview]', *, format: Optional[str] = None, name: Optional[str] = None,
         detail: str = 'full', strict: bool = False, check: bool = False, threads: int = 1, options: Sequence[str] = (),
         max_memory: int = 0, moments: bool = False) -> Profile:
    """Read a profile: of a file (str or path), or of what is in memory (bytes, a memoryview, or a file object).

    The content tells the format unless FORMAT names it; gzip and zstd are undone. DETAIL 'function' or 'line' reads large
    Callgrind files faster, for what needs no more. STRICT refuses what `assay check` calls an error, and the default is to
    salvage it, to set `partial` and to say so in `findings`; CHECK looks for more of them. THREADS may work on it (0: as
    many as there are processors). MAX_MEMORY, in bytes, is the most that the profile may take. MOMENTS keeps when samples
    were counted, for formats that write it. bytes are data here, not a path.
    """
    path = data = None
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    elif hasattr(source, 'read'):
        data = bytes(source.read())
    else:
        path = os.fsencode(source)
    if max_memory < 0:
        raise _mistake('max_memory is below 0')
    handle, found = _assay.open(path, data, _bytes(name), format, _choice('detail', detail, _DETAIL), strict, check,
                                _threads(threads), _words(options), min(max_memory, 2**64 - 1), moments)
    return Profile(handle, findings=[Finding(_SEVERITY[s], code, file, line or None, offset, text)
                                     for s, code, file, line, offset, text in found])


def merge(profiles: Iterable[Profile], *, parts: bool = False) -> Profile:
    """The sum of several profiles; PARTS keeps what is of each apart. ArgumentError: they cannot be added up."""
    handles = tuple(p._handle for p in profiles)
    if not handles:
        raise _mistake('there are no profiles to merge')
    handle, losses = _assay.merge(handles, parts)
    return Profile(handle, losses=_losses(losses))


def diff(base: 'Union[Profile, Sequence[Profile]]', changed: 'Union[Profile, Sequence[Profile]]', *, by: str = 'function', norm: str = 'auto',
         event: Optional[str] = None, inclusive: bool = False, contexts: bool = False, cycles: bool = True, clones: bool = False) -> Table:
    """Two sides, of one run or more each, row by row, the largest difference first (docs/diff.md has the rules).

    BY is 'function', 'file', 'object' or 'line'. EVENT is the first that both sides have unless named. NORM, 'auto',
    'none', 'total' or 'time', says how counts become figures.

    function, file, object, line   what the row is of
    base, changed   means over the runs: whole numbers of 10**-about['decimals'] of about['unit']
    low, high       95 % interval of the difference, in the same unit, where there is noise; else None
    p               chance of such a difference, 0 to 1; else None
    verdict         'same', 'noise', 'chance' or 'sure'
    in_base, in_changed   whether a run of that side has it

    `about` has the same of all there is.
    """
    sides = [(side,) if isinstance(side, Profile) else tuple(side) for side in (base, changed)]
    handles = [tuple(p._handle for p in side) for side in sides]
    answer = _assay.compare(handles[0], handles[1], _choice('by', by, {k: v for k, v in _BY.items() if v < 4}), _choice('norm', norm, _NORM),
                            contexts, not cycles, clones, _bytes(event), inclusive)
    if answer is None:
        raise _mistake('there is no such event on both sides')
    columns, about = answer
    return _table(columns, {'by': by, **about})


def formats() -> List[Format]:
    """The formats that are known."""
    return [Format(name, title, tuple(exts.split(',')) if exts else (), r, w) for name, title, exts, r, w in _assay.formats()]


def _mistake(message: str) -> ArgumentError:
    """A mistake that was seen before the library was asked."""
    exc = ArgumentError()
    exc.message = message
    return exc


def _table(columns: Mapping[str, Any], about: Mapping[str, Any]) -> Table:
    return Table({name: memoryview(c[1]).cast(c[0]) if isinstance(c, tuple) else c for name, c in columns.items()}, about)


def _choice(what: str, word: str, words: Mapping[str, int]) -> int:
    if word not in words:
        raise _mistake(f'{what} is {", ".join(words)}, not {word!r}')
    return words[word]


def _count(what: str, n: int) -> int:
    if not 0 <= n < 2**32:
        raise _mistake(f'{what} is {n}')
    return n


def _threads(n: int) -> int:
    return _count('threads', n) or _ALL


def _bytes(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else text.encode(errors='surrogateescape')


def _words(words: Sequence[Any]) -> Tuple[bytes, ...]:
    if isinstance(words, (str, bytes)):
        raise _mistake(f'several words are asked for, not {words!r}')
    return tuple(os.fsencode(word) for word in words)


def _losses(rows: Iterable[Tuple[str, int, str]]) -> List[Loss]:
    return [Loss(kind, None if amount == 2**64 - 1 else amount, text) for kind, amount, text in rows]
