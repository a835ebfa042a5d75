/* SPDX-License-Identifier: Apache-2.0 */
/* `pprof -traces`: each sample with its labels and its stack, in the order of the file. */
#include "base/sort.h"
#include "base/utf8_len.h"
#include "change/filter/pprof_labels.h"
#include "compat/pprof/pprof_text.h"

#define SEPARATOR "-----------+-------------------------------------------------------\n"

enum { COLUMN = 10 }; /* width of values and keys */

struct span {
	size_t at, n;
};

struct traces {
	struct as_pprof pp;
	struct as_pprof_units units;
	struct as_out *out;
	struct as_slice *name;    /* of each place, once it was asked for; p == NULL before */
	struct as_slice *file;    /* likewise of each file */
	AS_VEC(char) text;        /* of the labels of a sample */
	AS_VEC(struct span) line; /* of it */
	AS_VEC(uint32_t) order;   /* of them */
};

/* ---- labels ---- */

static bool pp_traces_add_text(struct traces *t, struct as_slice s)
{
	return as_vec_append(t->pp.al, &t->text, s.p, s.len);
}

/* KEY in its column. */
static bool pp_traces_begin_line(struct traces *t, struct as_slice key)
{
	static const char blanks[COLUMN + 1] = "          ";
	struct span line = {.at = t->text.n};
	size_t n = as_utf8_columns(key);

	return as_vec_push(t->pp.al, &t->order, (uint32_t)t->line.n) &&
	       as_vec_push(t->pp.al, &t->line, line) &&
	       pp_traces_add_text(t, (struct as_slice){blanks, n < COLUMN ? COLUMN - n : 0}) &&
	       pp_traces_add_text(t, key) && pp_traces_add_text(t, as_slice_of(":  "));
}

static bool pp_traces_add_value(struct traces *t, const struct as_label *l)
{
	struct as_pprof_value value;

	if (l->text.i)
		return pp_traces_add_text(t, as_str_get(t->pp.prof, l->text));
	as_pprof_format(
		&value, l->number, as_pprof_unit_of(&t->units, l->key), as_slice_of("auto"));
	return pp_traces_add_text(t, as_slice_of(value.number)) &&
	       pp_traces_add_text(t, value.unit);
}

static bool add_label(struct traces *t, const struct as_label *l, bool goes_on)
{
	struct span *line;

	if (!(goes_on ? pp_traces_add_text(t, as_slice_of(" "))
		      : pp_traces_begin_line(t, as_str_get(t->pp.prof, l->key))) ||
		!pp_traces_add_value(t, l))
		return false;
	line = &t->line.p[t->line.n - 1];
	line->n = t->text.n - line->at;
	return true;
}

static struct as_slice line_of(const struct traces *t, uint32_t i)
{
	return (struct as_slice){t->text.p + t->line.p[i].at, t->line.p[i].n};
}

static int pp_traces_cmp_line(const void *ctx, uint32_t a, uint32_t b)
{
	return as_slice_cmp(line_of(ctx, a), line_of(ctx, b));
}

/* The lines of texts, or of numbers: one for each key. Labels of one key stand together. */
static bool pp_traces_put_kind(struct traces *t, const struct as_label *label, uint32_t n,
	bool (*is)(const struct as_label *))
{
	const struct as_label *before = NULL;

	t->line.n = t->order.n = t->text.n = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!is(&label[i]))
			continue;
		if (!add_label(t, &label[i], before && before->key.i == label[i].key.i))
			return false;
		before = &label[i];
	}
	if (!as_sort_rows(t->pp.al, t->order.p, t->order.n, pp_traces_cmp_line, t))
		return false;
	for (size_t i = 0; i < t->order.n; i++) {
		as_out_plain(t->out, line_of(t, t->order.p[i]));
		as_out_char(t->out, '\n');
	}
	return true;
}

/* ---- stacks ---- */

static struct as_slice pp_traces_name_of(struct traces *t, uint32_t place)
{
	const struct as_pg_opts opts = {.by = t->pp.opts->by};
	struct as_pg_node node;

