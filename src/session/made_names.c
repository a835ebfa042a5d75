/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "session/load_impl.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perf/perf_jit.h"
#include "session/naming.h"
#include "symbols/names/demangle.h"
#include "symbols/names/name_list.h"

enum { BYTES_MAX = 1 << 30, PATH_SIZE = 4096, NS_PER_S = 1000000000 };
enum { MAP_LATE = 5 }; /* seconds after a run in which its process may end */

struct as_made_file {
	struct as_slice path;
	uint32_t pid;
	bool used; /* else it is not there, or may not be used */
	bool is_dump, timeless;
	struct as_jit jit;
	struct as_name_list list;
};

/* ---- files ---- */

/* Anybody may put a file where it is looked for: so one of the user's own, or of root's. What the
 * user names himself is right. */
static int made_names_open(const char *path, bool given, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (given ? 0 : O_NOFOLLOW));

	if (fd < 0)
		return -1;
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode) &&
		(given || st->st_uid == geteuid() || st->st_uid == 0))
		return fd;
	close(fd);
	return -1;
}

/* The process wrote it, and not another one that had its number before or after. */
static bool made_names_is_of_run(const struct as_made_run *run, const struct stat *st)
{
	int64_t last = (int64_t)st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;

	if (!run->started)
		return true;
	return last >= run->started - NS_PER_S &&
	       last <= run->started + run->duration + (int64_t)MAP_LATE * NS_PER_S;
}

struct made_bytes {
	const struct as_alloc *al;
	char *p;
	size_t n, size;
};

/* AS_E_IO if it cannot be read. */
static enum as_code made_names_read(struct made_bytes *b, int fd, const struct stat *st)
{
	if (st->st_size <= 0 || st->st_size > BYTES_MAX)
		return AS_E_IO;
	b->size = (size_t)st->st_size;
	b->p = as_alloc_new(b->al, b->size);
	AS_TRY(as_memory(b->p));
	while (b->n < b->size) {
		ssize_t got = read(fd, b->p + b->n, b->size - b->n);

		if (got < 0)
			return AS_E_IO;
		if (got == 0)
			break; /* it has become shorter */
		b->n += (size_t)got;
	}
	return AS_OK;
}

/* ---- which ---- */

/* --binary: the file that is called as BASE; NULL: none is. */
static const char *made_names_given(struct as_made_files *m, struct as_slice base)
{
	const struct as_list *binary = &m->ses->opt.name.binary;

	for (size_t i = 0; i < binary->n; i++)
		if (as_slice_eq(as_base_name(as_slice_of(binary->p[i])), base)) {
			m->given |= UINT64_C(1) << i;
			return binary->p[i];
		}
	return NULL;
}

/* A map that is named for a process whose number it does not have is as_symbolize()'s to use. */
static bool made_names_has_other_map(const struct as_made_files *m)
{
	const struct as_list *binary = &m->ses->opt.name.binary;

	for (size_t i = 0; i < binary->n; i++) {
		struct as_slice base = as_base_name(as_slice_of(binary->p[i]));

		if (as_slice_starts(base, "perf-") && as_slice_ends(base, ".map"))
			return true;
	}
	return false;
}

/* Of the process by its own number: in a container it has another one inside. */
static bool made_names_is_its(const struct as_made_file *f)
{
	struct as_slice base = as_base_name(f->path), number;
	uint64_t pid;

	number = as_slice_skip(base, strlen("jit-"));
	number.len -= strlen(".dump");
	return as_slice_dec(number, &pid) && pid == f->jit.pid;
}

/* Some say that times are the processor's, and write nanoseconds (libxsmm): these lie within
 * the recording. */
static void made_names_take_dump(struct as_made_file *f, const struct as_made_run *run)
{
	const struct as_jit *jit = &f->jit;

	f->used = made_names_is_its(f);
	for (size_t i = 0; jit->arch_times && i < jit->code.n && !f->timeless; i++)
		f->timeless =
			jit->code.p[i].time < run->first / 2 || jit->code.p[i].time > run->last;
}

static enum as_code made_names_take(
	struct as_made_files *m, struct as_made_file *f, int fd, const struct as_made_run *run)
{
	struct made_bytes b = {.al = m->ses->al};
	struct stat st;
	size_t n_odd;
	enum as_code rc = fstat(fd, &st) == 0 ? made_names_read(&b, fd, &st) : AS_E_IO;
	struct as_slice text = {b.p, b.n};

