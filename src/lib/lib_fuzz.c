/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes through the whole engine, by the public API only: whatever is read as a profile keeps
 * its totals in every projection, shape, copy and merge, and in the formats that carry them all.
 */
#include "assay/assay.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EVENTS_MAX = 64 };

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* What must not change. */
struct totals {
	uint32_t n;
	wide v[EVENTS_MAX];
};

static wide val(struct assay_value v)
{
	return (wide)((uwide)v.high << 64 | v.low);
}

static struct assay_value value(wide v)
{
	return (struct assay_value){(uint64_t)v, (int64_t)(v >> 64)};
}

/* A macro, so that a debugger shows the line. */
#define DEMAND(ok) ((ok) ? (void)0 : abort())

static struct totals totals_of(const struct assay_profile *prof)
{
	struct assay_info info = {.size = sizeof(info)};
	struct assay_event ev = {.size = sizeof(ev)};
	struct totals t = {0};

	DEMAND(assay_profile_info(prof, &info) == ASSAY_OK);
	t.n = info.n_events < EVENTS_MAX ? info.n_events : EVENTS_MAX;
	for (uint32_t i = 0; i < t.n; i++) {
		DEMAND(assay_event_get(prof, i, &ev) == ASSAY_OK);
		t.v[i] = val(ev.total);
	}
	return t;
}

static void same_totals(const struct assay_profile *prof, const struct totals *want, int times)
{
	struct totals t = totals_of(prof);

	DEMAND(t.n == want->n);
	for (uint32_t i = 0; i < t.n; i++)
		DEMAND(t.v[i] == want->v[i] * times);
}

/* ---- what is done to it ---- */

static void project(const struct assay_profile *prof, const struct totals *want, enum assay_by by)
{
	struct assay_project_options o = {.size = sizeof(o), .by = by, .edges = true};
	struct assay_row row = {.size = sizeof(row)};
	struct totals t = {.n = want->n};
	struct assay_table *table;

	if (assay_project(prof, &o, &table, NULL) != ASSAY_OK)
		return;
	for (size_t i = 0; i < assay_table_rows(table); i++) {
		DEMAND(assay_table_row(table, i, &row) == ASSAY_OK);
		for (uint32_t k = 0; k < t.n && !row.is_cycle; k++)
			t.v[k] += val(row.self[k]);
	}
	for (uint32_t k = 0; k < t.n; k++)
		DEMAND(t.v[k] == want->v[k]);
	assay_table_free(table);
}

/* The rows of the first level are all that there is. */
static void grow(
	const struct assay_profile *prof, const struct totals *want, enum assay_tree_way way)
{
	struct assay_tree_options o = {.size = sizeof(o), .way = way, .depth = 8};
	struct assay_tree_row row = {.size = sizeof(row)};
	struct totals t = {.n = want->n};
	struct assay_tree *tree;

	if (assay_tree_new(prof, &o, &tree, NULL) != ASSAY_OK)
		return;
	for (size_t i = 0; i < assay_tree_count(tree); i++) {
		DEMAND(assay_tree_get(tree, i, &row) == ASSAY_OK);
		for (uint32_t k = 0; k < t.n && !row.depth; k++)
			t.v[k] += val(row.cost[k]);
	}
	for (uint32_t k = 0; k < t.n; k++)
		DEMAND(t.v[k] == want->v[k]);
	assay_tree_free(tree);
}

/* The lines of a function are what it costs itself, and what was inlined there. */
static void list_all(const struct assay_profile *prof, const struct totals *want)
{
	struct assay_find_options o = {.size = sizeof(o)};
	struct assay_row row = {.size = sizeof(row)};
	struct assay_line line = {.size = sizeof(line)};
	struct assay_listing *list;
	struct assay_found *found;

	if (assay_find(prof, "", &o, &found, NULL) != ASSAY_OK)
		return;
	for (size_t i = 0; i < assay_found_count(found) && i < 8; i++) {
		struct totals t = {.n = want->n};

		if (assay_list(found, i, &list, NULL) != ASSAY_OK)
			continue;
		DEMAND(assay_table_row(assay_found_table(found), assay_found_row(found, i), &row) ==
			ASSAY_OK);
		for (size_t k = 0; k < assay_listing_lines(list); k++) {
			DEMAND(assay_listing_line(list, k, &line) == ASSAY_OK);
			for (uint32_t e = 0; e < t.n && !line.depth; e++)
				t.v[e] += val(line.self[e]);
		}
		for (uint32_t e = 0; e < t.n && row.name.len; e++)
			DEMAND(t.v[e] == val(row.self[e]));
		assay_listing_free(list);
	}
	assay_found_free(found);
}

/* Labels become frames, which costs nothing; what is chosen is read as any other profile. */
static void choose(const struct assay_profile *prof, const struct totals *want)
{
	static const char *const words[] = {
		"tagroot=a,b", "tagleaf=k", "ignore=[a-m]", "hide=file:a"};
	struct assay_words_options o = {.size = sizeof(o), .words = words, .n_words = 2};
	struct assay_profile *out;

	if (assay_filter_words(prof, &o, &out, NULL) == ASSAY_OK)
		same_totals(out, want, 1);
	assay_profile_free(out);
	o.n_words = 4;
	if (assay_filter_words(prof, &o, &out, NULL) == ASSAY_OK)
		DEMAND(totals_of(out).n == want->n);
	assay_profile_free(out);
}

