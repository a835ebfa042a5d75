/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/names.h"

#include <stdlib.h>

#include "formats/format.h"
#include "report/kit/json.h"
#include "report/kit/show.h"

static void add_cost(struct as_name_shares *s, as_func f, as_val cost)
{
	struct as_name_share *row = &s->row[s->prof->func.object.p[f.i].i];

	row->self += cost;
	s->whole += cost;
	if (!as_func_is_nameless(s->prof, f))
		return;
	row->nameless += cost;
	s->nameless += cost;
	if (!as_func_is_whole(s->prof, f))
		return;
	row->begun += cost;
	s->begun += cost;
}

static bool add_rows(struct as_name_shares *s)
{
	const struct as_rows *rows = &s->prof->self;
	size_t size = ((size_t)rows->width + 1) * sizeof(as_val);
	as_val *v = as_alloc_new(s->prof->al, size);
	struct as_rows_cur cur;

	if (!v)
		return false;
	for (size_t i = 0; i < rows->run.n; i++) {
		as_rows_begin(&cur, rows, &rows->run.p[i], v);
		while (as_rows_next(&cur))
			add_cost(s, rows->run.p[i].func, v[0]);
	}
	as_alloc_free(s->prof->al, v, size);
	return true;
}

static void add_samples(struct as_name_shares *s)
{
	const struct as_profile *prof = s->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_place leaf = prof->node.place.p[prof->sample.node.p[i].i];

		add_cost(s, prof->place.func.p[leaf.i], prof->sample.cost.p[i * prof->event.n]);
	}
}

static int cmp_share(const void *a, const void *b)
{
	const struct as_name_share *x = a, *y = b;

	if (x->nameless != y->nameless)
		return x->nameless < y->nameless ? 1 : -1;
	return (x->object.i > y->object.i) - (x->object.i < y->object.i);
}

enum as_code as_name_shares_make(struct as_name_shares *s, const struct as_profile *prof,
	const struct as_symbol_report *report)
{
	size_t n = 0;

	*s = (struct as_name_shares){.prof = prof,
		.size = prof->object.n * sizeof(*s->row),
		.asked = report->object.n > 0};
	s->row = as_alloc_new(prof->al, s->size);
	if (!s->row)
		return AS_E_NOMEM;
	if (as_n_events(prof)) {
		if (!add_rows(s))
			return AS_E_NOMEM;
		add_samples(s);
	}
	for (size_t i = 0; i < report->object.n; i++)
		s->row[report->object.p[i].object.i].report = &report->object.p[i];
	for (uint32_t i = 0; i < prof->object.n; i++) {
		struct as_name_share row = s->row[i];

		row.object.i = i;
		row.whole = s->whole;
		if (row.nameless || row.report)
			s->row[n++] = row;
	}
	s->n = n;
	qsort(s->row, n, sizeof(*s->row), cmp_share);
	return AS_OK;
}

void as_name_shares_release(struct as_name_shares *s)
{
	as_alloc_free(s->prof->al, s->row, s->size);
	s->row = NULL;
}

/* "not found": why an object's code has no names, in few words. */
static const char *reason(const struct as_profile *prof, const struct as_name_share *row)
{
	const struct as_object_report *r = row->report;

	static const char *const text[] = {
		[AS_OBJECT_NAMED] = "addresses outside of its functions",
		[AS_OBJECT_MISSING] = "not found",
		[AS_OBJECT_CHANGED] = "another file",
		[AS_OBJECT_DAMAGED] = "damaged",
		[AS_OBJECT_NO_NAMES] = "no names in it",
		[AS_OBJECT_NOT_A_FILE] = "no file",
	};

	if (as_path_is_gap(as_object_path(prof, row->object)))
		return "no code";
	if (row->begun && row->begun == row->nameless)
		return "functions without symbols";
	return r ? text[r->state] : "not looked for";
}

