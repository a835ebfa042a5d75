#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay record --calls`: each call is counted, and who made it.

What is asserted: the calls that valgrind's callgrind counts of the same binary, by function and by caller; what the programs
know of themselves where callgrind can't (it has no signal handlers of two threads at once, and kills no process); and times
between what the program has measured within a function and around it.
Environment: ASSAY, CC (or cc), CXX (or c++).
"""
import collections
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'data'))
import tap  # noqa: E402
from tap import Scratch, equal, want  # noqa: E402

t = tap.Tap('calls')
CC = os.environ.get('CC', 'cc').split()
CXX = os.environ.get('CXX', 'c++').split()
if not shutil.which('valgrind') or not shutil.which(CC[0]) or not shutil.which(CXX[0]):
    t.skip_all('needs valgrind and compilers')
FLAGS = ['-O1', '-g', '-fno-inline', '-fno-optimize-sibling-calls', '-finstrument-functions', '-pthread']
COMPILERS = {'.c': [CC], '.cc': [CXX]}
if shutil.which('clang-14'):
    COMPILERS['.c'].append(['clang-14'])
if shutil.which('clang++-14'):
    COMPILERS['.cc'].append(['clang++-14'])

PLAIN = r'''
#include <stdlib.h>
#include <setjmp.h>
volatile long sink;
static jmp_buf out;
static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int odd(int n);
static int even(int n) { return n ? odd(n - 1) : 1; }
static int odd(int n) { return n ? even(n - 1) : 0; }
static void thrower(int n) { if (n) thrower(n - 1); else longjmp(out, 1); }
static void middle(int n) { thrower(n); }
static void once(int i) { if (!setjmp(out)) middle(i); else sink++; }
static void leaf(int i) { sink += i; }
static void (*volatile by[3])(int) = {leaf, once, leaf};
static void last(void) { leaf(1); exit(0); }
int main(void)
{
	int v[1000];
	for (int i = 0; i < 1000; i++) v[i] = (i * 7919) % 1000;
	qsort(v, 1000, sizeof(*v), less);
	sink += fib(15) + even(1001);
	for (int i = 0; i < 50; i++) { once(i % 7); leaf(i); by[i % 3](i % 5); }
	last();
}
'''

THROWS = r'''
#include <stdexcept>
#include <string>
#include <vector>
volatile long sink;
struct noisy { int n; explicit noisy(int i) : n(i) { sink += i; } ~noisy() { sink -= n; } };
static void deep(int n) { noisy here(n); if (!n) throw std::runtime_error("deep"); deep(n - 1); }
static void between(int n) { noisy one(1), two(2); char big[200]; sink += (long)(size_t)big; deep(n); }
static int catcher(int n) { try { between(n); } catch (const std::exception &e) { return e.what()[0]; } return 0; }
static void again(int n) { try { catcher(n); between(n); } catch (...) { sink++; throw; } }
struct base { virtual ~base() {} virtual int go(int n) = 0; };
struct one : base { int go(int n) override { return n + catcher(n % 4); } };
struct two : base { int go(int n) override { return n - 1; } };
int main()
{
	std::vector<base *> all;
	for (int i = 0; i < 20; i++) all.push_back(i % 3 ? static_cast<base *>(new one) : new two);
	for (int i = 0; i < 200; i++) {
		sink += all[i % 20]->go(i);
		try { again(i % 6); } catch (const std::runtime_error &) { sink++; }
	}
	for (auto *p : all) delete p;
}
'''

THREADS = r'''
#include <pthread.h>
#include <unistd.h>
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void leaver(void) { pthread_exit(0); }
static void *work(void *p) { for (int i = 0; i < 20; i++) fib((int)(long)p); if ((long)p % 2) leaver(); return 0; }
static void start(pthread_t *t, long n) { pthread_create(t, 0, work, (void *)n); }
int main(void)
{
	pthread_t t[8];
	for (int round = 0; round < 50; round++) {
		for (long i = 0; i < 8; i++) start(&t[i], i);
		for (long i = 0; i < 8; i++) pthread_join(t[i], 0);
	}
	return 0;
}
'''


def build(s, name, text, flags=(), compiler=None):
    source = pathlib.Path(s.name(name))
    source.write_text(text, encoding='utf-8')
    out = s.name(source.stem)
    subprocess.run([*(compiler or COMPILERS[source.suffix][0]), *FLAGS, *flags, '-o', out, str(source)], check=True)
    return out


def edges(path):
    """{(caller, callee): calls} of a Callgrind file, by its specification; names without contexts and arguments."""
    names, found = {}, collections.Counter()
    caller = callee = None
    open_already = False

    def name(text):
        m = re.match(r'\((\d+)\)(?: (.*))?$', text)
        if m and m[2]:
            names[m[1]] = m[2]
        return re.sub(r"'\d+$", '', names[m[1]] if m else text)

    for line in pathlib.Path(path).read_text(encoding='utf-8').splitlines():
        key, _, value = line.partition('=')
        if key == 'fn':
            caller = name(value)
        elif key == 'cfn':
            callee = name(value)
        elif line == '# calls=0':  # a call from before the part began, as assay writes it
            open_already = True
        elif key == 'calls':
            found[caller, callee] += 0 if open_already else int(value.split()[0])
            open_already = False
    return found


def by_callgrind(s, program):
    out = s.name('truth')
    subprocess.run(['valgrind', '-q', '--tool=callgrind', '--callgrind-out-file=' + out, program], check=True)
    return edges(out)


def by_assay(s, program, *args, status=0):
    out = s.name('p.callgrind')
    if os.path.exists(out):
        os.unlink(out)
    r = tap.Run(['record', '--no-show', '--calls', '-o', out, program, *args])
    equal(r.code, status, r.err)
    return edges(out), r.err


def totals(found, only):
    n = collections.Counter()
    for (_, callee), calls in found.items():
        if callee in only:
            n[callee] += calls
    return n


def compare(s, program, through_libraries=()):
    """All functions of the program, and all calls between them; those that a library calls are its caller's here."""
    truth = by_callgrind(s, program)
    ours, err = by_assay(s, program)
    functions = {callee for _, callee in ours}
    want('main' in functions and len(functions) > 3, f'functions: {functions}')
    equal(totals(ours, functions), totals(truth, functions), 'calls by function')
    for (caller, callee), calls in truth.items():
        if caller in functions and callee in functions:
            equal(ours[caller, callee], calls, f'calls of {callee} by {caller}')
    for (caller, callee), calls in ours.items():
        if caller in functions and callee not in through_libraries:
            equal(truth[caller, callee], calls, f'calls of {callee} by {caller}, as we have them')
    return err


