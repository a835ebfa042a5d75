/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/symbolize.h"

#include "base/pool.h"
#include "symbols/names/symbol_text.h"
#include "symbols/symbol_file.h"
#include "symbols/symbol_job.h"
#include "symbols/symbol_spots.h"

bool as_wants_symbols(const struct as_profile *prof)
{
	struct as_pool pool;
	struct as_spots s;
	bool wants;

	as_pool_init(&pool, prof->al);
	wants = as_spots_begin(&s, prof, &pool.al) && as_spots_any(&s);
	as_pool_release(&pool);
	return wants;
}

/* ---- all objects ---- */

enum {
	ADDRS_MANY = 1 << 16, /* of an object: to keep them is dearer than to look for a file */
	OPEN_MAX = 64,        /* files at once */
};

struct naming {
	const struct as_profile *prof;
	const struct as_symbol_opts *opts;
	struct as_chains *chains;
	struct as_symbol_report *report;
	struct as_symaddr *addr; /* of all objects, one after the other */
	struct as_symjob *job;
	size_t n_jobs;
	struct as_symbol_opts alone; /* for objects that are read at the same time */
	struct as_symtexts texts;
};

/* One for each object that has addresses. */
static bool make_jobs(struct naming *nm, const struct as_spots *s)
{
	size_t n = 0;

	for (size_t i = 0; i < nm->prof->object.n; i++)
		n += s->of[i].most > 0;
	if (!as_alloc_array(s->al, &nm->job, n))
		return false;
	for (uint32_t i = 0; i < nm->prof->object.n; i++)
		if (s->of[i].most)
			nm->job[nm->n_jobs++] = (struct as_symjob){.prof = nm->prof,
				.opts = nm->opts,
				.report.object.i = i,
				.n = s->of[i].most};
	return true;
}

/* Of objects with many addresses the file is looked for first: if it is not there nobody asks for
 * them. It stays open. */
static void symbolize_find_files(struct naming *nm)
{
	unsigned n = 0;

	for (size_t i = 0; i < nm->n_jobs && n < OPEN_MAX; i++)
		if (nm->job[i].n >= ADDRS_MANY) {
			as_symjob_find(&nm->job[i]);
			n++;
		}
}

static bool symbolize_find_addresses(struct naming *nm, struct as_spots *s)
{
	size_t at = 0;

	for (size_t i = 0; i < nm->n_jobs; i++)
		s->of[nm->job[i].report.object.i].counted = !as_symjob_asks(&nm->job[i]);
	if (!as_spots_find(s) || !as_alloc_array(s->al, &nm->addr, s->row.n))
		return false;
	for (size_t i = 0; i < s->row.n; i++)
		nm->addr[i].addr = s->row.p[i].addr;
	for (size_t i = 0; i < nm->n_jobs; i++) {
		struct as_symjob *job = &nm->job[i];
		const struct as_spots_of *of = &s->of[job->report.object.i];

		job->report.n_addrs = of->n;
		job->n = of->counted ? 0 : of->n;
		job->addr = nm->addr + at;
		at += job->n;
	}
	as_assert(at == s->row.n);
	return true;
}

static void symbolize_run_job(void *arg, unsigned i)
{
	struct naming *nm = arg;

	as_assert(i < nm->n_jobs);
	as_symjob_run(&nm->job[i]);
}

/* One object that has most of the addresses uses all threads for itself. */
static bool is_one_large(const struct naming *nm)
{
	size_t n = 0, largest = 0;

	for (size_t i = 0; i < nm->n_jobs; i++) {
		n += nm->job[i].n;
		largest = nm->job[i].n > largest ? nm->job[i].n : largest;
	}
	return largest > n / 4 * 3;
}

/* Whether objects are asked at the same time; then each by one thread. */
static bool objects_at_once(struct naming *nm)
{
	if (!nm->opts->elf.run || nm->n_jobs < 2 || nm->n_jobs > UINT32_MAX || is_one_large(nm))
		return false;
	nm->alone = *nm->opts;
	nm->alone.elf.run = NULL;
	for (size_t i = 0; i < nm->n_jobs; i++)
		nm->job[i].opts = &nm->alone;
	return true;
}

