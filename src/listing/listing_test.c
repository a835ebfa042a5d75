/* SPDX-License-Identifier: Apache-2.0 */
/* Listings: rows, calls, jumps of one function; and that they agree with the projections. */
#include "listing/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "lib/test_profiles.h"
#include "table/project.h"

static struct as_listings *listings(
	const struct as_profile *prof, const struct as_listing_opts *opts, const char *what)
{
	struct as_listings *ls;

	assert_int_equal(as_listings_open(&ls, prof, opts, NULL), AS_OK);
	assert_int_equal(as_listings_find(ls, as_slice_of(what), NULL, NULL), AS_OK);
	return ls;
}

static void self_at(
	struct as_build *b, as_func f, const char *file, uint64_t line, uint64_t addr, as_val cost)
{
	struct as_pos pos = {.func = f, .line = line, .addr = addr};

	assert_int_equal(as_build_file(b, as_slice_of(file), &pos.file), AS_OK);
	assert_int_equal(as_build_self(b, 0, &pos, &cost, 1), AS_OK);
}

static void call_at(struct as_build *b, as_func f, uint64_t line, uint64_t addr, as_func callee,
	as_val count, as_val cost)
{
	struct as_pos pos = {
		.func = f, .file = b->prof->func.file.p[f.i], .line = line, .addr = addr};
	struct as_call call = {.callee = callee, .count = count};

	assert_int_equal(as_build_call(b, 0, &pos, &call, &cost, 1), AS_OK);
}

static void jump_at(struct as_build *b, as_func f, uint64_t line, uint64_t addr, uint64_t to,
	as_val followed, as_val executed)
{
	struct as_pos pos = {
		.func = f, .file = b->prof->func.file.p[f.i], .line = line, .addr = addr};
	struct as_jump jump = {.conditional = true,
		.line = line,
		.addr = to,
		.executed = executed,
		.followed = followed};

	assert_int_equal(as_build_jump(b, 0, &pos, &jump), AS_OK);
}

/* f of a.c, with code from inl.h; it calls g from two lines and itself. */
static struct as_profile *small(void)
{
	struct as_build b;
	as_func f, g;

	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f(int)", "app", "/src/a.c");
	g = as_test_func(&b, "g", "app", "/src/b.c");
	self_at(&b, f, "/src/a.c", 12, 0x1010, 5);
	self_at(&b, f, "/src/a.c", 10, 0x1000, 3);
	self_at(&b, f, "/src/inl.h", 7, 0x1008, 100);
	self_at(&b, f, "/src/a.c", 12, 0x1014, 1);
	self_at(&b, f, "/src/a.c", 0, 0x1018, 2);
	self_at(&b, g, "/src/b.c", 1, 0x2000, 50);
	call_at(&b, f, 10, 0x1000, g, 2, 20);
	call_at(&b, f, 12, 0x1010, g, 3, 30);
	call_at(&b, f, 12, 0x1010, f, 4, 60);
	jump_at(&b, f, 12, 0x1014, 0x1000, 3, 4);
	jump_at(&b, f, 12, 0x1014, 0x1000, 1, 2);
	return as_test_end(&b);
}

static void test_lines_own_file_first(void **state)
{
	static const struct {
		const char *file;
		uint64_t line;
		int self, incl;
	} want[] = {{"/src/a.c", 10, 3, 23}, {"/src/a.c", 12, 6, 36}, {"/src/a.c", 0, 2, 2},
		{"/src/inl.h", 7, 100, 100}};
	struct as_profile *prof = small();
	struct as_listing_opts opts = {0};
	struct as_listings *ls = listings(prof, &opts, "f");
	struct as_listing l;

	(void)state;
	assert_int_equal(as_listings_n(ls), 1);
	assert_int_equal(as_listing_make(ls, 0, &l, NULL), AS_OK);
	assert_true(as_slice_is(l.name, "f(int)"));
	assert_int_equal(l.self[0], 111);
	assert_int_equal(l.row.n, AS_ARRAY_LEN(want));
	for (size_t i = 0; i < l.row.n; i++) {
		assert_true(as_slice_is(as_file_path(prof, l.row.p[i].file), want[i].file));
		assert_int_equal(l.row.p[i].line, want[i].line);
		assert_int_equal(as_list_self(&l, i)[0], want[i].self);
		assert_int_equal(as_list_incl(&l, i)[0], want[i].incl);
	}
	assert_int_equal(l.block.n, 2);
	assert_int_equal(l.block.p[0].n_rows, 3);
	assert_int_equal(l.row.p[1].n_calls, 2);
	assert_true(l.call.p[l.row.p[1].call].inner);
	assert_int_equal(l.call.p[l.row.p[1].call].count, 4);
	assert_int_equal(as_list_call_cost(&l, l.row.p[1].call + 1)[0], 30);
	assert_int_equal(l.row.p[3].n_calls, 0);
	as_listing_release(&l);
	as_listings_free(ls);
	as_profile_free(prof);
}

