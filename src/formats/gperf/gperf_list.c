/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the text list: the source's own lines in their order, or mappings of ours. */
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
	bool any; /* a line has been written */
};

static int cmp_kept(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* "line 7": what it is the number of. */
static bool line_number(struct as_slice key, uint64_t *number)
{
	return as_slice_starts(key, AS_GP_META_LINE) &&
	       as_slice_dec(as_slice_skip(key, strlen(AS_GP_META_LINE)), number);
}

/* The lines of PART that came from a text list. Counts the metadata of other origins. */
static bool collect(struct list *l, uint32_t part, uint64_t *foreign)
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
		} else {
			(*foreign)++;
		}
	}
	if (l->line.n)
		qsort(l->line.p, l->line.n, sizeof(*l->line.p), cmp_kept);
	return true;
}

static void put_line(struct list *l, struct as_slice text)
{
	if (l->any)
		as_out_char(l->w->wr->out, '\n');
	as_out_slice(l->w->wr->out, text);
	l->any = true;
}

static void put_synth(struct list *l, const struct as_gp_synth *m)
{
	struct as_out *out = l->w->wr->out;

	put_line(l, (struct as_slice){NULL, 0});
	as_out_printf(out, "%08" PRIx64 "-%08" PRIx64 " r-xp %08" PRIx64 " 00:00 0 ", m->start,
		m->limit, m->offset);
	as_out_slice(out, m->path);
}

static void put_map(struct list *l, const struct as_map *m)
{
	const struct as_profile *prof = l->w->prof;
	struct as_out *out = l->w->wr->out;

	put_line(l, as_str_get(prof, m->text));
	if (m->text.i)
		return;
	as_out_printf(out, "%08" PRIx64 "-%08" PRIx64 " r-%cp %08" PRIx64 " 00:00 0 ", m->start,
		m->limit, m->exec ? 'x' : '-', m->offset);
	as_out_slice(out, as_object_path(prof, m->object));
}

static void put_kept(struct list *l, size_t i)
{
	const struct as_profile *prof = l->w->prof;

	put_line(l, as_str_get(prof, prof->meta.p[l->line.p[i].row].text));
}

/* Lines with a number stand where it says, mappings fill the places between. */
static void put_as_it_was(struct list *l)
{
	const struct as_profile *prof = l->w->prof;
	size_t map = 0, kept = 0;

	for (uint64_t number = 0;; number++) {
		bool more_maps = map < prof->map.n && prof->map.p[map].part == 0;
		bool more_kept = kept < l->line.n;

		if (more_kept && (!more_maps || l->line.p[kept].number <= number))
			put_kept(l, kept++);
		else if (more_maps)
			put_map(l, &prof->map.p[map++]);
		else
			break;
	}
}

/* Build specifiers would change our paths. */
static void put_ours(struct list *l)
{
	const struct as_profile *prof = l->w->prof;

	for (size_t i = 0; i < l->line.n; i++) {
		struct as_slice text = as_str_get(prof, prof->meta.p[l->line.p[i].row].text);

		if (!as_slice_starts(as_slice_ltrim(text), "build="))
			put_kept(l, i);
	}
	for (size_t i = 0; i < l->w->synth.n; i++)
		put_synth(l, &l->w->synth.p[i]);
	for (size_t i = 0; i < l->w->synth.n; i++) {
		if (!l->w->synth.p[i].is_virtual)
			continue;
		put_line(l, as_slice_of(AS_GP_VIRTUAL));
		as_out_slice(l->w->wr->out, l->w->synth.p[i].path);
	}
}

/* Whether the first part's lines say it all. */
static uint64_t lines_of_others(const struct as_profile *prof)
{
	uint64_t n = 0, number;

	for (size_t i = 0; i < prof->meta.n; i++)
		n += prof->meta.p[i].part != 0 &&
		     line_number(as_str_get(prof, prof->meta.p[i].key), &number);
	return n;
}

enum as_code as_gp_write_list(struct as_gp_write *w)
{
	struct list l = {.w = w};
	uint64_t foreign = lines_of_others(w->prof);
	bool handled, ok = as_gp_looks_handled(w, &handled) && collect(&l, 0, &foreign);

	if (ok && !w->keep && as_slice_starts(as_str_get(w->prof, w->prof->version), "1 java"))
		l.line.n = 0; /* they name ids that are gone */
	if (ok && w->keep)
		put_as_it_was(&l);
	else if (ok)
		put_ours(&l);
	if (ok && handled && !w->java)
		put_line(&l, as_slice_of(AS_GP_CLEAN));
	if (l.any && !(l.unended && w->keep))
		as_out_char(w->wr->out, '\n');
	as_losses_add(w->wr->losses, "metadata", foreign, "lines of metadata");
	as_vec_free(w->al, &l.line);
	return ok ? AS_OK : as_err_set(w->wr->err, AS_E_NOMEM, "out of memory");
}
