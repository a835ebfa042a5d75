#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_completion.py ASSAY SOURCE_ROOT: Tab in real shells.

bash (with nothing but `complete -F`, and with bash-completion) and zsh run on a terminal, get a line and a Tab as keys,
and then a key that writes their line to a file: what stands there is what a user would run. fish is asked by
`complete -C`. What there is to complete is told by other commands of assay, and by the files that lie there.
"""
import csv
import io
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 120  # seconds, of a busy machine
ESCAPES = re.compile(r'\x1b\[[0-9;?]*[a-zA-Z]')

CPP = 'events: Ir Dr\nfn=std::vec<int>::push_back(int const&)\n1 10 2\nfn=operator<<(A&, B)\n1 5 1\nfn=main\n1 1 1\n'


class Shell:
    """A shell on a terminal; START makes the key Ctrl-G write its line to the file `line`."""

    def __init__(self, argv, start, env, cwd):
        self.cwd, self.said = cwd, b''
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.chdir(cwd)
            os.execvpe(argv[0], argv, env)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.send(start + '\n')
        self.after(': >ready\n', 'ready')

    def read(self):
        while True:
            try:
                if select.select([self.fd], [], [], 1)[0]:
                    self.said += os.read(self.fd, 65536)
            except OSError:
                return

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def after(self, keys, name):
        """Send KEYS, and wait for the file that they make."""
        path = self.cwd / name
        path.unlink(missing_ok=True)
        self.send(keys)
        end = time.monotonic() + PATIENCE
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.01)
        assert path.exists(), f'{keys!r} did nothing: {self.said[-2000:]!r}'
        return path.read_text().rstrip('\n')

    def tab(self, line, back=0):
        """The line after a Tab; BACK: characters to the cursor from the end."""
        got = self.after('\x05\x15' + line + '\x02' * back + '\t\x07', 'line')
        self.send('\x15')
        return got

    def shows(self, line, *some):
        """Whether a Tab shows these. Nothing may follow it: a shell that finds more keys need not show anything. Where nothing
        comes it is typed anew, as one does: zsh, once in a hundred times beside others, draws the line and no list."""
        end, again, words = time.monotonic() + PATIENCE, 0, ''
        while not all(f' {text} ' in words for text in some):
            assert time.monotonic() < end, f'{line}: {words}'
            if time.monotonic() > again:
                self.said, again = b'', time.monotonic() + PATIENCE / 10
                self.send('\x05\x15' + line + '\t')
            time.sleep(0.01)
            words = f" {' '.join(re.sub(ESCAPES, ' ', self.said.decode(errors='replace')).split())} "
        self.send('\x05\x15')

    def close(self):
        os.close(self.fd)
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)


def same(got, want):
    assert got == want, f'{got!r} is not {want!r}'


class Tests:
    def __init__(self, assay, root, folder):
        self.assay, self.scripts, self.folder = assay, root / 'src/cli/shell', folder
        self.env = {'PATH': f'{assay.parent}:/usr/bin:/bin', 'HOME': str(folder), 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'ZDOTDIR': str(folder)}
        demo = root / 'tests/fixtures/callgrind.out.demo'
        for name in 'callgrind.out.demo', 'my file', 'a dir/x=y', 'only/one.cg':
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(demo, folder / name)
        (folder / 'cpp.cg').write_text(CPP)
        (folder / 'call.txt').write_text('nothing that is a profile\n')
        os.mkfifo(folder / 'calls')  # whoever opens it waits for ever

    def run(self, *args):
        return subprocess.run([self.assay, *args], cwd=self.folder, env=self.env, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout

    def ask(self, index, *words):
        """What the program says: how, and the words."""
        how, *lines = self.run('__complete', str(index), *words).splitlines()
        return how, [line.split('\t')[0] for line in lines]

    def column(self, *args, name='function'):
        return [row[name] for row in csv.DictReader(io.StringIO(self.run(*args, '-f', 'csv'))) if row[name]]

    # ---- what the program says ----

    def test_every_option_and_command_of_the_help(self):
        commands = re.findall(r'^  (\w+)  ', self.run('help').split('Commands\n')[1], re.M)
        how, words = self.ask(0, '')
        same([word for word in words if word in commands], commands)
        for command in commands:
            want = set(re.findall(r'^  (?:-\w, |    )(--[\w-]+)', self.run(command, '--help'), re.M)) | {'--help'}
            how, words = self.ask(1, command, '--')
            same((how, sorted(words)), ('words', sorted(want)))

    def test_every_value_that_the_help_names(self):
        for command in 'top', 'diff', 'flame', 'stats':
            for option, values in re.findall(r'--([\w-]+) ([a-z]+(?:\|[a-z]+)+)\s', self.run(command, '--help')):
                how, words = self.ask(2, command, '--' + option, '')
                assert set(values.split('|')) <= set(words), (command, option, words)
                same(self.ask(1, command, f'--{option}=')[1], [f'--{option}={word}' for word in words])

    def test_formats_by_what_they_can(self):
        rows = list(csv.DictReader(io.StringIO(self.run('formats', '-f', 'csv'))))
        for option, column in ('--from', 'read'), ('--to', 'write'):
            want = [row['format'] for row in rows if row[column] == 'yes']
            assert len(want) > 5, rows[0]
            same(self.ask(2, 'convert', option, ''), ('words', want))

    def test_functions_are_those_of_top(self):
        want = self.column('top', 'callgrind.out.demo', '-n', '0')
        how, words = self.ask(1, 'list', '', 'callgrind.out.demo')
        plain = [re.sub(r'\.(constprop|isra|part)\.\d+$', '', name) for name in want]  # as top shows them
        assert len(words) > 50 and set(words) <= set(plain) | set(want), set(words) - set(plain)
        same(words[:5], plain[:5])
        same(self.ask(2, 'tree', 'cpp.cg', 'push')[1], ['std::vec::push_back'])

    def test_what_is_no_profile_is_not_opened_or_offered(self):
        same(self.ask(1, 'top', 'call'), ('paths', ['callgrind.out.demo']))
        same(self.ask(1, 'top', 'call.t'), ('paths', ['call.txt']))  # who types it so far means it
        same(self.ask(2, 'list', 'm', 'calls')[1], [])
        same(self.ask(3, 'top', '-e', 'x', 'calls')[1], [])
        same(self.ask(2, 'top', '-e', '', 'http://localhost:1/x'), ('words', []))

    # ---- shells ----

    def lines(self, shell):
        """What all shells do alike: the word that can be one thing only becomes it."""
        quoted = {"assay top my": r'assay top my\ file ', 'assay top a': r'assay top a\ dir/'}
        for line, want in {
                'assay tre': 'assay tree', 'assay treem': 'assay treemap ', 'assay --no-pager tim': 'assay --no-pager timeline ',
                'assay top --cum': 'assay top --cumulative ', 'assay top --by=fi': 'assay top --by=file', 'assay top --by filef': 'assay top --by filefunction ',
                'assay convert x -t cpu': 'assay convert x -t cpuprofile ',
                'assay top cpp.cg -e D': 'assay top cpp.cg -e Dr ', 'assay top cpp.cg -e Ir,D': 'assay top cpp.cg -e Ir,Dr ',
                'assay tree cpp.cg std': 'assay tree cpp.cg std::vec::push_back ', "assay tree cpp.cg 'std::v": "assay tree cpp.cg 'std::vec::push_back' ",
                'assay tree cpp.cg push': 'assay tree cpp.cg std::vec::push_back ', 'assay tree cpp.cg oper': r'assay tree cpp.cg operator\<\< ',
                'assay top onl': 'assay top only/', 'assay top only/': 'assay top only/one.cg ', 'assay top ~/onl': 'assay top ~/only/',
                'assay help trac': 'assay help traces ', 'assay convert x -I fram': 'assay convert x -I frames=', **quoted}.items():
            if line != want:
                same(shell.tab(line), want)
        # The file stands behind the cursor.
        same(shell.tab('assay list std cpp.cg', back=len(' cpp.cg')).replace('  ', ' '), 'assay list std::vec::push_back cpp.cg')
        shell.shows('assay top --by f', 'function', 'filefunction', 'file')
        shell.shows('assay peek "" cpp.cg --names ', 'full', 'noargs', 'notemplates', 'short')

    def bash(self, more=''):
        start = (f"PS1='$ '; unset HISTFILE; bind 'set show-all-if-ambiguous on' 'set completion-query-items 0' 'set bell-style none'; {more}"
                 f"source {self.scripts}/assay.bash; bind -x '\"\\C-g\": printf %s \"$READLINE_LINE\" >line_ && mv line_ line'")
        return Shell(['bash', '--norc', '--noprofile', '-i'], start, self.env, self.folder)

    def test_bash_alone(self):
        shell = self.bash()
        self.lines(shell)
        same(shell.tab('assay record gunzi'), 'assay record gunzip ')
        shell.close()

    def test_bash_with_bash_completion(self):
        shell = self.bash('source /usr/share/bash-completion/bash_completion; ')
        self.lines(shell)
        # The program that is recorded has its own completion.
        same(shell.tab('assay record -d 1 timeout --pres'), 'assay record -d 1 timeout --preserve-status ')
        shell.close()

    def test_zsh(self):
        start = (f"PS1='%% '; fpath=({self.scripts} $fpath); autoload -U compinit; compinit -u -D; unsetopt beep; bindkey -e; "
                 "dump() { print -rn -- $BUFFER >line_ && mv line_ line }; zle -N dump; bindkey '^g' dump; stty columns 200")
        shell = Shell(['zsh', '-f', '-i'], start, self.env, self.folder)
        self.lines(shell)
        same(shell.tab('assay record gunzi'), 'assay record gunzip ')
        shell.shows('assay top --b', '--by -- what a row is')
        shell.close()

    def fish(self, line):
        """What fish completes. It is asked again where it says nothing, as it does once in some hundred runs beside others: of a
        program's answer it may take nothing (fish-shell's issue 12018 is of its like). That the program answers, ask() has shown."""
        script = f'source {self.scripts}/assay.fish; complete -C "$argv[1]"'
        for _ in range(3):
            done = subprocess.run(['fish', '-c', script, line], cwd=self.folder, env=self.env, capture_output=True, text=True, check=True, timeout=PATIENCE)
            if done.stdout:
                return [row.split('\t')[0] for row in done.stdout.splitlines()]
        raise AssertionError(f'{line}: nothing, three times; {done.stderr}')

    def test_fish(self):
        for line, want in {
                'assay treem': ['treemap'], 'assay --no-pager tim': ['timeline'], 'assay top --by=filef': ['--by=filefunction'],
                'assay top cpp.cg -e Ir,D': ['Ir,Dr'], 'assay tree cpp.cg push': ['std::vec::push_back'], 'assay top my': ['my file'],
                'assay top only/': ['only/one.cg'], 'assay top ~/only/': ['~/only/one.cg'], r'assay top a\ dir/': ['a dir/x=y'], 'assay convert x -I fram': ['frames=']}.items():
            same(self.fish(line), want)
        assert 'gunzip' in self.fish('assay record gunzi')
        same(self.fish('assay top --by f'), ['function', 'filefunction', 'file'])


def main():
    assay, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    needs = {'test_bash_with_bash_completion': '/usr/share/bash-completion/bash_completion', 'test_zsh': 'zsh', 'test_fish': 'fish'}
    names = [name for name in vars(Tests) if name.startswith('test_')]
    print(f'1..{len(names)}')
    for i, name in enumerate(names, 1):
        label = name[5:].replace('_', ' ')
        if name in needs and not shutil.which(needs[name]) and not os.path.exists(needs[name]):
            print(f'ok {i} - {label} # SKIP no {needs[name]}')
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                getattr(Tests(assay, root, pathlib.Path(folder)), name)()
                print(f'ok {i} - {label}', flush=True)
            except (AssertionError, subprocess.SubprocessError, KeyError) as e:
                print(f'not ok {i} - {label}\n' + '\n'.join('# ' + line for line in str(e).splitlines()), flush=True)


if __name__ == '__main__':
    main()