static void test_instructions_with_jumps(void **state)
{
	static const uint64_t addr[] = {0x1000, 0x1008, 0x1010, 0x1014, 0x1018};
	struct as_profile *prof = small();
	struct as_listing_opts opts = {0};
	struct as_listings *ls = listings(prof, &opts, "f(int)");
	const struct as_list_jump *jump;
	struct as_listing l;

	(void)state;
	as_listings_by_addr(ls, true);
	assert_int_equal(as_listing_make(ls, 0, &l, NULL), AS_OK);
	assert_int_equal(l.row.n, AS_ARRAY_LEN(addr));
	for (size_t i = 0; i < l.row.n; i++)
		assert_int_equal(l.row.p[i].addr, addr[i]);
	assert_int_equal(l.row.p[1].line, 7);
	assert_int_equal(l.row.p[3].n_jumps, 1);
	jump = &l.jump.p[l.row.p[3].jump];
	assert_int_equal(jump->addr, 0x1000);
	assert_int_equal(jump->executed, 6);
	assert_int_equal(jump->followed, 4);
	as_listing_release(&l);
	as_listings_free(ls);
	as_profile_free(prof);
}

static bool ends_in_one(void *ctx, struct as_slice name)
{
	++*(int *)ctx;
	return as_slice_ends(name, "1");
}

static void test_how_functions_are_found(void **state)
{
	static const struct {
		const char *what;
		size_t n;
	} want[] = {{"f(int)", 1}, {"f", 1}, {"g", 1}, {"a.c:12", 1}, {"src/a.c:12", 1},
		{"rc/a.c:12", 0}, {"a.c:11", 0}, {"inl.h:7", 1}, {"(int", 1}, {"", 2}, {"h", 0}};
	struct as_profile *prof = small();
	struct as_listing_opts opts = {0};
	struct as_listings *ls;
	int asked = 0;
	struct as_listing_how how = {.match = ends_in_one, .match_ctx = &asked};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++) {
		ls = listings(prof, &opts, want[i].what);
		assert_int_equal(as_listings_n(ls), want[i].n);
		as_listings_free(ls);
	}
	assert_int_equal(as_listings_open(&ls, prof, &opts, NULL), AS_OK);
	assert_int_equal(as_listings_find(ls, as_slice_of("g"), &how, NULL), AS_OK);
	assert_int_equal(asked, 0);
	assert_int_equal(as_listings_find(ls, as_slice_of("1$"), &how, NULL), AS_OK);
	assert_int_equal(asked, 2);
	assert_int_equal(as_listings_n(ls), 0);
	as_listings_free(ls);
	as_profile_free(prof);
}

