/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers to chains of frames. A function is told from others of its name by its file: that of its
 * declaration. Where no debug information says that, it must not depend on the address all the
 * same: code of one function may come from several files (a parser's from its grammar, too), or
 * have no line at all. So addresses that follow one another and have the same name around them are
 * given one file.
 */
#include "symbols/symbol_job.h"

/* The frames of one address. */
struct answer {
	const struct as_symframe *frame;
	uint32_t n;       /* 0: no function is known there */
	bool named;       /* it has a name; else it is known by its start */
	int set;          /* which of the job's the frames are of */
	as_str func_file; /* of the outermost, in the chains */
};

struct emit {
	struct as_symjob *job;
	struct as_chains *chains;
	struct answer *answer; /* of each of the job's vaddrs */
	/* Handle + 1 in the chains of each name and path of the two sets; 0 = not yet. */
	uint32_t *text[2];
};

static const struct as_symframe *sym_emit_outermost(const struct answer *a)
{
	return &a->frame[a->n - 1];
}

static void find_answers(struct emit *e)
{
	const struct as_symjob *job = e->job;
	size_t at = 0; /* in the second set, which has those that the first does not know */

	as_assert(job->kept || job->set[0]->first.n == job->n_vaddr + 1);
	for (size_t v = 0; v < job->n_vaddr; v++) {
		int which = !job->kept && !job->known[v];
		const struct as_symset *set = job->set[which];
		size_t i = which ? at++ : job->kept ? job->row[v] : v;
		struct answer a = {.n = set->first.p[i + 1] - set->first.p[i], .set = which};

		if (a.n)
			a.frame = set->frame.p + set->first.p[i];
		a.named = a.n && sym_emit_outermost(&a)->name.i;
		if (a.n && !a.named && !sym_emit_outermost(&a)->start)
			a.n = 0;
		e->answer[v] = a;
	}
	as_assert(!at || job->set[1]->first.n == at + 1);
}

/* TEXT, a name or a path of the set of this number, in the chains. */
static bool sym_emit_intern(struct emit *e, int set, as_str text, as_str *out)
{
	uint32_t *cached = &e->text[set][text.i];

	if (!*cached) {
		if (!as_strings_add(
			    &e->chains->str, as_strings_get(&e->job->set[set]->str, text), out))
			return false;
		*cached = out->i + 1;
	}
	out->i = *cached - 1;
	return true;
}

static bool same_function(struct emit *e, const struct answer *a, const struct answer *b)
{
	as_str x = {0}, y = {0};

	return a->named && b->named &&
	       sym_emit_intern(e, a->set, sym_emit_outermost(a)->name, &x) &&
	       sym_emit_intern(e, b->set, sym_emit_outermost(b)->name, &y) && x.i == y.i;
}

static bool decl_of(struct emit *e, const struct answer *a, as_str *out)
{
	return sym_emit_intern(e, a->set, sym_emit_outermost(a)->decl, out);
}

/* Whether the function declared in WHERE may be that of A, of which less is known: nothing, or
 * what a symbol table says, which has no directories. */
static bool sym_emit_may_be(const struct emit *e, as_str decl, as_str where)
{
	struct as_slice name = as_chains_str(e->chains, decl);
	struct as_slice path = as_chains_str(e->chains, where);
	size_t at = path.len - name.len;

	return !decl.i || (path.len > name.len && path.p[at - 1] == '/' &&
				  as_slice_eq(name, as_slice_skip(path, at)));
}

static bool has_directory(const struct emit *e, as_str decl)
{
	struct as_slice path = as_chains_str(e->chains, decl);

	return as_slice_find(path, '/') < path.len;
}

/* In a run of addresses, FROM up to TO, with one name around them: those whose function's file is
 * known for certain, and those that are its, the nearest before (STEP 1) or behind (-1). */
static bool sym_emit_spread(struct emit *e, size_t from, size_t to, int step)
{
	as_str where = {0}, decl = {0};

	for (size_t k = from; k < to; k++) {
		struct answer *a = &e->answer[step > 0 ? k : from + to - 1 - k];

		if (!a->named)
			continue;
		if (!decl_of(e, a, &decl))
			return false;
		if (has_directory(e, decl))
			a->func_file = where = decl;
		else if (!a->func_file.i && where.i && sym_emit_may_be(e, decl, where))
			a->func_file = where;
	}
	return true;
}

/* The others: what the symbol table says, or else the first file of a line that there is. */
static bool take_first(struct emit *e, size_t from, size_t to)
{
	as_str first = {0};

	for (size_t k = from; k < to; k++) {
		struct answer *a = &e->answer[k];

		if (!a->named || a->func_file.i)
			continue;
		if (!decl_of(e, a, &a->func_file))
			return false;
		if (!a->func_file.i && !first.i &&
			!sym_emit_intern(e, a->set, sym_emit_outermost(a)->file, &first))
			return false;
	}
	for (size_t k = from; k < to; k++)
		if (e->answer[k].named && !e->answer[k].func_file.i)
			e->answer[k].func_file = first;
	return true;
}

/* The functions' own files, a run of addresses at a time. */
static bool find_files(struct emit *e)
{
	size_t n = e->job->n_vaddr;

	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n; to++)
			if (!same_function(e, &e->answer[from], &e->answer[to]))
				break;
		if (!sym_emit_spread(e, from, to, 1) || !sym_emit_spread(e, from, to, -1) ||
			!take_first(e, from, to))
			return false;
	}
	return true;
}

