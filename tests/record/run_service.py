#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The unit of assay daemon: what systemd says of it, and the daemon under what it allows, without systemd as the first process.

The daemon runs with the unit's capabilities and no more, in a group of the unit's memory, behind a filter of system calls that
kills it as the unit's would. Environment: ASSAY, SCENES, SERVICE = the unit's file.
"""
import ctypes
import os
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from daemons import total  # noqa: E402
from scene import E, Scratch, needs, tap, want  # noqa: E402

t = tap.Tap('service')
needs(t, 'SCENES', 'SERVICE')
UNIT = {}
for line in tap.contents(E['SERVICE']).decode().split('\n'):
    if re.match(r'\w+=', line):
        UNIT.setdefault(line.split('=', 1)[0], line.split('=', 1)[1])
CAPABILITIES = [x[len('CAP_'):].lower() for x in UNIT['CapabilityBoundingSet'].split()]
NUMBERS = {'perfmon': 38, 'sys_ptrace': 19}       # of capabilities, as the kernel has them
MACHINES = {'x86_64': 0xC000003E, 'aarch64': 0xC00000B7}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF, RETURN = 0x20, 0x15, 0x06     # of BPF
KILL, ALLOW = 0x80000000, 0x7fff0000
SHOWN = 3.0     # the exposure that systemd-analyze finds "OK" ends here


def said(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120)


def allowed():
    """The names of the system calls of the unit's filter."""
    names, groups = set(), UNIT['SystemCallFilter'].split()
    while groups:
        group = groups.pop()
        if not group.startswith('@'):
            names.add(group)
            continue
        lines = [x.strip() for x in said('systemd-analyze', '--no-pager', 'syscall-filter', group).stdout.decode().split('\n')]
        want(lines[0] == group, lines)
        groups += [x for x in lines[1:] if x and not x.startswith('#')]
    return names


def numbers():
    """{name: number} of the system calls of this machine, by its C compiler."""
    r = subprocess.run(['cc', '-E', '-dM', '-include', 'sys/syscall.h', '-x', 'c', '/dev/null'], stdout=subprocess.PIPE, check=True)
    return {m[0]: int(m[1]) for m in re.findall(r'(?m)^#define __NR_(\w+) (\d+)$', r.stdout.decode())}


def filter_of(names):
    """What lets through the system calls NAMES, and ends the process at others."""
    known = numbers()
    code = [(LOAD, 0, 0, 4), (JUMP_IF, 1, 0, MACHINES[platform.machine()]), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    for name in sorted(names & known.keys()):
        code += [(JUMP_IF, 0, 1, known[name]), (RETURN, 0, 0, ALLOW)]
    return b''.join(struct.pack('<HBBI', *row) for row in [*code, (RETURN, 0, 0, KILL)])


def confine(group, code):
    """The process that is about to run another program."""
    if group:
        with open(group[0] + '/cgroup.procs', 'w') as f:
            f.write('0')
    text = ctypes.create_string_buffer(code, len(code))
    prog = ctypes.create_string_buffer(struct.pack('<HxxxxxxQ', len(code) // 8, ctypes.addressof(text)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, prog):
        raise OSError(ctypes.get_errno(), 'prctl')


def memory_group():
    """A control group of the unit's memory: (folder, file of the most that was used), or None."""
    number, unit = re.match(r'(\d+)([MG])$', UNIT['MemoryMax']).groups()
    most = int(number) << {'M': 20, 'G': 30}[unit]
    for top, limit, peak in (('/sys/fs/cgroup/memory', 'memory.limit_in_bytes', 'memory.max_usage_in_bytes'),
                             ('/sys/fs/cgroup', 'memory.max', 'memory.peak')):
        folder = '%s/assay-test-%d' % (top, os.getpid())
        try:
            os.mkdir(folder)
        except OSError:
            continue
        try:
            with open(os.path.join(folder, limit), 'w') as f:
                f.write('%d' % most)
            return folder, os.path.join(folder, peak), most
        except OSError:
            os.rmdir(folder)
    return None


@t('systemd finds nothing wrong with it, and little exposed')
def _():
    if not shutil.which('systemd-analyze'):
        return 'skip:systemd-analyze is not installed'
    with Scratch() as s:
        text = tap.contents(E['SERVICE']).decode()
        text = re.sub(r'(?m)^ExecStart=\S+', lambda m: 'ExecStart=' + E['ASSAY'], text)
        path = s.file('assay.service', re.sub(r'(?m)^Documentation=.*\n', '', text))     # its page is not installed
        r = said('systemd-analyze', 'verify', path)
        want(r.returncode == 0 and not r.stdout.strip(), r.stdout)
        r = said('systemd-analyze', '--no-pager', 'security', '--offline=true', path)
        exposure = re.search(r'exposure level for assay.service: ([\d.]+)', r.stdout.decode())
        want(exposure and float(exposure.group(1)) < SHOWN, r.stdout[-400:])
    return None


@t('a filter without perf_event_open kills the daemon')
def _():
    return daemon_under({'perf_event_open'}, killed=True)


@t('the daemon records with its capabilities alone, its system calls, and its memory')
def _():
    return daemon_under(set())


def daemon_under(taken, killed=False):
    """Runs it without the system calls that are TAKEN."""
    if not shutil.which('systemd-analyze'):
        return 'skip:systemd-analyze is not installed'
    if os.geteuid():
        return 'skip:not root'
    if platform.machine() not in MACHINES:
        return 'n/a: not on this machine'
    group, code = memory_group(), filter_of(allowed() - taken)
    caps = ','.join(['-all'] + ['+' + x for x in CAPABILITIES])
    with Scratch() as s:
        db = s.name('db')
        os.mkdir(db, 0o750)
        p = subprocess.Popen(['setpriv', '--no-new-privs', '--bounding-set', caps, '--inh-caps', '-all',
                              E['ASSAY'], 'daemon', '--db', db, '--segment', '1'],
                             stderr=subprocess.PIPE, preexec_fn=lambda: confine(group, code))
        try:
            first = p.stderr.readline().decode()
            if killed:
                want(p.wait() == -signal.SIGSYS, (p.returncode, first))
                return None
            if 'a second, ' not in first:
                want(p.wait() > 0, 'killed: %d' % p.returncode)
                return 'skip:events of processors are not allowed with %s: %s' % (caps, first.strip())
            has = int(re.search(rb'CapEff:\s+(\w+)', tap.contents('/proc/%d/status' % p.pid)).group(1), 16)
            want(has == sum(1 << NUMBERS[x] for x in CAPABILITIES), 'capabilities: %x' % has)
            subprocess.run([E['SCENES'], 'loop', '500'], stdout=subprocess.DEVNULL, check=True)
            time.sleep(2)
            for word in ('flush', 'epoch', 'status'):
                subprocess.run([E['ASSAY'], 'daemon', word], env=dict(E, ASSAY_DB=db), stdout=subprocess.DEVNULL, check=True)
            p.send_signal(signal.SIGTERM)
            last = p.stderr.read().decode()
            want(p.wait() == 0 and ' 0 not stored' in last, (p.returncode, last))
        finally:
            p.kill()
            p.wait()
            peak = int(tap.contents(group[1])) if group else 0
            if group:
                os.rmdir(group[0])
        segments = [os.path.join(folder, f) for folder, _, files in os.walk(db) for f in files if f.endswith('.pb.gz')]
        want(sum(total(x) for x in segments) > 20, segments)
        if group:
            want(0 < peak < group[2], '%d bytes of %d' % (peak, group[2]))
            print('# %.1f MB of %.0f' % (peak / 1e6, group[2] / 1e6))
    return None


t.run()