static as_node push(struct as_build *b, as_node parent, as_func f, uint64_t line, bool inlined)
{
	struct as_pos pos = {.func = f,
		.file = b->prof->func.file.p[f.i],
		.line = line,
		.addr = 0x100,
		.inlined = inlined};
	as_place place;
	as_node node;

	assert_int_equal(as_build_place(b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(b, parent, place, &node), AS_OK);
	return node;
}

/* main:5 -> outer:10 (inlined inner:20), which calls itself once. */
static struct as_profile *inlined(void)
{
	struct as_build b;
	as_func main_, outer, inner, leaf;
	as_node node;
	as_val cost = 7;

	as_test_begin(&b, "samples");
	main_ = as_test_func(&b, "main", "app", "m.c");
	outer = as_test_func(&b, "outer", "app", "m.c");
	inner = as_test_func(&b, "inner", "app", "i.h");
	leaf = as_test_func(&b, "leaf", "app", "l.c");
	node = push(&b, (as_node){0}, main_, 5, false);
	node = push(&b, node, outer, 10, false);
	node = push(&b, node, inner, 20, true);
	assert_int_equal(as_build_sample(&b, 0, node, &cost), AS_OK);
	node = push(&b, node, outer, 10, false);
	node = push(&b, node, inner, 21, true);
	node = push(&b, node, leaf, 1, false);
	assert_int_equal(as_build_sample(&b, 0, node, &cost), AS_OK);
	return as_test_end(&b);
}

static void test_inlined_lines_stand_below_the_call(void **state)
{
	static const struct as_list_span call = {0xfc, 0x101};
	struct as_profile *prof = inlined();
	struct as_listing_opts opts = {0};
	struct as_listings *ls = listings(prof, &opts, "outer");
	struct as_listing l;

	(void)state;
	assert_int_equal(as_listing_make(ls, 0, &l, NULL), AS_OK);
	assert_int_equal(l.row.n, 3);
	assert_int_equal(l.row.p[0].depth, 0);
	assert_int_equal(as_list_self(&l, 0)[0], 0);
	assert_int_equal(as_list_incl(&l, 0)[0], 14);
	assert_int_equal(l.row.p[1].parent, 1);
	assert_int_equal(l.row.p[1].depth, 1);
	assert_int_equal(l.row.p[1].line, 20);
	assert_int_equal(as_list_self(&l, 1)[0], 7);
	assert_int_equal(as_list_incl(&l, 1)[0], 14);
	assert_int_equal(l.row.p[2].line, 21);
	assert_int_equal(as_list_self(&l, 2)[0], 0);
	assert_int_equal(as_list_incl(&l, 2)[0], 7);
	assert_int_equal(l.row.p[2].n_calls, 1);
	assert_false(l.call.p[l.row.p[2].call].has_count);
	assert_int_equal(as_list_call_cost(&l, l.row.p[2].call)[0], 7);
	as_listing_release(&l);

	as_listings_by_addr(ls, true); /* what was inlined is the function's own there */
	assert_int_equal(as_listing_make(ls, 0, &l, NULL), AS_OK);
	assert_int_equal(l.row.n, 1);
	assert_int_equal(as_list_self(&l, 0)[0], 7);
	assert_int_equal(as_list_incl(&l, 0)[0], 14);
	assert_int_equal(l.row.p[0].addr, 0x100);
	assert_true(as_slice_is(as_func_name(prof, l.row.p[0].func), "inner"));
	as_listing_release(&l);

	as_listings_snap(ls, &call, 1);
	assert_int_equal(as_listing_make(ls, 0, &l, NULL), AS_OK);
	assert_int_equal(l.row.n, 1);
	assert_int_equal(l.row.p[0].addr, 0xfc);
	as_listing_release(&l);
	as_listings_free(ls);
	as_profile_free(prof);
}

/* f with inl inlined at 0x1004 and inl2 inside of that at 0x1008; inl alone in g. */
static struct as_profile *inlined_places(void)
{
	static const struct {
		const char *chain; /* the outermost first */
		uint64_t addr;
		as_val cost;
	} place[] = {{"f", 0x1000, 3}, {"fi", 0x1004, 5}, {"fij", 0x1008, 7}, {"gi", 0x2004, 11}};
	struct as_build b;

	as_test_begin(&b, "cycles");
	for (size_t i = 0; i < AS_ARRAY_LEN(place); i++) {
		as_node node = {0};
		as_place p;

		for (const char *c = place[i].chain; *c; c++) {
			char name[2] = {*c};
			struct as_pos pos = {.func = as_test_func(&b, name, "app", "a.c"),
				.line = (uint64_t)*c,
				.addr = place[i].addr,
				.inlined = c > place[i].chain};

			pos.file = b.prof->func.file.p[pos.func.i];
			assert_int_equal(as_build_place(&b, &pos, &p), AS_OK);
			assert_int_equal(as_build_push(&b, node, p, &node), AS_OK);
		}
		assert_int_equal(as_build_sample(&b, 0, node, &place[i].cost), AS_OK);
	}
	return as_test_end(&b);
}

/* What the rows of the function WHAT add up to, and how many there are: hand-computed. */
static void adds_up(const char *what, bool by_addr, const as_val want[4], size_t n_rows)
{
	struct as_profile *prof = inlined_places();
	struct as_listing_opts opts = {.places = true};
	struct as_listings *ls = listings(prof, &opts, what);
	as_val own = 0, incl = 0, all = 0;
	struct as_listing l;

	as_listings_by_addr(ls, by_addr);
	assert_int_equal(as_listing_make(ls, 0, &l, NULL), AS_OK);
	assert_int_equal(l.row.n, n_rows);
	assert_int_equal(l.row_has_incl, !by_addr);
	for (size_t i = 0; i < l.row.n; i++) {
		all += as_list_self(&l, i)[0];
		own += l.row.p[i].func.i == l.func.i ? as_list_self(&l, i)[0] : 0;
		incl += l.row.p[i].parent ? 0 : as_list_incl(&l, i)[0];
	}
	assert_int_equal(l.self[0], want[0]);
	assert_int_equal(own, want[0]);
	assert_int_equal(l.code[0], want[1]);
	assert_int_equal(all, want[1]);
	assert_int_equal(l.incl[0], want[2]);
	assert_int_equal(incl, want[3]);
	as_listing_release(&l);
	as_listings_free(ls);
	as_profile_free(prof);
}

static void test_places_add_up_with_what_was_inlined(void **state)
{
	(void)state;
	for (int by_addr = 0; by_addr < 2; by_addr++) {
		adds_up("f", by_addr, (as_val[]){3, 15, 15, 15}, 3);
		adds_up("i", by_addr, (as_val[]){16, 23, 23, 23}, by_addr ? 3 : 2);
		adds_up("j", by_addr, (as_val[]){7, 7, 7, 7}, 1);
		adds_up("g", by_addr, (as_val[]){0, 11, 11, 11}, by_addr ? 1 : 2);
	}
}

/* Rows of all functions of PROF that WHAT finds are the same, where only rows are asked for. */
static void same_rows(const struct as_profile *prof, const char *what, bool by_addr)
{
	struct as_listing_opts all = {0}, rows = {.rows = true};
	struct as_listings *ls[] = {listings(prof, &all, what), listings(prof, &rows, what)};
	struct as_listing l[2];

	assert_true(as_listings_n(ls[0]) > 0);
	assert_int_equal(as_listings_n(ls[0]), as_listings_n(ls[1]));
	for (size_t n = 0; n < as_listings_n(ls[0]); n++) {
		for (int k = 0; k < 2; k++) {
			as_listings_by_addr(ls[k], by_addr);
			assert_int_equal(as_listing_make(ls[k], n, &l[k], NULL), AS_OK);
		}
		assert_int_equal(l[0].func.i, l[1].func.i);
		assert_int_equal(l[0].row.n, l[1].row.n);
		assert_int_equal(l[0].block.n, l[1].block.n);
		assert_false(l[1].row_has_incl);
		assert_int_equal(l[1].call.n, 0);
		for (size_t i = 0; i < l[0].row.n; i++) {
			const struct as_list_row *x = &l[0].row.p[i], *y = &l[1].row.p[i];

			assert_true(x->parent == y->parent && x->addr == y->addr);
			assert_true(by_addr || (x->func.i == y->func.i && x->file.i == y->file.i &&
						       x->line == y->line));
			for (uint32_t e = 0; e < l[0].n_events; e++)
				assert_true(as_list_self(&l[0], i)[e] == as_list_self(&l[1], i)[e]);
		}
		for (int k = 0; k < 2; k++)
			as_listing_release(&l[k]);
	}
	for (int k = 0; k < 2; k++)
		as_listings_free(ls[k]);
}

static void test_rows_alone_are_those_of_the_whole_listing(void **state)
{
	struct as_profile *prof[] = {inlined(), inlined_places()};

	(void)state;
	for (int by_addr = 0; by_addr < 2; by_addr++) {
		for (size_t i = 0; i < AS_ARRAY_LEN(prof); i++)
			same_rows(prof[i], "", by_addr);
		for (uint64_t seed = 1; seed <= 40; seed++) {
			struct as_profile *paths = as_test_random(seed, AS_TEST_PATHS);

			same_rows(paths, "", by_addr);
			as_profile_free(paths);
		}
	}
	for (size_t i = 0; i < AS_ARRAY_LEN(prof); i++)
		as_profile_free(prof[i]);
}

/* Nameless code in both forms: a function for each address, or one for all of an object. */
static struct as_profile *nameless(bool each)
{
	static const struct {
		const char *object, *func;
		uint64_t addr;
		as_val cost;
	} place[] = {{"/bin/app", "", 0x1f0, 5}, {"/bin/app", "", 0x100, 3},
		{"/bin/app", "", 0x2f1, 7}, {"/lib/app", "", 0x180, 9}, {"/bin/x", "", 0x180, 9},
		{"/bin/app", "f", 0x150, 11}};
	struct as_build b;

	as_test_begin(&b, "cycles");
	for (size_t i = 0; i < AS_ARRAY_LEN(place); i++) {
		struct as_pos pos = {.addr = place[i].addr};
		as_val cost = place[i].cost;
		as_object o;

		assert_int_equal(
			as_build_object(&b, as_slice_of(place[i].object), as_slice_of(""), &o),
			AS_OK);
		assert_int_equal(as_build_func(&b, as_slice_of(place[i].func), o, pos.file,
					 each && !place[i].func[0] ? pos.addr : 0, &pos.func),
			AS_OK);
		assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	}
	return as_test_end(&b);
}

static void test_nameless_code_is_listed_with_what_is_around(void **state)
{
	static const struct {
		const char *what;
		size_t n, rows;
		uint64_t start, last;
		as_val self;
	} want[] = {{"[x+0x180]", 1, 1, 0x180, 0x180, 9}, {"app+0x2f1", 1, 1, 0x2f1, 0x2f1, 7},
		{"[app+0x1f0]", 1, 2, 0x100, 0x1f0, 8}, {"app+0x100", 1, 2, 0x100, 0x1f0, 8},
		{"[app+0x180]", 1, 1, 0x180, 0x180, 9}, {.what = "[app+0x150]"},
		{.what = "[app+0x101]"}, {.what = "app+"}, {.what = "[0x180]"}, {.what = "+0x180"}};

	(void)state;
	for (size_t i = 0; i < 4 * AS_ARRAY_LEN(want); i++) {
		size_t k = i / 4;
		struct as_profile *prof = nameless(i & 1);
		struct as_listing_opts opts = {0};
		struct as_listings *ls = listings(prof, &opts, want[k].what);
		struct as_listing l;

		assert_int_equal(as_listings_n(ls), want[k].n);
		as_listings_by_addr(ls, i & 2);
		if (want[k].n) {
			assert_int_equal(as_listing_make(ls, 0, &l, NULL), AS_OK);
			assert_int_equal(l.stretch.start, want[k].start);
			assert_int_equal(l.stretch.last, want[k].last);
			assert_int_equal(l.self[0], want[k].self);
			assert_int_equal(l.code[0], want[k].self);
			assert_int_equal(l.row.n, i & 2 ? want[k].rows : 1);
			assert_false(l.has_incl);
			as_listing_release(&l);
		}
		as_listings_free(ls);
		as_profile_free(prof);
	}
}

/* The row of the projection that R stands for; t->n if there is none, as only jumps are there. */
static uint32_t table_row(const struct as_table *t, const struct as_list_row *r)
{
	uint32_t i = 0;

	while (i < t->n && !(t->key[i].func.i == r->func.i && t->key[i].file.i == r->file.i &&
				   t->key[i].line == r->line))
		i++;
	assert_true(i < t->n || r->n_jumps);
	return i;
}

static void same_as_projection(const struct as_profile *prof, bool keep)
{
	struct as_project_opts by_line = {.by = AS_BY_LINE, .keep_contexts = keep};
	struct as_listing_opts opts = {.keep_contexts = keep};
	struct as_listings *ls = listings(prof, &opts, "");
	uint32_t e = as_n_events(prof);
	struct as_table *t;

	assert_int_equal(as_project(prof, &by_line, &t, NULL), AS_OK);
	for (size_t n = 0; n < as_listings_n(ls); n++) {
		struct as_listing l;
		as_val sum[8] = {0};

		assert_int_equal(as_listing_make(ls, n, &l, NULL), AS_OK);
		for (size_t i = 0; i < l.row.n; i++) {
			uint32_t row = table_row(t, &l.row.p[i]);

			for (uint32_t k = 0; k < e && row < t->n; k++) {
				as_val incl = t->incl[row * e + k];

				sum[k] += as_list_self(&l, i)[k];
				assert_true(as_list_self(&l, i)[k] == t->self[row * e + k]);
				assert_true(!t->has_incl[row] || as_list_incl(&l, i)[k] == incl);
			}
		}
		for (uint32_t k = 0; k < e; k++)
			assert_true(sum[k] == l.self[k]);
		as_listing_release(&l);
	}
	as_table_free(t);
	as_listings_free(ls);
}

static void test_same_figures_as_the_projection_by_line(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct as_profile *calls =
			as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_CONTEXTS |
						     AS_TEST_NEGATIVE | AS_TEST_JUMPS);
		struct as_profile *paths = as_test_random(seed, AS_TEST_PATHS);

		same_as_projection(calls, seed % 2);
		same_as_projection(paths, false);
		as_profile_free(calls);
		as_profile_free(paths);
	}
}