static bool emit_chain(struct emit *e, const struct answer *a, const struct as_symaddr *at)
{
	if (!as_chains_add(e->chains, e->job->report.object, at->addr))
		return false;
	for (uint32_t k = 0; k < a->n; k++) {
		const struct as_symframe *from = &a->frame[k];
		struct as_frame fr = {.line = from->line};

		if (!from->name.i && !from->start)
			continue;  /* inlined, but nobody says what: part of the next one */
		if (!from->name.i) /* START counts as VADDR does, what the profile has as ADDR */
			fr.start = at->addr - (at->vaddr - from->start);
		if (!sym_emit_intern(e, a->set, from->name, &fr.name) ||
			!sym_emit_intern(e, a->set, from->file, &fr.file))
			return false;
		if (k + 1 == a->n)
			fr.func_file = a->func_file;
		else if (!sym_emit_intern(
				 e, a->set, from->decl.i ? from->decl : from->file, &fr.func_file))
			return false;
		if (!as_chains_frame(e->chains, &fr))
			return false;
	}
	return true;
}

static bool emit_all(struct emit *e)
{
	struct as_symjob *job = e->job;
	size_t v = 0;

	find_answers(e);
	if (!find_files(e))
		return false;
	for (size_t i = 0; i < job->n; i++) {
		while (job->vaddr[v] != job->addr[i].vaddr) {
			v++;
			as_assert(v < job->n_vaddr);
		}
		if (!e->answer[v].n)
			continue;
		if (!emit_chain(e, &e->answer[v], &job->addr[i]))
			return false;
		if (e->answer[v].named)
			job->report.n_named++;
		else
			job->report.n_begun++;
	}
	return true;
}

/* Tables for the strings of both sets. */
static bool get_tables(struct emit *e)
{
	struct as_arena *ar = &e->job->arena;

	for (int i = 0; i < 2; i++)
		if (!as_arena_array(ar, &e->text[i], e->job->set[i]->str.row.n))
			return false;
	return as_arena_array(ar, &e->answer, e->job->n_vaddr);
}

enum as_code as_symjob_emit(struct as_symjob *job, struct as_chains *chains)
{
	struct emit e = {.job = job, .chains = chains};

	for (size_t i = 0; i < job->segment.n; i++)
		AS_TRY(as_memory(as_chains_segment(chains, &job->segment.p[i])));
	if (!job->n)
		return AS_OK;
	AS_TRY(as_memory(get_tables(&e) && emit_all(&e)));
	if (!job->report.n_named && job->report.state == AS_OBJECT_NAMED) {
		job->report.state = AS_OBJECT_NO_NAMES;
		if (!job->report.note.len)
			job->report.note = as_slice_of(
				job->report.n_begun
					? "it has no names for these addresses: its functions are "
					  "called by where they begin"
					: "it has no names for these addresses");
	}
	return AS_OK;
}
