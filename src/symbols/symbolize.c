/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/symbolize.h"

#include "base/pool.h"
#include "base/sort.h"
#include "symbols/names/symbol_text.h"
#include "symbols/symbol_file.h"
#include "symbols/symbol_job.h"

/* ---- what has no name ---- */

struct spot {
	uint64_t addr;
	uint32_t object;
};

struct spots {
	const struct as_profile *prof;
	const struct as_alloc *al;
	AS_VEC(struct spot) row;
};

/* The address of POS if it is nameless code, else 0. */
static uint64_t symbolize_nameless(const struct as_profile *prof, as_func func, uint64_t addr)
{
	if (prof->func.name.p[func.i].i)
		return 0;
	return addr ? addr : prof->func.addr.p[func.i];
}

static bool symbolize_add_spot(struct spots *s, as_func func, uint64_t addr)
{
	struct spot one = {
		symbolize_nameless(s->prof, func, addr), s->prof->func.object.p[func.i].i};

	if (!one.addr || (s->row.n && s->row.p[s->row.n - 1].addr == one.addr &&
				 s->row.p[s->row.n - 1].object == one.object))
		return true;
	return as_vec_push(s->al, &s->row, one);
}

/* Functions of Callgrind's that are called by their addresses, be it in no object. */
static bool add_funcs(struct spots *s)
{
	const struct as_profile *prof = s->prof;

	for (uint32_t f = 1; f < prof->func.name.n; f++) {
		struct spot one = {.object = prof->func.object.p[f].i};
		struct as_slice level;
		struct as_slice name = as_name_cut_level(as_func_name(prof, (as_func){f}), &level);

		if (as_name_is_address(name, &one.addr) && one.addr &&
			!as_vec_push(s->al, &s->row, one))
			return false;
	}
	return true;
}

static bool symbolize_add_rows(struct spots *s)
{
	const struct as_rows *rows = &s->prof->self;
	struct as_rows_cur cur;
	as_val *v;

	if (!as_alloc_array(s->al, &v, rows->width))
		return false;
	for (size_t i = 0; i < rows->run.n; i++) {
		const struct as_run *run = &rows->run.p[i];

		if (s->prof->func.name.p[run->func.i].i)
			continue;
		as_rows_begin(&cur, rows, run, v);
		while (as_rows_next(&cur))
			if (!symbolize_add_spot(s, run->func, cur.addr))
				return false;
	}
	return true;
}

static bool is_sorted(const struct spot *spot, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (spot[i - 1].object > spot[i].object ||
			(spot[i - 1].object == spot[i].object && spot[i - 1].addr > spot[i].addr))
			return false;
	return true;
}