@t('C: recursion, callbacks, longjmp and exit')
def _():
    for compiler in COMPILERS['.c']:
        with Scratch() as s:
            err = compare(s, build(s, 'plain.c', PLAIN, compiler=compiler), ('less',))
            want('left without an end' in err and 'were not over when' in err, err)
            equal('warning' in err, False, err)


@t('C++: exceptions, destructors and virtual functions')
def _():
    for compiler in COMPILERS['.cc']:
        with Scratch() as s:
            compare(s, build(s, 'throws.cc', THROWS, compiler=compiler))


@t('threads that come and go')
def _():
    with Scratch() as s:
        program = build(s, 'threads.c', THREADS)
        err = compare(s, program, ('work',))
        want(' 401 threads: ' in err, err)


@t('inlined code has its calls, and those who make them')
def _():
    text = '''
volatile long sink;
static inline __attribute__((always_inline)) void inner(int i) { sink += i; }
static inline __attribute__((always_inline)) void outer(int i) { inner(i); inner(i + 1); }
int main(void) { for (int i = 0; i < 100; i++) outer(i); return 0; }
'''
    for compiler in COMPILERS['.c']:
        with Scratch() as s:
            ours, err = by_assay(s, build(s, 'inlined.c', text, compiler=compiler))
            equal((ours['main', 'outer'], ours['outer', 'inner']), (100, 200), 'calls')
            equal('left' in err, False, err)