static void run_jobs(struct naming *nm, bool at_once)
{
	const struct as_elf_opts *elf = &nm->opts->elf;

	if (at_once)
		elf->run(elf->run_ctx, symbolize_run_job, nm, (unsigned)nm->n_jobs);
	for (size_t i = 0; !at_once && i < nm->n_jobs; i++)
		as_symjob_run(&nm->job[i]);
}

/* ---- code that no file explains ---- */

static bool text_chain(struct naming *nm, as_object o, uint64_t addr, struct as_slice name)
{
	struct as_frame fr = {0};

	name = as_demangle(&nm->report->arena, name, AS_NAMES_FULL);
	return name.p && as_strings_add(&nm->chains->str, name, &fr.name) &&
	       as_chains_add(nm->chains, o, addr) && as_chains_frame(nm->chains, &fr);
}

static enum as_code ask_texts(
	struct naming *nm, struct as_object_report *r, const struct as_symaddr *addr)
{
	for (size_t i = 0; i < r->n_addrs; i++) {
		const struct as_name_entry *entry;
		enum as_name_list_kind kind;
		uint64_t absolute;

		if (!as_symtexts_absolute(nm->prof, r->object, addr[i].addr, &absolute))
			continue;
		AS_TRY(as_symtexts_find(&nm->texts, r->object, absolute, &kind, &entry));
		if ((nm->texts.there[kind] || nm->texts.note[kind].len) && !r->file.len) {
			r->file = nm->texts.path[kind];
			r->note = nm->texts.note[kind];
		}
		if (!entry)
			continue;
		AS_TRY(as_memory(text_chain(nm, r->object, addr[i].addr, entry->name)));
		r->state = AS_OBJECT_NAMED;
		r->n_named++;
	}
	return AS_OK;
}

/* ---- the report ---- */

static bool keep_report(struct naming *nm, struct as_object_report r)
{
	struct as_symbol_report *to = nm->report;

	r.file = as_arena_dup(&to->arena, r.file);
	r.note = as_arena_dup(&to->arena, r.note);
	r.lacks = as_arena_dup(&to->arena, r.lacks);
	r.debug = as_arena_dup(&to->arena, r.debug);
	return r.file.p && r.note.p && r.lacks.p && r.debug.p &&
	       as_vec_push(to->arena.al, &to->object, r);
}

static enum as_code symbolize_collect(struct naming *nm, struct as_err *err)
{
	for (size_t i = 0; i < nm->n_jobs; i++) {
		struct as_symjob *job = &nm->job[i];
		enum as_code rc = job->rc;

		AS_THEN(rc, as_symjob_emit(job, nm->chains));
		if (rc == AS_OK && job->report.state == AS_OBJECT_NOT_A_FILE)
			rc = ask_texts(nm, &job->report, job->addr);
		if (rc == AS_E_UNSUPPORTED)
			return as_err_set(err, rc, "names need elfutils: this assay has none");
		if (rc != AS_OK || !keep_report(nm, job->report))
			return as_err_no_memory(err);
	}
	return AS_OK;
}

static enum as_code name_all(struct naming *nm, struct as_spots *s, struct as_err *err)
{
	bool at_once;

	AS_TRY(as_err_memory(err, make_jobs(nm, s)));
	at_once = objects_at_once(nm);
	symbolize_find_files(nm);
	AS_TRY(as_err_memory(err, symbolize_find_addresses(nm, s)));
	run_jobs(nm, at_once);
	return symbolize_collect(nm, err);
}

enum as_code as_symbolize(const struct as_profile *prof, const struct as_symbol_opts *opts,
	struct as_chains *chains, struct as_symbol_report *report, struct as_err *err)
{
	struct naming nm = {.prof = prof, .opts = opts, .chains = chains, .report = report};
	struct as_pool pool;
	struct as_spots s;
	enum as_code rc;