static enum as_code work(struct as_profile *prof, const char *what, bool by_addr, bool rows)
{
	struct as_listing_opts opts = {.rows = rows};
	struct as_listings *ls;
	enum as_code rc = as_listings_open(&ls, prof, &opts, NULL);

	if (rc == AS_OK)
		rc = as_listings_find(ls, as_slice_of(what), NULL, NULL);
	if (rc == AS_OK && as_listings_n(ls)) {
		struct as_listing l;

		as_listings_by_addr(ls, by_addr);
		rc = as_listing_make(ls, 0, &l, NULL);
		as_listing_release(&l);
	}
	as_listings_free(ls);
	return rc;
}

static void test_every_lack_of_memory_is_told(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++) {
		struct as_profile *prof = i < 4 ? inlined() : nameless(true);
		const char *what = i < 4 ? "m.c:10" : "[app+0x100]";
		const struct as_alloc *own = prof->al;

		for (uint64_t n = 1;; n++) {
			struct fail_alloc fa;
			enum as_code rc;

			fail_alloc_init(&fa, n);
			prof->al = &fa.al;
			rc = work(prof, what, i & 1, i & 2);
			prof->al = own;
			assert_int_equal(fa.held, 0);
			assert_false(fa.wrong_size);
			if (rc == AS_OK)
				break;
			assert_int_equal(rc, AS_E_NOMEM);
		}
		as_profile_free(prof);
	}
}

