/* SPDX-License-Identifier: Apache-2.0 */
/* `pprof -tags`: for each key of labels its values, with what samples that have them cost. */
#include "base/sort.h"
#include "base/utf8_len.h"
#include "change/filter/pprof_labels.h"
#include "compat/pprof/pprof_text.h"

struct tag {
	struct as_slice key, text;
	as_val cost;
};

struct tags {
	struct as_pprof pp;
	struct as_pprof_units units;
	struct as_out *out;
	as_val *cost;  /* of each part */
	uint8_t *used; /* of each part: it has samples */
	AS_VEC(struct tag) row;
	struct as_index index; /* of them */
	uint32_t *order;
};

/* ---- what there is ---- */

/* ROW becomes the tag of KEY that is printed as TEXT. False if out of memory. */
static bool pp_tags_find(struct tags *t, struct as_slice key, struct as_slice text, uint32_t *row)
{
	uint64_t hash = as_hash_mix(as_hash_bytes(key.p, key.len), as_hash_bytes(text.p, text.len));
	uint64_t pos = AS_INDEX_START;
	const struct tag tag = {key, text, 0};

	while (as_index_find(&t->index, hash, &pos, row))
		if (as_slice_eq(t->row.p[*row].key, key) && as_slice_eq(t->row.p[*row].text, text))
			return true;
	*row = (uint32_t)t->row.n;
	return as_vec_push(t->pp.al, &t->row, tag) && as_index_add(&t->index, hash, *row);
}

/* Numbers that are printed alike are one. */
static bool pp_tags_take_label(struct tags *t, const struct as_label *l, as_val cost)
{
	const struct as_profile *prof = t->pp.prof;
	struct as_slice text = as_str_get(prof, l->text);
	struct as_pprof_value value;
	uint32_t row;

	if (as_pprof_is_number(l)) {
		as_pprof_format(&value, l->number, as_pprof_unit_of(&t->units, l->key), t->pp.unit);
		text = as_arena_printf(
			t->pp.arena, "%s%.*s", value.number, AS_SLICE_FMT(value.unit));
	} else if (!as_pprof_is_text(l)) {
		return true;
	}
	if (!text.p || !pp_tags_find(t, as_str_get(prof, l->key), text, &row))
		return false;
	t->row.p[row].cost += cost;
	return true;
}

static bool pp_tags_take_labels(struct tags *t)
{
	const struct as_profile *prof = t->pp.prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t part = prof->sample.part.p[i];

		t->cost[part] += as_pprof_cost(prof, &t->pp.opts->column, i);
		t->used[part] = 1;
	}
	for (size_t i = 0; i < prof->part.n; i++) {
		uint32_t n;
		const struct as_label *label = as_part_labels(prof, i, &n);

		for (uint32_t k = 0; k < n && t->used[i]; k++)
			if (!pp_tags_take_label(t, &label[k], t->cost[i]))
				return false;
	}
	return true;
}

/* By key; then the heaviest first. */
static int cmp_tag(const void *ctx, uint32_t a, uint32_t b)
{
	const struct tag *x = &((const struct tag *)ctx)[a], *y = &((const struct tag *)ctx)[b];
	as_val v = x->cost < 0 ? -x->cost : x->cost, w = y->cost < 0 ? -y->cost : y->cost;
	int c = as_slice_cmp(x->key, y->key);

	if (c)
		return c;
	return v != w ? (v > w ? -1 : 1) : as_slice_cmp(x->text, y->text);
}

/* ---- printing ---- */

/* "1.12s of 1.12s (  100%)", or without what it is of. */
static struct as_slice pp_tags_share_of(struct tags *t, as_val v, bool of_total)
{
	struct as_slice text = as_pprof_words_of(&t->pp, v), total = {"", 0};
	char percent[AS_PPROF_NUMBER];

	if (of_total)
		total = as_pprof_words_of(&t->pp, t->pp.total);
	if (!text.p || !total.p)
		return (struct as_slice){NULL, 0};
	return as_arena_printf(t->pp.arena, "%.*s%s%.*s (%s)", AS_SLICE_FMT(text),
		of_total ? " of " : "", AS_SLICE_FMT(total),
		as_pprof_percent(v, t->pp.total, percent));
}

