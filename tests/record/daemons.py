# SPDX-License-Identifier: Apache-2.0
"""What tests of a daemon share: one that records into a database of its own, and what the files of that say.

Environment: ASSAY.
"""
import glob
import json
import signal
import subprocess
import time

from scene import E, want

HZ = 199


def run(*args, code=0, **more):
    p = subprocess.run([E['ASSAY'], *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False, **more)
    want(code is None or p.returncode == code, '%s: exit status %d: %s' % (' '.join(args), p.returncode, p.stderr.decode()))
    return p.stdout.decode(), p.stderr.decode()


class Daemon:
    """One that records into a database of its own."""

    def __init__(self, scratch, *args):
        self.db = scratch.name('db')
        self.env = dict(E, ASSAY_DB=self.db)
        self.args = args

    def start(self):
        rate = [] if '-e' in self.args else ['-F', str(HZ)]
        self.p = subprocess.Popen([E['ASSAY'], 'daemon', *rate, *self.args], env=self.env, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        for _ in range(1500):       # a killed one has left its socket
            asked = subprocess.run([E['ASSAY'], 'daemon', 'status'], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if self.p.poll() is not None or asked.returncode == 0:
                break
            time.sleep(.02)
        return self

    __enter__ = start

    def __exit__(self, *_):
        if self.p.poll() is None:
            self.p.kill()
        self.p.communicate()

    def ask(self, *words, code=0):
        return run('daemon', *words, code=code, env=self.env)[0]

    def status(self):
        return dict(line.rsplit(' ', 1) for line in self.ask('status').replace(' s\n', '\n').splitlines())

    def end(self, how=signal.SIGTERM, code=0):
        self.p.send_signal(how)
        said = self.p.communicate(timeout=60)[1].decode()
        want(self.p.returncode == code, 'exit status %d: %s' % (self.p.returncode, said))
        return said

    def segments(self, kind='pb.gz'):
        return sorted(glob.glob(self.db + '/*/*/*.' + kind))


class Made:
    """Programs that have made a function at run time, each at the same address, and tell its name in a /tmp of their own, one in
    a namespace of processes of its own."""

    def __init__(self, *names):
        self.names = names

    def __enter__(self):
        run_it = 'exec 3< "$0" && mount -t tmpfs none /tmp && exec /proc/self/fd/3 jitnamed "$1"'
        self.p = []
        for i, name in enumerate(self.names):
            spaces = ['-m', '-p', '-f', '--kill-child'] if i % 2 else ['-m']
            self.p.append(subprocess.Popen(['unshare', *spaces, 'sh', '-c', run_it, E['SCENES'], name], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE))
        time.sleep(.5)
        return self

    def fails(self):
        """Why it cannot be done here; else None."""
        ended = [p for p in self.p if p.poll() is not None]
        return ended[0].stderr.read().decode().strip() if ended else None

    def __exit__(self, *_):
        for p in self.p:
            p.kill()
            p.communicate()


def answer(*args, **more):
    return json.loads(run(*args, '-q', '-f', 'json', '-e', 'samples', '-n', '0', **more)[0])


def total(path, *filters, **more):
    return answer('top', path, '--symbols', 'none', *filters, **more)['events'][0]['total']


def labels(path, key):
    for label in answer('tags', path)['labels']:
        if label['label'] == key:
            return {v['value']: v['self'][0] for v in label['values']}
    return {}