	*report = (struct as_symbol_report){0};
	as_arena_init(&report->arena, prof->al);
	as_pool_init(&pool, prof->al);
	if (!as_chains_init(chains, prof->al) || !as_spots_begin(&s, prof, &pool.al)) {
		as_pool_release(&pool);
		return as_err_no_memory(err);
	}
	as_assert(!opts->kept || !opts->elf.run);
	as_symtexts_init(&nm.texts, prof, opts, &report->arena);
	if (opts->kept)
		as_kept_begin(opts->kept);
	rc = name_all(&nm, &s, err);
	as_symtexts_release(&nm.texts);
	for (size_t i = 0; nm.job && i < nm.n_jobs; i++)
		as_symjob_release(&nm.job[i]);
	as_pool_release(&pool);
	return rc;
}

bool as_may_symbolize(const struct as_profile *prof, const struct as_symbol_opts *opts)
{
	struct naming nm = {.prof = prof, .opts = opts};
	struct as_pool pool;
	struct as_spots s;
	bool asks;

	as_pool_init(&pool, prof->al);
	asks = !as_spots_begin(&s, prof, &pool.al) || !make_jobs(&nm, &s);
	for (size_t i = 0; !asks && i < nm.n_jobs; i++) {
		as_symjob_find(&nm.job[i]);
		asks = nm.job[i].rc != AS_OK || as_symjob_asks(&nm.job[i]);
		as_symjob_release(&nm.job[i]);
	}
	as_pool_release(&pool);
	return asks;
}

void as_symbol_report_release(struct as_symbol_report *report)
{
	as_vec_free(report->arena.al, &report->object);
	as_arena_release(&report->arena);
}

/* ---- one object ---- */

static enum as_code not_usable(
	const struct as_profile *prof, as_object o, const struct as_symfile *f, struct as_err *err)
{
	struct as_slice path = f->path.len ? f->path : as_object_path(prof, o);

	switch (f->state) {
	case AS_OBJECT_NOT_A_FILE:
		if (!path.len)
			return as_err_set(err, AS_E_ARG,
				"code that was compiled at run time, or is the kernel's, is in no "
				"file");
		return as_err_set(err, AS_E_ARG,
			"'%.*s' is no file: code that was compiled at run time, or is the "
			"kernel's, is in none",
			AS_SLICE_FMT(path));
	case AS_OBJECT_CHANGED:
		return as_err_set(err, AS_E_ARG, "%.*s: %.*s; --force uses it all the same",
			AS_SLICE_FMT(path), AS_SLICE_FMT(f->note));
	case AS_OBJECT_DAMAGED:
		return as_err_set(
			err, AS_E_FORMAT, "%.*s: %.*s", AS_SLICE_FMT(path), AS_SLICE_FMT(f->note));
	default:
		return as_err_set(err, AS_E_IO,
			"%.*s: %.*s; say where it is with --binary, --path-map or --symfs",
			AS_SLICE_FMT(path), AS_SLICE_FMT(f->note));
	}
}

enum as_code as_symbol_object(const struct as_profile *prof, as_object o,
	const struct as_symbol_opts *opts, struct as_symbol_binary *out, struct as_err *err)
{
	struct as_symfile file;
	enum as_code rc;

	out->elf = NULL;
	rc = as_symfile_find(prof, o, opts, out->arena, &file);
	if (rc == AS_OK && !file.elf)
		rc = not_usable(prof, o, &file, err);
	else if (rc == AS_E_NOMEM)
		as_err_no_memory(err);
	else if (rc != AS_OK)
		as_err_set(err, rc, "code and names need elfutils: this assay has none");
	else
		*out = (struct as_symbol_binary){
			out->arena, file.elf, file.path, file.note, file.unproven};
	return rc;
}

uint64_t as_symbol_object_time(
	const struct as_profile *prof, as_object o, const struct as_symbol_opts *opts)
{
	struct as_file_facts facts = {0};
	struct as_symfile file;
	struct as_arena arena;

	as_arena_init(&arena, prof->al);
	if (as_symfile_find(prof, o, opts, &arena, &file) == AS_OK && file.elf &&
		!as_file_facts(file.path.p, &facts))
		facts.mtime = 0;
	if (file.elf)
		as_elf_close(file.elf);
	as_arena_release(&arena);
	return facts.mtime;
}