@t('signal handlers, on the stack and on one of their own')
def _():
    text = r'''
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
static volatile long handled, worked;
static void handle(int n) { handled += n != 0; }
static void work(int i) { worked += i; }
static void start(int flags)
{
	struct sigaction act = {.sa_handler = handle, .sa_flags = flags};
	sigaction(SIGALRM, &act, 0);
}
int main(int argc, char **argv)
{
	struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	stack_t own = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
	long i = 0;
	sigaltstack(&own, 0);
	start(argc > 2 ? SA_ONSTACK : 0);
	setitimer(ITIMER_REAL, &every, 0);
	for (; handled < 500; i++) work(1);
	setitimer(ITIMER_REAL, &never, 0);
	FILE *f = fopen(argv[1], "w");
	fprintf(f, "%ld %ld", handled, i);
	return fclose(f);
}
'''
    with Scratch() as s:
        program = build(s, 'signals.c', text)
        for args in ((), ('own',)):
            ours, err = by_assay(s, program, s.name('said'), *args)
            handled, worked = map(int, pathlib.Path(s.name('said')).read_text(encoding='utf-8').split())
            n = totals(ours, ('handle', 'work'))
            equal((n['handle'], n['work']), (handled, worked), f'calls {args}')
            equal(ours['main', 'work'], worked, f'calls of work by main {args}')
            equal('left' in err, False, err)


@t('fork: the child has its own calls, from there on')
def _():
    text = r'''
#include <sys/wait.h>
#include <unistd.h>
static volatile long sink;
static void before(int i) { sink += i; }
static void child(int i) { sink += i; }
static void parent(int i) { sink += i; }
static void run(void)
{
	int pid = fork();
	for (int i = 0; i < 30; i++) if (pid) parent(i); else child(i);
	if (!pid) _exit(0);
	waitpid(pid, 0, 0);
}
int main(void) { for (int i = 0; i < 20; i++) before(i); run(); return 0; }
'''
    with Scratch() as s:
        ours, err = by_assay(s, build(s, 'forks.c', text))
        equal((ours['main', 'before'], ours['run', 'child'], ours['run', 'parent'], ours['main', 'run']), (20, 30, 30, 1), 'calls')
        want('1 process is a child of fork()' in err and '1 process was killed, or ended by _exit()' in err, err)
        want('2 processes' in err, err)


@t('a killed process, and one that becomes another program, leave all they counted')
def _():
    text = r'''
#include <signal.h>
#include <string.h>
#include <unistd.h>
static volatile long sink;
static void first(int i) { sink += i; }
static void second(int i) { sink += i; }
int main(int argc, char **argv)
{
	if (argc == 1) {
		for (int i = 0; i < 10; i++) first(i);
		return execl(argv[0], argv[0], "again", (char *)0);
	}
	for (int i = 0; i < 12345; i++) second(i);
	return kill(getpid(), SIGKILL);
}
'''
    with Scratch() as s:
        ours, err = by_assay(s, build(s, 'dies.c', text), status=137)
        equal((ours['main', 'first'], ours['main', 'second']), (10, 12345), 'calls')


@t('libraries that are loaded and unloaded')
def _():
    library = 'static volatile long sink; void NAME(int i); void NAME(int i) { sink += i; }'
    text = r'''
#include <dlfcn.h>
static void use(const char *path, const char *name, int n)
{
	void *l = dlopen(path, RTLD_NOW);
	void (*f)(int) = (void (*)(int))dlsym(l, name);
	for (int i = 0; i < n; i++) f(i);
	dlclose(l);
}
int main(int argc, char **argv)
{
	use(argv[1], "red", 10); use(argv[2], "blue", 20); use(argv[1], "red", 30);
	return argc != 3;
}
'''
    with Scratch() as s:
        paths = [build(s, name + '.c', library.replace('NAME', name), ['-shared', '-fPIC']) for name in ('red', 'blue')]
        ours, err = by_assay(s, build(s, 'loads.c', text, ['-ldl']), *paths)
        equal((totals(ours, ('red', 'blue'))), {'red': 40, 'blue': 20}, err)


