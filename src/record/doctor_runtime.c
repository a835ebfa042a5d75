/* SPDX-License-Identifier: Apache-2.0 */
/* What gives names to code of runtimes that are installed here, and to the system's libraries. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/package.h"
#include "record/doctor.h"
#include "record/program.h"

enum { RUNTIME_MS = 3000, ID_MAX = 64 };

/* ---- what a program says ---- */

static long long runtime_now_ms(void)
{
	struct timespec t = {0, 0};

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* What comes through FD until it ends, in TEXT; false: not in time. */
static bool runtime_read(int fd, char *text, size_t size)
{
	long long end = runtime_now_ms() + RUNTIME_MS, left;
	size_t n = 0;
	ssize_t got = 1;

	while (got != 0 && n + 1 < size) {
		struct pollfd p = {.fd = fd, .events = POLLIN};

		left = end - runtime_now_ms();
		if (left <= 0 || (poll(&p, 1, (int)left) <= 0 && errno != EINTR))
			return false;
		got = read(fd, text + n, size - n - 1);
		n += got > 0 ? (size_t)got : 0;
	}
	text[n] = '\0';
	return true;
}

/* How PID ended; one that goes on is killed. */
static int runtime_end(pid_t pid)
{
	const struct timespec step = {.tv_nsec = 5000000};
	long long end = runtime_now_ms() + RUNTIME_MS;
	int status = 1;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (runtime_now_ms() >= end)
			kill(pid, SIGKILL);
		nanosleep(&step, NULL);
	}
	return status;
}

/* What ARGV prints, in TEXT; nothing where that fails. */
static struct as_slice runtime_run(const char *const *argv, char *text, size_t size)
{
	const struct as_slice none = {"", 0};
	posix_spawn_file_actions_t to;
	int ends[2];
	pid_t pid;
	bool ok;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return none;
	posix_spawn_file_actions_init(&to);
	posix_spawn_file_actions_addopen(&to, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&to, ends[1], 1);
	posix_spawn_file_actions_addopen(&to, 2, "/dev/null", O_WRONLY, 0);
	ok = posix_spawn(&pid, argv[0], &to, NULL, (char *const *)(uintptr_t)argv, environ) == 0;
	posix_spawn_file_actions_destroy(&to);
	close(ends[1]);
	if (!ok) {
		close(ends[0]);
		return none;
	}
	ok = runtime_read(ends[0], text, size);
	close(ends[0]);
	if (!ok)
		kill(pid, SIGKILL);
	return runtime_end(pid) == 0 && ok ? as_slice_of(text) : none;
}

/* BEFORE and the number behind it, which S begins with, are moved over. */
static bool runtime_number(struct as_slice *s, const char *before, uint64_t *n)
{
	if (!as_slice_starts(*s, before))
		return false;
	*s = as_slice_skip(*s, strlen(before));
	return as_slice_take_dec(s, n);
}

/* Where PROGRAM is, to be executed; false: it is not there. */
static bool runtime_find(struct as_program *p, const char *program, const char *search)
{
	as_program_find(p, program, search);
	return p->kind != AS_PROGRAM_NONE;
}

/* ---- runtimes ---- */

static void look_at_node(struct as_doctor *d, const char *search)
{
	struct as_program p;
	char text[64];
	struct as_slice said;
	uint64_t major;

	if (!runtime_find(&p, "node", search))
		return;
	said = runtime_run((const char *const[]){p.path, "--version", NULL}, text, sizeof(text));
	if (!runtime_number(&said, "v", &major))
		as_doctor_add(
			d, "node", AS_DOCTOR_NOTE, "%.200s does not tell its version", p.path);
	else if (major >= 12)
		as_doctor_add(d, "node", AS_DOCTOR_OK,
			"%" PRIu64
			": node --perf-basic-prof gives functions names, --cpu-prof writes a "
			".cpuprofile, with lines, that is read",
			major);
	else
		as_doctor_advise(
			as_doctor_add(d, "node", AS_DOCTOR_NOTE,
				"%" PRIu64 ": node --perf-basic-prof gives functions names, not "
				"lines",
				major),
			"12 and later write a .cpuprofile with lines (--cpu-prof), which is read");
}

static void look_at_python(struct as_doctor *d, const char *search)
{
	/* Its version, whether it can name its functions, and whether it keeps frame pointers. */
	static const char ask[] =
		"import sys, sysconfig\n"
		"print('%d %d' % sys.version_info[:2], int(hasattr(sys, "
		"'activate_stack_trampoline')), "
		"int('-fno-omit-frame-pointer' in ' '.join(str(sysconfig.get_config_var(v)) "
		"for v in ('CFLAGS', 'PY_CFLAGS', 'PY_CORE_CFLAGS'))))";
	struct as_program p;
	uint64_t major, minor, names, frames;
	struct as_slice said;
	char text[64];

	if (!runtime_find(&p, "python3", search))
		return;
	said = runtime_run((const char *const[]){p.path, "-c", ask, NULL}, text, sizeof(text));
	if (!runtime_number(&said, "", &major) || !runtime_number(&said, " ", &minor) ||
		!runtime_number(&said, " ", &names) || !runtime_number(&said, " ", &frames))
		as_doctor_add(
			d, "python", AS_DOCTOR_NOTE, "%.200s does not tell its version", p.path);
	else if (!names)
		as_doctor_advise(
			as_doctor_add(d, "python", AS_DOCTOR_NOTE,
				"%" PRIu64 ".%" PRIu64
				": a recording has the interpreter's functions, not Python's",
				major, minor),
			"python -m cProfile -o x.pstats, or py-spy record -f raw, which are read; "
			"or 3.12 and later, which have -X perf");
	else if (!frames)
		as_doctor_advise(
			as_doctor_add(d, "python", AS_DOCTOR_NOTE,
				"%" PRIu64 ".%" PRIu64
				": python -X perf gives functions names; what calls the "
				"innermost one is not seen, as it was built without frame pointers",
				major, minor),
			"for stacks: CFLAGS=-fno-omit-frame-pointer when it is built, or "
			"python -m cProfile -o x.pstats, which is read");
	else
		as_doctor_add(d, "python", AS_DOCTOR_OK,
			"%" PRIu64 ".%" PRIu64
			": python -X perf gives functions names, and stacks by frame pointers",
			major, minor);
}