/* Nothing differs from itself, and the rows are all there is. */
static void compare(struct assay_profile *prof, const struct totals *want)
{
	struct assay_compare_options o = {.size = sizeof(o),
		.base = &prof,
		.changed = &prof,
		.n_base = 1,
		.n_changed = 1,
		.norm = ASSAY_NORM_NONE};
	struct assay_figure fig = {.size = sizeof(fig)}, total = {.size = sizeof(total)};
	struct assay_comparison *cmp;

	if (!want->n || assay_compare(&o, &cmp, NULL) != ASSAY_OK)
		return;
	DEMAND(assay_comparison_figure(cmp, ASSAY_TOTAL, 0, false, &total) == ASSAY_OK);
	for (size_t i = 0; i < assay_comparison_rows(cmp); i++) {
		DEMAND(assay_comparison_figure(cmp, i, 0, false, &fig) == ASSAY_OK);
		DEMAND(val(fig.base) == val(fig.changed));
		total.base = value(val(total.base) - val(fig.base));
	}
	DEMAND(val(total.base) == 0);
	assay_comparison_free(cmp);
}

static void merge_twice(const struct assay_profile *prof, const struct totals *want)
{
	struct assay_profile *both = NULL;
	struct assay_merger *m;

	if (assay_merger_new(NULL, &m) != ASSAY_OK)
		return;
	if (assay_merger_add(m, prof) == ASSAY_OK) {
		DEMAND(assay_merger_add(m, prof) == ASSAY_OK);
		DEMAND(assay_merger_finish(m, &both) == ASSAY_OK);
		/* The order of the events may have changed; their sum is theirs. */
		DEMAND(totals_of(both).n == want->n);
		if (want->n == 1)
			same_totals(both, want, 2);
	}
	assay_profile_free(both);
	assay_merger_free(m);
}

static void change_shape(const struct assay_profile *prof, const struct totals *want)
{
	struct assay_profile *calls, *places, *paths;

	if (assay_context_paths(prof, NULL, &paths, NULL) == ASSAY_OK)
		same_totals(paths, want, 1);
	assay_profile_free(paths);
	if (assay_to_calls(prof, NULL, &calls, NULL) != ASSAY_OK)
		return;
	same_totals(calls, want, 1);
	if (assay_to_places(calls, NULL, &places, NULL) == ASSAY_OK)
		same_totals(places, want, 1);
	assay_profile_free(places);
	assay_profile_free(calls);
}

/* What is written is read again; Callgrind's format carries every cost. */
static void write_as(
	const struct assay_profile *prof, const struct assay_format *fmt, const struct totals *want)
{
	struct assay_write_options wo = {.size = sizeof(wo), .format = fmt->name};
	struct assay_open_options oo = {.size = sizeof(oo), .format = fmt->name};
	struct assay_profile *again;
	struct assay_buffer *buf;
	struct assay_slice s;

	/* What has no events has nothing that formats of samples can say. */
	if (!want->n || assay_write_memory(prof, &wo, &buf, NULL) != ASSAY_OK)
		return;
	s = assay_buffer_bytes(buf);
	/* dcpicat's text is for people: not every name can be read back. */
	if (fmt->can_read && strcmp(fmt->name, "dcpicat") != 0) {
		DEMAND(assay_open_memory(s.p, s.len, &oo, &again, NULL) == ASSAY_OK);
		if (strcmp(fmt->name, "callgrind") == 0)
			same_totals(again, want, 1);
		assay_profile_free(again);
	}
	assay_buffer_free(buf);
}

static void walk(const struct assay_profile *prof, const struct totals *want)
{
	struct assay_fact fact = {.size = sizeof(fact)};
	struct totals t = {.n = want->n};

	for (int kind = ASSAY_SELF; kind <= ASSAY_SAMPLE; kind++) {
		struct assay_cursor *cur;

		if (assay_cursor_new(prof, (enum assay_fact_kind)kind, &cur) != ASSAY_OK)
			return;
		while (assay_cursor_next(cur, &fact) == ASSAY_OK)
			for (uint32_t k = 0; k < t.n; k++)
				if (kind == ASSAY_SELF || kind == ASSAY_SAMPLE)
					t.v[k] += val(fact.costs[k]);
		assay_cursor_free(cur);
	}
	for (uint32_t k = 0; k < t.n; k++)
		DEMAND(t.v[k] == want->v[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct assay_open_options o = {.size = sizeof(o), .check = true};
	struct assay_format fmt = {.size = sizeof(fmt)};
	struct assay_profile *prof;
	struct totals want;

	if (assay_findings_new(NULL, &o.findings) != ASSAY_OK)
		return 0;
	if (assay_open_memory(data, size, &o, &prof, NULL) == ASSAY_OK) {
		want = totals_of(prof);
		for (int by = ASSAY_BY_FUNCTION; by <= ASSAY_BY_LABEL; by++)
			project(prof, &want, (enum assay_by)by);
		grow(prof, &want, ASSAY_TREE_CALLEES);
		grow(prof, &want, ASSAY_TREE_BOTTOM_UP);
		list_all(prof, &want);
		choose(prof, &want);
		compare(prof, &want);
		walk(prof, &want);
		change_shape(prof, &want);
		merge_twice(prof, &want);
		for (size_t i = 0; i < assay_format_count(); i++)
			if (assay_format_get(i, &fmt) == ASSAY_OK && fmt.can_write)
				write_as(prof, &fmt, &want);
	}
	assay_profile_free(prof);
	assay_findings_free(o.findings);
	return 0;
}
