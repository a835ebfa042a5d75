# SPDX-License-Identifier: Apache-2.0
"""What libassay refuses, as exceptions."""
import os


class Error(Exception):
    """What all exceptions of assay are.

    name     the input or output that it is about, or ''
    line     its line, from 1; None where there are no lines
    offset   its byte in the decompressed input, from 0; None where none is known
    message  what went wrong, without the place
    """

    name: str = ''
    line: 'int | None' = None
    offset: 'int | None' = None
    message: str = ''

    def __str__(self) -> str:
        if self.line is not None:
            return f'{self.name}:{self.line}: {self.message}' if self.name else f'line {self.line}: {self.message}'
        place = None if self.offset is None else f'offset {self.offset:#x}'
        return ': '.join(word for word in (self.name, place, self.message) if word)


class FormatError(Error, ValueError):
    """The input breaks its format's rules."""


class TruncatedError(FormatError):
    """The input ends too early."""


class NotProfileError(FormatError):
    """The input is something else: a program, text ..."""


class UnsupportedError(Error):
    """Valid, but beyond assay or beyond the target format."""


class LimitError(Error):
    """A limit is exceeded: one of assay, of the target format, or max_memory."""


class SystemCallError(Error, OSError):
    """The system said no; errno and filename are set, as in any OSError."""


class ArgumentError(Error, ValueError):
    """The caller's mistake."""


CLASSES = {
    2: FormatError,
    3: TruncatedError,
    4: UnsupportedError,
    5: LimitError,
    6: SystemCallError,
    8: ArgumentError,
    10: NotProfileError,
}


def error(code: int, errno: int, offset: int, has_offset: bool, line: int, name: bytes, message: bytes) -> Exception:
    """The exception of a struct assay_error."""
    if code == 7:
        return MemoryError(message.decode(errors='replace'))
    exc = CLASSES.get(code, Error)()
    exc.name = os.fsdecode(name)
    exc.message = message.decode(errors='replace') or 'libassay refused'
    exc.line = line or None
    exc.offset = offset if has_offset else None
    if isinstance(exc, OSError):
        exc.errno = errno or None
        exc.strerror = os.strerror(errno) if errno else exc.message
        exc.filename = exc.name or None
    return exc