@t('times are between what the program measured within and around')
def _():
    text = r'''
#include <stdio.h>
#include <time.h>
static volatile long sink, within;
static long now(void) __attribute__((no_instrument_function));
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
static void part(int i) { for (int k = 0; k < 20000; k++) sink += i; }
static void whole(void) { long t = now(); for (int i = 0; i < 300; i++) part(i); within += now() - t; }
int main(int argc, char **argv)
{
	long t = now();
	whole();
	t = now() - t;
	FILE *f = fopen(argv[argc - 1], "w");
	fprintf(f, "%ld %ld", within, t);
	return fclose(f);
}
'''
    with Scratch() as s:
        program = build(s, 'times.c', text)
        by_assay(s, program, s.name('said'))
        within, around = map(int, pathlib.Path(s.name('said')).read_text(encoding='utf-8').split())
        rows = {r['function']: r for r in tap.top(s.name('p.callgrind'))['rows']}
        whole, part = rows['whole'], rows['part']
        want(within * 0.999 <= whole['inclusive'][0] <= around * 1.001, f'{whole} {within} {around}')
        want(abs(whole['self'][0] + part['self'][0] - whole['inclusive'][0]) < 4, f'{whole} {part}: rounded apart')
        equal(part['calls'], 300, 'calls')


@t('lines of calls, and top, tree and peek of what was counted')
def _():
    text = '''volatile long sink;
static void leaf(int i) { sink += i; }
static void twice(int i)
{
	leaf(i);
	leaf(i);
}
int main(void) { for (int i = 0; i < 9; i++) twice(i); return 0; }
'''
    with Scratch() as s:
        by_assay(s, build(s, 'lines.c', text))
        lines = pathlib.Path(s.name('p.callgrind')).read_text(encoding='utf-8')
        want('calls=9 2\n5 ' in lines or 'calls=9 -3\n5 ' in lines or re.search(r'calls=9 \S+\n[+*5]', lines), lines)
        equal(lines.count('calls=9 '), 3, lines)
        listed = tap.Run(['list', '--no-pager', 'twice', s.name('p.callgrind')])
        want(b'leaf' in listed.out, listed.err)
        for command in (['tree'], ['peek', 'leaf'], ['top'], ['flame', '-o', s.name('x.svg')], ['check']):
            equal(tap.Run([*command, s.name('p.callgrind')]).code, 0, str(command))


@t('a program that was not built so gets the flag to use')
def _():
    with Scratch() as s:
        r = tap.Run(['record', '--calls', '-o', s.name('x.callgrind'), 'true'])
        equal(r.code, 4, r.err)
        want('-finstrument-functions' in r.err, r.err)
        equal(glob.glob(s.name('*')), [], 'what is left')
        for options in (['-F', '99'], ['--callgrind'], ['--mode', 'wall'], ['-a'], ['--timeline']):
            equal(tap.Run(['record', '--calls', *options, 'true']).code, 2, str(options))


@t('who only samples a library that throws does not see how its unwinder is found')
def _():
    plugin = '''#include <stdexcept>
extern "C" int plugin(int i) { try { if (i >= 0) throw std::runtime_error("x"); return 1; } catch (std::exception &) { return 2; } }
'''
    text = r'''
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *l = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
	int (*f)(int) = (int (*)(int))dlsym(l, "plugin");
	int n = 0;
	for (int i = 0; i < 400000; i++) n += f(i);
	return n != 800000;
}
'''
    with Scratch() as s:
        library = build(s, 'plugin.cc', plugin, ['-shared', '-fPIC', '-fno-instrument-functions'])
        program = build(s, 'throws.c', text, ['-fno-instrument-functions', '-ldl'])
        r = tap.Run(['record', '--no-show', '-F', '1000', '-o', s.name('p.prof'), program, library])
        equal(r.code, 0, r.err)
        equal(tap.Run(['symbolize', '-t', 'folded', '-o', s.name('p.folded'), s.name('p.prof')]).code, 0, 'names')
        thrown = found = 0
        for line in pathlib.Path(s.name('p.folded')).read_text(encoding='utf-8').splitlines():
            stack, _, n = line.rpartition(' ')
            if 'throw' in stack:
                thrown += int(n)
                found += int(n) if re.search('dl_?addr|dlopen|dlsym', stack) else 0
        want(thrown > 20 and found < thrown / 10, f'{found} of {thrown} samples')


t.run()