	if (rc == AS_OK && f->is_dump) {
		rc = as_jit_read(&f->jit, m->ses->al, text);
		if (rc == AS_OK)
			made_names_take_dump(f, run);
	} else if (rc == AS_OK) {
		rc = as_name_list_read(&f->list, m->ses->al, AS_NAMES_PERF_MAP, text, &n_odd);
		f->used = rc == AS_OK;
	}
	as_alloc_free(m->ses->al, b.p, b.size);
	return rc == AS_E_NOMEM ? rc : AS_OK;
}

static enum as_code made_names_look(
	struct as_made_files *m, struct as_made_file *f, const struct as_made_run *run)
{
	const char *given;
	char path[PATH_SIZE];
	struct stat st;
	enum as_code rc = AS_OK;
	int fd;

	if (f->is_dump)
		snprintf(path, sizeof(path), "%.*s", AS_SLICE_FMT(run->dump));
	else
		snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", run->pid);
	given = made_names_given(m, as_base_name(as_slice_of(path)));
	if (!given && !f->is_dump && made_names_has_other_map(m))
		return AS_OK;
	fd = made_names_open(given ? given : path, given, &st);
	if (fd < 0)
		return AS_OK;
	if (given || f->is_dump || made_names_is_of_run(run, &st))
		rc = made_names_take(m, f, fd, run);
	close(fd);
	return rc;
}

/* ---- what the reader asks for ---- */

static bool made_names_need(void *ctx, const struct as_made_run *run, uint32_t *names)
{
	struct as_made_files *m = ctx;
	struct as_made_file f = {.pid = run->pid, .is_dump = run->dump.len};
	enum as_code rc;

	*names = 0;
	for (size_t i = 0; i < m->file.n; i++) {
		const struct as_made_file *have = &m->file.p[i];

		if (have->is_dump == f.is_dump && as_slice_eq(have->path, run->dump) &&
			(f.is_dump || have->pid == f.pid)) {
			*names = have->used ? (uint32_t)i + 1 : 0;
			return true;
		}
	}
	f.path = as_arena_dup(&m->arena, run->dump);
	rc = f.path.p ? made_names_look(m, &f, run) : AS_E_NOMEM;
	if (!as_vec_push(m->ses->al, &m->file, f)) {
		as_jit_release(&f.jit);
		as_name_list_release(&f.list);
		return false;
	}
	*names = f.used ? (uint32_t)m->file.n : 0;
	return rc == AS_OK;
}

static uint64_t made_names_time(const struct as_made_file *f, uint64_t time)
{
	return f->timeless ? UINT64_MAX : time;
}

static uint32_t made_names_version(void *ctx, uint32_t names, uint64_t time, bool *timed)
{
	const struct as_made_files *m = ctx;
	const struct as_made_file *f = &m->file.p[names - 1];

	*timed = !f->timeless;
	return f->is_dump ? as_jit_version(&f->jit, made_names_time(f, time)) : 0;
}

static bool made_names_find(
	void *ctx, uint32_t names, uint64_t time, uint64_t addr, struct as_made_code *out)
{
	struct as_made_files *m = ctx;
	const struct as_made_file *f = &m->file.p[names - 1];
	const struct as_name_entry *entry = NULL;
	const struct as_jit_code *code = NULL;
	const struct as_jit_line *line;

	*out = (struct as_made_code){.line = 0};
	if (f->is_dump)
		code = as_jit_find(&f->jit, made_names_time(f, time), addr);
	else
		entry = as_name_list_find(&f->list, addr);
	if (!code && !entry)
		return true;
	out->name = as_demangle(&m->arena, code ? code->name : entry->name, AS_NAMES_FULL);
	line = code ? as_jit_line(&f->jit, code, addr) : NULL;
	if (line) {
		out->file = line->file;
		out->line = line->line;
	}
	return out->name.p;
}

const struct as_made_names *as_made_files_init(
	struct as_made_files *m, const struct as_session *ses)
{
	*m = (struct as_made_files){.ses = ses,
		.hook = {.ctx = m,
			.open = made_names_need,
			.version = made_names_version,
			.find = made_names_find}};
	as_arena_init(&m->arena, ses->al);
	return as_session_wants_names(ses) ? &m->hook : NULL;
}

void as_made_files_release(struct as_made_files *m)
{
	for (size_t i = 0; i < m->file.n; i++) {
		as_jit_release(&m->file.p[i].jit);
		as_name_list_release(&m->file.p[i].list);
	}
	as_vec_free(m->ses->al, &m->file);
	as_arena_release(&m->arena);
}