/* The file that says which Java it is lies beside the folder of PROGRAM. */
static FILE *java_release(const char *program)
{
	char path[PATH_MAX + 16], *real = realpath(program, NULL), *slash = NULL;
	FILE *f = NULL;

	if (real && (slash = strrchr(real, '/'))) {
		*slash = '\0';
		snprintf(path, sizeof(path), "%s/../release", real);
		f = fopen(path, "re");
	}
	free(real);
	return f;
}

static void look_at_java(struct as_doctor *d, const char *search)
{
	uint64_t version = 0;
	bool recorder = false;
	struct as_program p;
	char *line = NULL;
	size_t size = 0;
	FILE *f;

	if (!runtime_find(&p, "java", search))
		return;
	f = java_release(p.path);
	while (f && getline(&line, &size, f) > 0) {
		struct as_slice first = as_slice_of(line), later = first;

		if (!runtime_number(&first, "JAVA_VERSION=\"1.", &version))
			(void)runtime_number(&later, "JAVA_VERSION=\"", &version);
		recorder |= strncmp(line, "MODULES=", 8) == 0 && strstr(line, "jdk.jfr");
	}
	free(line);
	if (f)
		fclose(f);
	if (version >= 17)
		as_doctor_add(d, "java", AS_DOCTOR_OK,
			"%" PRIu64
			": java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit gives "
			"methods names, and -XX:+PreserveFramePointer stacks%s",
			version, recorder ? "; -XX:StartFlightRecording, too, is read" : "");
	else if (recorder)
		as_doctor_add(d, "java", AS_DOCTOR_NOTE,
			"%" PRIu64
			": methods have no names in a recording, but -XX:StartFlightRecording "
			"writes what is read",
			version);
	else
		as_doctor_advise(as_doctor_add(d, "java", AS_DOCTOR_NOTE, "%.200s: %s", p.path,
					 version ? "methods have no names in a recording"
						 : "its folder does not tell its version"),
			"17 and later write them; of 8 and later async-profiler or perf-map-agent "
			"do, or JFR, where it is built in");
}

/* ---- libc, as an example of what a distribution takes names from ---- */

struct libc {
	char path[PATH_MAX], id[2 * ID_MAX + 1];
};

static int runtime_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct libc *libc = arg;

	(void)size;
	if (!strstr(info->dlpi_name, "/libc.so"))
		return 0;
	snprintf(libc->path, sizeof(libc->path), "%s", info->dlpi_name);
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const char *at = (const char *)(uintptr_t)(info->dlpi_addr + ph->p_vaddr);
		size_t left = ph->p_type == PT_NOTE ? ph->p_memsz : 0;

		while (left >= sizeof(ElfW(Nhdr))) {
			ElfW(Nhdr) note;
			size_t name, bytes;

			memcpy(&note, at, sizeof(note));
			name = (note.n_namesz + 3U) / 4 * 4;
			bytes = sizeof(note) + name + (note.n_descsz + 3U) / 4 * 4;
			if (bytes > left)
				break;
			if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz <= ID_MAX &&
				note.n_namesz == 4 && memcmp(at + sizeof(note), "GNU", 4) == 0)
				for (size_t k = 0; k < note.n_descsz; k++)
					snprintf(libc->id + 2 * k, 3, "%02x",
						(unsigned char)at[sizeof(note) + name + k]);
			at += bytes;
			left -= bytes;
		}
	}
	return 1;
}

static void look_at_libc(struct as_doctor *d)
{
	struct libc libc = {"", ""};
	char file[2 * ID_MAX + 64];
	struct as_slice package;
	struct as_arena arena;
	char advice[160];

	if (!dl_iterate_phdr(runtime_libc, &libc) || strlen(libc.id) < 4)
		return;
	snprintf(
		file, sizeof(file), "/usr/lib/debug/.build-id/%.2s/%s.debug", libc.id, libc.id + 2);
	if (access(file, R_OK) == 0) {
		as_doctor_add(d, "debug names", AS_DOCTOR_OK, "those of %.60s are in %s", libc.path,
			file);
		return;
	}
	as_arena_init(&arena, &as_alloc_libc);
	package = as_package_of(&arena, AS_DPKG_INFO, as_slice_of(libc.path));
	package = package.len ? as_package_debug(&arena, package) : package;
	snprintf(advice, sizeof(advice),
		package.len ? "apt-get install %.*s; of other libraries 'top' names the package"
			    : "install libc's debug information%.*s, or give --debuginfod",
		AS_SLICE_FMT(package));
	as_doctor_advise(as_doctor_add(d, "debug names", AS_DOCTOR_NOTE,
				 "of %.200s there are none here: functions that it does not export "
				 "are called by where they begin",
				 libc.path),
		advice);
	as_arena_release(&arena);
}

void as_doctor_look_at_names(struct as_doctor *d, const char *search)
{
	look_at_node(d, search);
	look_at_python(d, search);
	look_at_java(d, search);
	look_at_libc(d);
}
