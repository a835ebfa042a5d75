# SPDX-License-Identifier: Apache-2.0
"""A terminal of tmux's, for tests of what takes the whole screen."""
import contextlib
import os
import signal
import subprocess
import time

LOOKS = int(os.environ.get('ASSAY_LOOKS', '2000'))
PLAIN = '0 1 1'       # no alternate screen, a cursor, lines are wrapped
TAKEN = '1 0 0'


def until(what, holds, of):
    """What OF returns once that holds."""
    for _ in range(LOOKS):
        got = of()
        if holds(got):
            return got
        time.sleep(.03)
    raise AssertionError('%s: never; last seen:\n%s' % (what, '\n'.join(got) if isinstance(got, list) else got))


def runs_on(tty):
    """Processes whose terminal that is, and the state of each; none if it is gone."""
    try:
        device = os.stat(tty).st_rdev
    except FileNotFoundError:
        return
    for pid in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError), open('/proc/%s/stat' % pid) as f:
            fields = f.read().rpartition(')')[2].split()  # none of a process that is just gone
            if fields and int(fields[4]) == device:
                yield int(pid), fields[0]


class Terminal:
    """A terminal with a shell in it, or COMMAND; ENV is added to its environment."""

    count = 0

    def __init__(self, scratch, columns, lines, *command, **env):
        Terminal.count += 1
        self.socket = scratch.name('tmux%d' % Terminal.count)
        kept = {k: v for k, v in os.environ.items() if not k.startswith('TMUX')}
        self.env = dict(kept, PS1='ready> ', ENV='', HISTFILE='', LC_ALL='C.UTF-8', **env)
        self.tmux('-f', '/dev/null', 'new-session', '-d', '-x', str(columns), '-y', str(lines), *command)

    def tmux(self, *args, check=True):
        p = subprocess.run(['tmux', '-u', '-S', self.socket, *args], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        assert not check or p.returncode == 0, '%s: %s' % (args, p.stderr.decode())
        return p.stdout.decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """What still runs there is killed: if it went by the hangup, a sanitizer's search for leaks would begin,
        lose its helper to the same hangup, and wait for it for ever on a processor of its own."""
        for tty in self.tmux('list-panes', '-a', '-F', '#{pane_tty}', check=False).split():
            for pid, _ in runs_on(tty):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self.tmux('kill-server', check=False)

    def keys(self, *keys):
        self.tmux('send-keys', *keys)

    def at_rest(self):
        """Whether every process of the terminal waits, for a key or for one another."""
        return all(state in 'STZ' for _, state in runs_on(self.tmux('display-message', '-p', '#{pane_tty}').strip()))

    def screen(self):
        """The screen once it is drawn: the same twice while nothing runs there. What does not come to rest is given as it is."""
        last = None
        for _ in range(100):
            shown = self.tmux('capture-pane', '-p').rstrip('\n').split('\n')
            if shown == last and self.at_rest():
                break
            last = shown
            time.sleep(.01)
        return shown

    def modes(self):
        return self.tmux('display-message', '-p', '#{alternate_on} #{cursor_flag} #{wrap_flag}').strip()

    def sees(self, what, holds):
        return until(what, holds, self.screen)

    def mode(self, wanted):
        until('modes %s' % wanted, lambda got: got == wanted, self.modes)