	if (!t->name[place].p) {
		node = as_pg_node_of(&t->pp.graph, t->pp.prof, &opts, t->file, place);
		if (node.file.p)
			t->name[place] = as_pg_name(t->pp.arena, &node);
	}
	return t->name[place];
}

static bool pp_traces_put_stack(struct traces *t, size_t sample)
{
	const struct as_profile *prof = t->pp.prof;
	uint32_t node = prof->sample.node.p[sample].i;
	bool leaf = true;

	for (; node; node = prof->node.parent.p[node].i) {
		uint32_t place = prof->node.place.p[node].i;
		bool inlined = prof->place.inlined.p[place];

		if (inlined && t->pp.opts->no_inlines)
			continue;
		if (!pp_traces_name_of(t, place).p)
			return false;
		if (leaf)
			as_pprof_put_value(&t->pp, t->out,
				as_pprof_cost(t->pp.prof, &t->pp.opts->column, sample), COLUMN);
		as_out_text(t->out, leaf ? "   " : "             ");
		as_out_plain(t->out, pp_traces_name_of(t, place));
		as_out_text(t->out, inlined ? " (inline)\n" : "\n");
		leaf = false;
	}
	return true;
}

/* ---- samples ---- */

/* What pprof leaves out, too: no cost at all, or no stack. */
static bool pp_traces_is_nothing(const struct as_profile *prof, size_t sample)
{
	const as_val *cost = prof->sample.cost.p + sample * prof->event.n;
	bool zero = true;

	for (size_t i = 0; i < prof->event.n; i++)
		zero &= cost[i] == 0;
	return zero || !prof->sample.node.p[sample].i;
}

static bool pp_traces_put_sample(struct traces *t, size_t sample)
{
	const struct as_profile *prof = t->pp.prof;
	uint32_t n;
	const struct as_label *label = as_part_labels(prof, prof->sample.part.p[sample], &n);

	if (pp_traces_is_nothing(prof, sample))
		return true;
	as_out_text(t->out, SEPARATOR);
	return pp_traces_put_kind(t, label, n, as_pprof_is_text) &&
	       pp_traces_put_kind(t, label, n, as_pprof_is_number) &&
	       pp_traces_put_stack(t, sample);
}

static int cmp_stand(const void *ctx, uint32_t a, uint32_t b)
{
	const uint32_t *stand = ctx;

	return stand ? as_cmp_u64(stand[a], stand[b]) : 0;
}

static bool pp_traces_put_samples(struct traces *t)
{
	const struct as_profile *prof = t->pp.prof;
	uint32_t *order =
		as_sorted_rows(t->pp.al, prof->sample.node.n, cmp_stand, prof->sample.order.p);

	for (size_t i = 0; order && i < prof->sample.node.n; i++)
		if (!pp_traces_put_sample(t, order[i]))
			return false;
	return order;
}

static enum as_code pp_traces_print(struct traces *t, struct as_err *err)
{
	bool ok;

	AS_TRY(as_pprof_profile_labels(&t->pp, err));
	as_pprof_put_labels(&t->pp, t->out);
	ok = as_alloc_array(t->pp.al, &t->name, t->pp.prof->place.func.n) &&
	     as_alloc_array(t->pp.al, &t->file, t->pp.prof->file.n) &&
	     as_pprof_units_make(&t->units, t->pp.prof) && pp_traces_put_samples(t);
	as_out_text(t->out, SEPARATOR);
	return ok ? AS_OK : as_err_no_memory(err);
}

enum as_code as_pprof_traces(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err)
{
	struct traces t = {.out = out};
	enum as_code rc = as_pprof_begin(&t.pp, prof, opts, err);

	as_index_init(&t.units.index, prof->al);
	AS_THEN(rc, pp_traces_print(&t, err));
	as_pprof_units_release(&t.units);
	as_pprof_end(&t.pp);
	return rc;
}
