/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the text list: the source's mappings or ours, what is said of the run, and in between,
 * where they were, the source's lines that are kept.
 */
#include "base/sort.h"
#include "formats/gperf/gperf_write.h"

/* A line that is kept in the profile's metadata. */
struct kept {
	uint64_t number; /* in the list, from 0 */
	uint32_t row;
};

struct list {
	struct as_gp_write *w;
	AS_VEC(struct kept) line;
	bool unended;
	uint64_t n; /* lines written */

	/* what is to come */
	struct as_run_lines run;
	bool clean; /* first of the run's lines */
	size_t said, map, n_maps, virtual;
};

static int cmp_kept(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	int c = as_cmp_u64(x->number, y->number);

	return c ? c : as_cmp_u64(x->row, y->row);
}

/* "line 7": what it is the number of. */
static bool line_number(struct as_slice key, uint64_t *number)
{
	return as_slice_starts(key, AS_GP_META_LINE) &&
	       as_slice_dec(as_slice_skip(key, strlen(AS_GP_META_LINE)), number);
}

/* The lines of PART that came from a text list. Counts the metadata of other origins. */
static bool gp_list_collect(struct list *l, uint32_t part, uint64_t *foreign)
{
	const struct as_profile *prof = l->w->prof;

	for (uint32_t i = 0; i < prof->meta.n; i++) {
		struct as_slice key = as_str_get(prof, prof->meta.p[i].key);
		struct kept one = {.row = i};

		if (prof->meta.p[i].part != part)
			continue;
		if (line_number(key, &one.number)) {
			if (!as_vec_push(l->w->al, &l->line, one))
				return false;
		} else if (as_slice_is(key, AS_GP_META_UNENDED)) {
			l->unended = true;
		} else if (!as_run_is_key(key)) {
			(*foreign)++;
		}
	}
	if (l->line.n)
		qsort(l->line.p, l->line.n, sizeof(*l->line.p), cmp_kept);
	return true;
}

static void gp_list_put_line(struct list *l, struct as_slice text)
{
	if (l->n++)
		as_out_char(l->w->wr->out, '\n');
	as_out_slice(l->w->wr->out, text);
}

/* Behind the mapping that begins at START. */
static void gp_list_put_id(struct list *l, uint64_t start, struct as_slice id)
{
	if (!as_slice_is_hex(id))
		return;
	gp_list_put_line(l, as_slice_of(AS_GP_BUILD_ID));
	as_out_printf(l->w->wr->out, "%012" PRIx64 " ", start);
	as_out_slice(l->w->wr->out, id);
}

static void put_synth(struct list *l, const struct as_gp_synth *m)
{
	struct as_out *out = l->w->wr->out;

	gp_list_put_line(l, (struct as_slice){NULL, 0});
	as_out_printf(out, "%08" PRIx64 "-%08" PRIx64 " r-xp %08" PRIx64 " 00:00 0 ", m->start,
		m->limit, m->offset);
	as_out_slice(out, m->path);
	gp_list_put_id(l, m->start, m->id);
}

static void gp_list_put_map(struct list *l, const struct as_map *m)
{
	const struct as_profile *prof = l->w->prof;
	struct as_out *out = l->w->wr->out;

	gp_list_put_line(l, as_str_get(prof, m->text));
	if (!m->text.i) {
		as_out_printf(out, "%08" PRIx64 "-%08" PRIx64 " r-%cp %08" PRIx64 " 00:00 0 ",
			m->start, m->limit, m->exec ? 'x' : '-', m->offset);
		as_out_slice(out, as_object_path(prof, m->object));
	}
	gp_list_put_id(l, m->start, as_str_get(prof, prof->object.p[m->object.i].id));
	l->w->named[m->object.i] |=
		as_slice_is_hex(as_str_get(prof, prof->object.p[m->object.i].id));
}

static void gp_list_put_kept(struct list *l, size_t i)
{
	const struct as_profile *prof = l->w->prof;

	gp_list_put_line(l, as_str_get(prof, prof->meta.p[l->line.p[i].row].text));
}

/* What mapping I is of. */
static struct as_slice map_path(const struct list *l, size_t i)
{
	const struct as_profile *prof = l->w->prof;

	return l->w->keep ? as_object_path(prof, prof->map.p[i].object) : l->w->synth.p[i].path;
}

static void put_next_map(struct list *l)
{
	if (l->w->keep)
		gp_list_put_map(l, &l->w->prof->map.p[l->map++]);
	else
		put_synth(l, &l->w->synth.p[l->map++]);
}