static void put_blanks(struct tags *t, size_t n)
{
	for (; n; n--)
		as_out_char(t->out, ' ');
}

/* The tags FIRST to END of the order, which have one key. */
static bool put_key(struct tags *t, size_t first, size_t end)
{
	struct as_slice key = t->row.p[t->order[first]].key, share;
	size_t wide = 0, indent = as_utf8_columns(key) + 2;
	as_val sum = 0;

	for (size_t i = first; i < end; i++) {
		const struct tag *tag = &t->row.p[t->order[i]];
		size_t n;

		share = pp_tags_share_of(t, tag->cost, false);
		n = as_utf8_columns(share);
		wide = n > wide ? n : wide;
		sum += tag->cost;
	}
	share = pp_tags_share_of(t, sum, true);
	as_out_char(t->out, ' ');
	as_out_plain(t->out, key);
	as_out_printf(t->out, ": Total %.*s\n", AS_SLICE_FMT(share));
	for (size_t i = first; i < end; i++) {
		const struct tag *tag = &t->row.p[t->order[i]];

		share = pp_tags_share_of(t, tag->cost, false);
		if (!share.p)
			return false;
		put_blanks(t, indent + 1 + wide - as_utf8_columns(share));
		as_out_printf(t->out, "%.*s: ", AS_SLICE_FMT(share));
		as_out_plain(t->out, tag->text);
		as_out_char(t->out, '\n');
	}
	as_out_char(t->out, '\n');
	return true;
}

static bool pp_tags_print(struct tags *t)
{
	const struct as_profile *prof = t->pp.prof;
	size_t n;

	if (!as_alloc_array(t->pp.al, &t->cost, prof->part.n) ||
		!as_alloc_array(t->pp.al, &t->used, prof->part.n) ||
		!as_pprof_units_make(&t->units, prof) || !pp_tags_take_labels(t))
		return false;
	n = t->row.n;
	t->order = as_sorted_rows(t->pp.al, n, cmp_tag, t->row.p);
	if (!t->order)
		return false;
	for (size_t first = 0, i = 1; i <= n; i++)
		if (i == n ||
			!as_slice_eq(t->row.p[t->order[i]].key, t->row.p[t->order[first]].key)) {
			if (!put_key(t, first, i))
				return false;
			first = i;
		}
	return true;
}

enum as_code as_pprof_tags(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err)
{
	struct tags t = {.out = out};
	enum as_code rc = as_pprof_begin(&t.pp, prof, opts, err);

	as_index_init(&t.units.index, prof->al);
	as_index_init(&t.index, t.pp.al);
	if (rc == AS_OK && !pp_tags_print(&t))
		rc = as_err_no_memory(err);
	as_pprof_units_release(&t.units);
	as_pprof_end(&t.pp);
	return rc;
}

bool as_pprof_run_lines(struct as_run_lines *run, const struct as_profile *prof)
{
	bool ok = as_run_lines_make(run, prof, AS_RUN_PROCESS | AS_RUN_UTF8);

	if (!as_format_of(prof)->comments)
		run->line.n = 0;
	return ok;
}

enum as_code as_pprof_comments(
	const struct as_profile *prof, struct as_out *out, struct as_err *err)
{
	struct as_run_lines run;
	bool ok = as_pprof_run_lines(&run, prof);

	for (size_t i = 0; ok && i < run.line.n; i++) {
		as_out_plain(out, run.line.p[i]);
		as_out_char(out, '\n');
	}
	as_run_lines_release(&run, prof->al);
	AS_TRY(as_err_memory(err, ok));
	for (size_t i = 0; i < prof->meta.n; i++)
		if (as_slice_is(as_str_get(prof, prof->meta.p[i].key), "comment")) {
			as_out_plain(out, as_str_get(prof, prof->meta.p[i].text));
			as_out_char(out, '\n');
		}
	return AS_OK;
}