/* Object by object, and by address in each. */
static bool symbolize_sort(struct spots *s)
{
	size_t n = s->row.n;
	struct spot *spot = s->row.p, *sorted;
	uint64_t *key;
	uint32_t *row;

	if (is_sorted(spot, n))
		return true;
	if (!as_alloc_array(s->al, &key, n) || !as_alloc_array(s->al, &row, n) ||
		!as_alloc_array(s->al, &sorted, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		key[i] = spot[i].addr;
		row[i] = (uint32_t)i;
	}
	if (!as_sort_keys(s->al, key, row, n))
		return false;
	for (size_t i = 0; i < n; i++)
		key[i] = spot[row[i]].object;
	if (!as_sort_keys(s->al, key, row, n))
		return false;
	for (size_t i = 0; i < n; i++)
		sorted[i] = spot[row[i]];
	memcpy(spot, sorted, n * sizeof(*spot));
	return true;
}

/* All distinct addresses, object by object. */
static bool find_spots(struct spots *s)
{
	const struct as_profile *prof = s->prof;
	size_t n = 0;

	for (size_t i = 1; i < prof->place.func.n; i++)
		if (!symbolize_add_spot(s, prof->place.func.p[i], prof->place.addr.p[i]))
			return false;
	if (!add_funcs(s) || !symbolize_add_rows(s))
		return false;
	if (s->row.n && !symbolize_sort(s))
		return false;
	for (size_t i = 0; i < s->row.n; i++)
		if (!i || s->row.p[i].object != s->row.p[n - 1].object ||
			s->row.p[i].addr != s->row.p[n - 1].addr)
			s->row.p[n++] = s->row.p[i];
	s->row.n = n;
	return true;
}

bool as_wants_symbols(const struct as_profile *prof)
{
	struct as_pool pool;
	struct spots s = {.prof = prof, .al = &pool.al};
	bool wants;

	for (size_t i = 1; i < prof->place.func.n; i++)
		if (symbolize_nameless(prof, prof->place.func.p[i], prof->place.addr.p[i]))
			return true;
	as_pool_init(&pool, prof->al);
	wants = add_funcs(&s) && (s.row.n || (symbolize_add_rows(&s) && s.row.n));
	as_pool_release(&pool);
	return wants;
}

/* ---- all objects ---- */

struct naming {
	const struct as_profile *prof;
	const struct as_symbol_opts *opts;
	struct as_chains *chains;
	struct as_symbol_report *report;
	struct as_symaddr *addr; /* of all objects, one after the other */
	struct as_symjob *job;
	size_t n_addrs, n_jobs;
	struct as_symbol_opts alone; /* for objects that are read at the same time */
	struct as_symtexts texts;
};

static bool make_jobs(struct naming *nm, const struct spots *s)
{
	nm->n_addrs = s->row.n;
	for (size_t i = 0; i < s->row.n; i++)
		nm->n_jobs += !i || s->row.p[i].object != s->row.p[i - 1].object;
	if (!as_alloc_array(s->al, &nm->addr, nm->n_addrs) ||
		!as_alloc_array(s->al, &nm->job, nm->n_jobs))
		return false;
	for (size_t i = 0, j = 0; i < s->row.n; i++) {
		struct as_symjob *job = &nm->job[j];

		nm->addr[i].addr = s->row.p[i].addr;
		if (!job->n++)
			*job = (struct as_symjob){.prof = nm->prof,
				.opts = nm->opts,
				.report.object.i = s->row.p[i].object,
				.addr = &nm->addr[i],
				.n = 1};
		job->report.n_addrs = job->n;
		j += i + 1 < s->row.n && s->row.p[i + 1].object != s->row.p[i].object;
	}
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
	for (size_t i = 0; i < nm->n_jobs; i++)
		if (nm->job[i].n > nm->n_addrs / 4 * 3)
			return true;
	return false;
}

static void run_jobs(struct naming *nm)
{
	const struct as_elf_opts *elf = &nm->opts->elf;

	if (!elf->run || nm->n_jobs < 2 || nm->n_jobs > UINT32_MAX || is_one_large(nm)) {
		for (size_t i = 0; i < nm->n_jobs; i++)
			as_symjob_run(&nm->job[i]);
		return;
	}
	nm->alone = *nm->opts;
	nm->alone.elf.run = NULL;
	for (size_t i = 0; i < nm->n_jobs; i++)
		nm->job[i].opts = &nm->alone;
	elf->run(elf->run_ctx, symbolize_run_job, nm, (unsigned)nm->n_jobs);
}

/* ---- code that no file explains ---- */

static bool text_chain(struct naming *nm, as_object o, uint64_t addr, struct as_slice name)
{
	struct as_frame fr = {0};

	name = as_demangle(&nm->report->arena, name, nm->opts->names);
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
		if (!text_chain(nm, r->object, addr[i].addr, entry->name))
			return AS_E_NOMEM;
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

		if (rc == AS_OK)
			rc = as_symjob_emit(job, nm->chains);
		if (rc == AS_OK && job->report.state == AS_OBJECT_NOT_A_FILE)
			rc = ask_texts(nm, &job->report, job->addr);
		if (rc == AS_E_UNSUPPORTED)
			return as_err_set(err, rc, "names need elfutils: this assay has none");
		if (rc != AS_OK || !keep_report(nm, job->report))
			return as_err_no_memory(err);
	}
	return AS_OK;
}

static enum as_code name_all(struct naming *nm, const struct spots *s, struct as_err *err)
{
	AS_TRY(as_err_memory(err, make_jobs(nm, s)));
	run_jobs(nm);
	return symbolize_collect(nm, err);
}

enum as_code as_symbolize(const struct as_profile *prof, const struct as_symbol_opts *opts,
	struct as_chains *chains, struct as_symbol_report *report, struct as_err *err)
{
	struct naming nm = {.prof = prof, .opts = opts, .chains = chains, .report = report};
	struct as_pool pool;
	struct spots s = {.prof = prof, .al = &pool.al};
	enum as_code rc = AS_OK;

	*report = (struct as_symbol_report){0};
	as_arena_init(&report->arena, prof->al);
	as_pool_init(&pool, prof->al);
	if (!as_chains_init(chains, prof->al) || !find_spots(&s)) {
		as_pool_release(&pool);
		return as_err_no_memory(err);
	}
	as_assert(!opts->kept || !opts->elf.run);
	as_symtexts_init(&nm.texts, prof, opts, &report->arena);
	if (opts->kept)
		as_kept_begin(opts->kept);
	if (s.row.n)
		rc = name_all(&nm, &s, err);
	as_symtexts_release(&nm.texts);
	for (size_t i = 0; nm.job && i < nm.n_jobs; i++)
		as_symjob_release(&nm.job[i]);
	as_pool_release(&pool);
	return rc;
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