static bool put_next_virtual(struct list *l)
{
	const struct as_gp_write *w = l->w;

	while (!w->keep && l->virtual < w->synth.n) {
		const struct as_gp_synth *m = &w->synth.p[l->virtual ++];

		if (!m->is_virtual || (m > w->synth.p && as_slice_eq(m->path, m[-1].path)))
			continue;
		gp_list_put_line(l, as_slice_of(AS_GP_VIRTUAL));
		as_out_slice(w->wr->out, m->path);
		return true;
	}
	return false;
}

static bool put_next_said(struct list *l)
{
	if (l->said == l->run.line.n)
		return false;
	gp_list_put_line(l, l->run.line.p[l->said++]);
	return true;
}

/* The next of the lines that are not kept, in the recorder's order: pseudo objects, what it says
 * when it begins, mappings, what it says at the end. False if there are no more. */
static bool put_next(struct list *l)
{
	bool begun = !l->clean && l->said >= l->run.n_head;

	if (l->map < l->n_maps && (begun || as_path_is_gap(map_path(l, l->map)))) {
		put_next_map(l);
		return true;
	}
	if (l->clean) {
		gp_list_put_line(l, as_slice_of(AS_GP_CLEAN));
		l->clean = false;
		return true;
	}
	return (begun && put_next_virtual(l)) || put_next_said(l);
}

/* Kept lines stand where their number says, others fill the places between. */
static void put_as_it_was(struct list *l)
{
	for (size_t kept = 0;;) {
		bool more = kept < l->line.n;

		if ((!more || l->line.p[kept].number > l->n) && put_next(l))
			continue;
		if (!more)
			return;
		gp_list_put_kept(l, kept++);
	}
}

/* Build specifiers would change our paths. */
static void put_ours(struct list *l)
{
	const struct as_profile *prof = l->w->prof;

	for (size_t i = 0; i < l->line.n; i++) {
		struct as_slice text = as_str_get(prof, prof->meta.p[l->line.p[i].row].text);

		if (!as_slice_starts(as_slice_ltrim(text), "build="))
			gp_list_put_kept(l, i);
	}
	while (put_next(l))
		;
}

/* Whether the first part's lines say it all. */
static uint64_t lines_of_others(const struct as_profile *prof)
{
	uint64_t n = 0, number;

	for (size_t i = 0; i < prof->meta.n; i++) {
		struct as_slice key = as_str_get(prof, prof->meta.p[i].key);

		n += prof->meta.p[i].part != 0 && (line_number(key, &number) || as_run_is_key(key));
	}
	return n;
}

static size_t count_maps(const struct as_gp_write *w)
{
	size_t n = 0;

	if (!w->keep)
		return w->synth.n;
	while (n < w->prof->map.n && w->prof->map.p[n].part == 0)
		n++;
	return n;
}

static void gp_list_report(const struct list *l, uint64_t foreign)
{
	struct as_losses *losses = l->w->wr->losses;

	as_losses_add_cap(losses, AS_CAPBIT_META, foreign);
	as_losses_add_cap(losses, AS_CAPBIT_EPOCH, l->run.lost_started);
	as_losses_add_cap(losses, AS_CAPBIT_DURATION, l->run.lost_duration);
}

enum as_code as_gp_write_list(struct as_gp_write *w)
{
	struct list l = {.w = w, .n_maps = count_maps(w)};
	uint64_t foreign = lines_of_others(w->prof);
	unsigned kinds = AS_RUN_PROCESS | AS_RUN_TIMES;
	bool handled, marked, ok = as_run_lines_make(&l.run, w->prof, kinds);

	ok = ok && as_gp_looks_handled(w, &handled) && gp_list_collect(&l, 0, &foreign);
	marked = l.clean = l.run.clock && !w->java;
	if (ok && !w->keep && as_slice_starts(as_str_get(w->prof, w->prof->version), "1 java"))
		l.line.n = 0; /* they name ids that are gone */
	if (ok && w->keep)
		put_as_it_was(&l);
	else if (ok)
		put_ours(&l);
	if (ok && handled && !w->java && !marked)
		gp_list_put_line(&l, as_slice_of(AS_GP_CLEAN));
	if (l.n && !(l.unended && w->keep))
		as_out_char(w->wr->out, '\n');
	gp_list_report(&l, foreign);
	as_run_lines_release(&l.run, w->prof->al);
	return as_err_memory(w->wr->err, ok);
}