static size_t found_of(
	struct as_listings *ls, const char *name, const char *file, const char *object)
{
	struct as_listing_id id = {as_slice_of(name), as_slice_of(file), as_slice_of(object), 0};

	assert_int_equal(as_listings_find_id(ls, &id, NULL), AS_OK);
	return as_listings_n(ls);
}

/* Rows of lines do not say where their function is, rows of comparisons have no folders. */
static void test_a_function_is_found_by_what_is_said_of_it(void **state)
{
	struct as_listing_opts opts = {0};
	struct as_listings *ls;
	struct as_profile *prof;
	struct as_build b;
	as_func f;

	(void)state;
	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f", "/bin/app", "/src/a.c");
	self_at(&b, f, "/src/a.c", 1, 0x1000, 1);
	f = as_test_func(&b, "f", "/lib/x.so", "/src/b.c");
	self_at(&b, f, "/src/b.c", 1, 0x2000, 2);
	f = as_test_func(&b, "f", "", "");
	self_at(&b, f, "", 0, 0x3000, 3);
	prof = as_test_end(&b);
	ls = listings(prof, &opts, "f");
	assert_int_equal(found_of(ls, "f", "/src/a.c", "/bin/app"), 1);
	assert_int_equal(found_of(ls, "f", "", ""), 1); /* nothing is known of that one */
	assert_int_equal(found_of(ls, "f", "", "x.so"), 1);
	assert_int_equal(found_of(ls, "f", "b.c", ""), 1);
	assert_int_equal(found_of(ls, "f", "b.c", "app"), 0);
	assert_int_equal(found_of(ls, "f", "/other/b.c", ""), 0);
	assert_int_equal(found_of(ls, "g", "", ""), 0);
	assert_int_equal(found_of(ls, "", "b.c", ""), 0);
	as_listings_free(ls);
	as_profile_free(prof);
}

int listing_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_function_is_found_by_what_is_said_of_it),
		cmocka_unit_test(test_lines_own_file_first),
		cmocka_unit_test(test_instructions_with_jumps),
		cmocka_unit_test(test_how_functions_are_found),
		cmocka_unit_test(test_inlined_lines_stand_below_the_call),
		cmocka_unit_test(test_places_add_up_with_what_was_inlined),
		cmocka_unit_test(test_rows_alone_are_those_of_the_whole_listing),
		cmocka_unit_test(test_nameless_code_is_listed_with_what_is_around),
		cmocka_unit_test(test_same_figures_as_the_projection_by_line),
		cmocka_unit_test(test_every_lack_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("listing", tests, NULL, NULL);
}