/* TEXT, and how much of what has no name is known by the function that it is in. */
static struct as_slice with_begun(
	const struct as_name_shares *s, struct as_arena *ar, struct as_slice text)
{
	struct as_slice percent;

	if (s->begun <= 0 || s->begun >= s->nameless || !text.p)
		return text;
	percent = as_show_percent(ar, s->begun, s->whole);
	return as_arena_printf(ar, "%.*s; %.*s %% in functions without symbols", AS_SLICE_FMT(text),
		AS_SLICE_FMT(percent));
}

enum { TOLD_MAX = 20 }; /* objects in a line; JSON has all */

struct as_slice as_name_shares_text(const struct as_name_shares *s, struct as_arena *ar)
{
	struct as_slice text = as_slice_of(""), percent;
	const char *sep = "; without: ";
	size_t n_told = 0, n_more = 0;

	for (size_t i = 0; i < s->n && text.p; i++) {
		const struct as_name_share *row = &s->row[i];
		struct as_slice name = as_base_name(as_object_path(s->prof, row->object));

		if (row->nameless <= 0)
			continue;
		if (n_told == TOLD_MAX) {
			n_more++;
			continue;
		}
		n_told++;
		name = as_show_clean(ar, name);
		percent = as_show_percent(ar, row->nameless, s->whole);
		text = as_arena_printf(ar, "%.*s%s%.*s %.*s %% (%s)", AS_SLICE_FMT(text), sep,
			AS_SLICE_FMT(name.len ? name : as_slice_of("[unknown]")),
			AS_SLICE_FMT(percent), reason(s->prof, row));
		sep = ", ";
	}
	if (n_more && text.p)
		text = as_arena_printf(ar, "%.*s and %zu more", AS_SLICE_FMT(text), n_more);
	text = with_begun(s, ar, text);
	if (!text.p)
		return text;
	percent = as_show_percent(ar, s->whole - s->nameless, s->whole);
	return as_arena_printf(
		ar, "%.*s %% of the cost has names%.*s", AS_SLICE_FMT(percent), AS_SLICE_FMT(text));
}

/* The words of docs/json.md. */
static const char *state_text(enum as_object_state state)
{
	static const char *const text[] = {
		"named", "missing", "changed", "damaged", "no-names", "not-a-file"};

	return text[state];
}

static void json_object(
	const struct as_name_share *row, const struct as_profile *prof, struct as_json *j)
{
	const struct as_object_report *r = row->report;
	struct as_slice none = as_slice_of("");

	as_json_object(j, NULL);
	as_json_text_or_null(j, "object", as_object_path(prof, row->object));
	as_json_text_or_null(j, "id", as_str_get(prof, prof->object.p[row->object.i].id));
	as_json_text_or_null(j, "state", r ? as_slice_of(state_text(r->state)) : none);
	as_json_text_or_null(j, "file", r ? r->file : none);
	as_json_text_or_null(j, "note", r ? r->note : none);
	as_json_u64(j, "addresses", r ? r->n_addrs : 0);
	as_json_u64(j, "addresses_named", r ? r->n_named : 0);
	as_json_u64(j, "addresses_in_functions", r ? r->n_begun : 0);
	as_json_val(j, "self", row->self);
	as_json_val(j, "self_nameless", row->nameless);
	as_json_val(j, "self_nameless_functions", row->begun);
	if (r && r->n_named)
		as_json_bool(j, "identified", !r->unproven);
	else
		as_json_null(j, "identified");
	as_json_object_end(j);
}

void as_name_shares_json(const struct as_name_shares *s, struct as_json *j)
{
	as_json_object(j, "symbols");
	as_json_val(j, "self", s->whole);
	as_json_val(j, "self_nameless", s->nameless);
	as_json_val(j, "self_nameless_functions", s->begun);
	as_json_array(j, "objects");
	for (size_t i = 0; i < s->n; i++)
		json_object(&s->row[i], s->prof, j);
	as_json_array_end(j);
	as_json_object_end(j);
}
