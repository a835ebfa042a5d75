/* SPDX-License-Identifier: Apache-2.0 */
/* Reports that run out of memory, at every place where it can happen: a code, no leak, no crash. */
#include "report/diff/diff_report.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "change/transform.h"
#include "compat/pprof/pprof_text.h"
#include "lib/fail_alloc.h"
#include "model/build.h"
#include "picture/flame.h"
#include "picture/graph_dot.h"
#include "picture/treemap.h"
#include "report/answers.h"
#include "report/parts.h"
#include "report/top.h"

/* f(int) in a.c calls g, which has no name but an address; 30 and 12 of Ir. */
static struct as_profile *profile(struct fail_alloc *fa)
{
	struct as_profile *prof;
	struct as_build b;
	struct as_pos pos = {0};
	struct as_call call = {.count = 3};
	as_object app;
	as_func f;
	as_val v[1] = {30};
	uint32_t ev, part;

	assert_int_equal(as_build_init(&b, &fa->al, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of("Ir"), as_slice_of(""), &ev), AS_OK);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	assert_int_equal(
		as_build_object(&b, as_slice_of("/bin/\x01"), as_slice_of(""), &app), AS_OK);
	assert_int_equal(as_build_file(&b, as_slice_of("a.c"), &pos.file), AS_OK);
	assert_int_equal(as_build_func(&b, as_slice_of("averylongnamespace::f<int, long>(int)"),
				 app, pos.file, 0, &f),
		AS_OK);
	assert_int_equal(
		as_build_func(&b, as_slice_of(""), app, (as_file){0}, 0x20, &call.callee), AS_OK);
	pos.func = f;
	assert_int_equal(as_build_self(&b, part, &pos, v, 1), AS_OK);
	v[0] = 12;
	assert_int_equal(as_build_call(&b, part, &pos, &call, v, 1), AS_OK);
	pos = (struct as_pos){.func = call.callee, .addr = 0x20};
	assert_int_equal(as_build_self(&b, part, &pos, v, 1), AS_OK);
	assert_int_equal(as_build_meta(&b, part, as_slice_of("desc"), as_slice_of("x")), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

/* A sample in main, with labels of all kinds, and one without. */
static struct as_profile *labelled(struct fail_alloc *fa)
{
	static const char *const words[][3] = {{"user", "ann", ""}, {"user", "bob", ""},
		{"size", "", "bytes"}, {"request", "", ""}};
	struct as_label label[AS_ARRAY_LEN(words)] = {{.number = 0}};
	struct as_pos pos = {.line = 3};
	struct as_profile *prof;
	struct as_build b;
	as_object app;
	as_place place;
	as_node node;
	as_val v[1] = {30};
	uint32_t ev, part;

	assert_int_equal(as_build_init(&b, &fa->al, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of("cpu"), as_slice_of("count"), &ev), AS_OK);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	assert_int_equal(
		as_build_object(&b, as_slice_of("/bin/prog"), as_slice_of("1d"), &app), AS_OK);
	assert_int_equal(as_build_file(&b, as_slice_of("./a/../b.c"), &pos.file), AS_OK);
	assert_int_equal(
		as_build_func(&b, as_slice_of("main"), app, pos.file, 0, &pos.func), AS_OK);
	assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(&b, (as_node){0}, place, &node), AS_OK);
	assert_int_equal(as_build_sample(&b, part, node, v), AS_OK);
	for (size_t i = 0; i < AS_ARRAY_LEN(words); i++) {
		as_str *const to[] = {&label[i].key, &label[i].text, &label[i].unit};

		label[i].number = 2048;
		for (size_t k = 0; k < AS_ARRAY_LEN(to); k++)
			assert_int_equal(as_build_str(&b, as_slice_of(words[i][k]), to[k]), AS_OK);
	}
	assert_int_equal(as_build_labelled(&b, label, AS_ARRAY_LEN(words), &part), AS_OK);
	assert_int_equal(as_build_sample(&b, part, node, v), AS_OK);
	assert_int_equal(as_build_meta(&b, 0, as_slice_of("comment"), as_slice_of("x")), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static const struct as_style narrow = {.width = 40, .group = true, .utf8 = true};

typedef enum as_code report(const struct as_profile *prof, struct as_out *out);

static enum as_code do_top(const struct as_profile *prof, struct as_out *out)
{
	const struct as_top_opts opts = {.limit = 1};
	struct as_top top;
	enum as_code rc = as_top_make(&top, prof, &opts, NULL);

	if (rc == AS_OK) {
		for (int form = AS_FORM_TEXT; form <= AS_FORM_CSV && rc == AS_OK; form++)
			rc = as_top_print(
				&top, &(struct as_sheet_to){(enum as_form)form, out, &narrow});
	}
	if (rc == AS_OK)
		rc = as_top_print(
			&top, &(struct as_sheet_to){AS_FORM_TEXT, out, &as_grid_markdown});
	as_top_release(&top);
	return rc;
}

static enum as_code do_screen(const struct as_profile *prof, struct as_out *out)
{
	static const char *const files[] = {"a file"};
	const struct as_screen sc = {.prof = prof, .files = files, .n_files = 1};

	return as_screen_text(&sc, out, &narrow, NULL);
}

static enum as_code do_info(const struct as_profile *prof, struct as_out *out)
{
	const struct as_symbol_report none = {0};
	struct as_name_shares names;
	struct as_info info = {.prof = prof, .name = "name", .names = &names};
	enum as_code rc = as_name_shares_make(&names, prof, &none);

	if (rc == AS_OK) {
		rc = as_info_json(&info, out);
		AS_THEN(rc, as_info_text(&info, out, &narrow));
	}
	if (rc == AS_OK)
		rc = as_info_text(&info, out, &as_grid_markdown);
	as_name_shares_release(&names);
	return rc;
}

static enum as_code do_formats(const struct as_profile *prof, struct as_out *out)
{
	return as_formats_print(prof->al, &(struct as_sheet_to){AS_FORM_TEXT, out, &narrow}, true);
}

static enum as_code print_diff(const struct as_diff_view *v, struct as_out *out)
{
	for (int form = AS_FORM_TEXT; form <= AS_FORM_MARKDOWN; form++)
		AS_TRY(as_diff_print(v, &(struct as_sheet_to){(enum as_form)form, out, &narrow}));
	if (!v->n_gates)
		return AS_OK;
	AS_TRY(as_gate_junit(v, out));
	return as_gate_annotations(v, out);
}

static enum as_code judge_diff(const struct as_diff *d, struct as_out *out)
{
	static const char text[] = "total(Ir) > 1 or self(Ir, 'a\xff|`<&>\"\x01') > 5";
	static const uint32_t event = 0;
	struct as_gate_result r;
	struct as_gate g;
	struct as_diff_view v = {
		.d = d, .event = &event, .n_events = 1, .limit = 1, .gate = &r, .n_gates = 1};
	enum as_code rc = as_gate_parse(&g, d->al, as_slice_of(text), NULL);

	if (rc == AS_OK)
		rc = as_gate_eval(&g, d, &r);
	if (rc == AS_OK)
		rc = print_diff(&v, out);
	as_gate_free(&g);
	return rc;
}

static enum as_code do_diff(const struct as_profile *prof, struct as_out *out)
{
	struct as_diff_opts opts = {.by = AS_BY_FUNC, .n_runs = 3};
	struct as_diff *d;
	enum as_code rc = as_diff_begin(&d, prof->al, &opts, NULL);

	for (unsigned i = 0; i < 3 && rc == AS_OK; i++)
		rc = as_diff_add(d, i ? AS_NEW : AS_BASE, prof, as_slice_of("a file"), NULL);
	if (rc == AS_OK)
		rc = as_diff_scale(d, AS_NORM_AUTO, 0, NULL);
	if (rc == AS_OK)
		rc = as_diff_sort(d, 0, false, NULL);
	if (rc == AS_OK)
		rc = judge_diff(d, out);
	as_diff_free(d);
	return rc;
}

static bool a_line(void *ctx, struct as_slice path, uint64_t line, struct as_slice *text)
{
	(void)ctx;
	(void)path;
	*text = as_slice_of("\tx");
	return line < 3;
}

static struct as_slice nowhere(void *ctx, struct as_slice path, struct as_slice *note)
{
	(void)ctx;
	*note = as_slice_of("a note");
	return path;
}

typedef enum as_code below_fn(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err);

static enum as_code tree_of(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err)
{
	struct as_profile *paths = NULL;
	enum as_code rc = as_estimate_paths(prof, &paths, NULL, err);

	if (rc == AS_OK)
		rc = as_diff_sub_tree(sub, paths, err);
	as_profile_free(paths);
	return rc;
}

static enum as_code print_below(
	const struct as_diff_sub *sub, enum as_diff_kind kind, struct as_out *out)
{
	static const struct as_diff_source source = {NULL, a_line, nowhere};
	static const struct as_diff_tree_opts opts = {.min_ppm = 1};
	static const uint32_t event = 0, func[] = {0, 1};
	struct as_diff_tree_view tree = {0};
	struct as_diff_lists lists = {0};
	struct as_diff_view v = {.d = sub->of,
		.event = &event,
		.n_events = 1,
		.kind = kind,
		.sub = sub,
		.tree = &tree,
		.lists = &lists,
		.func = func,
		.n_funcs = kind == AS_DIFF_TREE ? 0 : 2,
		.source = &source,
		.context = 1};
	enum as_code rc = kind == AS_DIFF_TREE ? as_diff_tree_view_make(&tree, sub, &opts, NULL)
					       : as_diff_lists_make(&lists, sub, NULL);

	if (rc == AS_OK)
		rc = print_diff(&v, out);
	as_diff_lists_release(&lists);
	as_diff_tree_view_release(&tree);
	return rc;
}

static enum as_code do_below(
	const struct as_profile *prof, struct as_out *out, enum as_diff_kind kind)
{
	static below_fn *const fn[] = {NULL, tree_of, as_diff_sub_lines, as_diff_sub_calls};
	struct as_diff_opts opts = {.by = AS_BY_FUNC, .n_runs = 2, .want_rows = true};
	struct as_diff_sub sub = {0};
	struct as_diff *d;
	enum as_code rc = as_diff_begin(&d, prof->al, &opts, NULL);

	if (rc == AS_OK)
		as_diff_sub_init(&sub, d);
	for (unsigned side = 0; side < AS_SIDES && rc == AS_OK; side++) {
		rc = as_diff_add(d, (enum as_side)side, prof, as_slice_of("a file"), NULL);
		if (rc == AS_OK)
			rc = fn[kind](&sub, prof, NULL);
	}
	if (rc == AS_OK)
		rc = as_diff_scale(d, AS_NORM_AUTO, 0, NULL);
	if (rc == AS_OK)
		rc = as_diff_sort(d, 0, false, NULL);
	if (rc == AS_OK)
		rc = as_diff_sub_judge(&sub, kind != AS_DIFF_LIST, NULL);
	if (rc == AS_OK)
		rc = print_below(&sub, kind, out);
	as_diff_sub_release(&sub);
	as_diff_free(d);
	return rc;
}

static enum as_code do_diff_tree(const struct as_profile *prof, struct as_out *out)
{
	return do_below(prof, out, AS_DIFF_TREE);
}

static enum as_code do_diff_list(const struct as_profile *prof, struct as_out *out)
{
	return do_below(prof, out, AS_DIFF_LIST);
}

static enum as_code do_diff_peek(const struct as_profile *prof, struct as_out *out)
{
	return do_below(prof, out, AS_DIFF_PEEK);
}

static enum as_code do_tags(const struct as_profile *prof, struct as_out *out)
{
	static const uint32_t event = 0;
	const struct as_view_opts opts = {.event = &event, .n_events = 1};
	struct as_label_table table;
	enum as_code rc =
		as_label_table_make(&table, prof, &(struct as_label_how){.by = AS_BY_VALUE}, NULL);

	for (int form = AS_FORM_TEXT; form <= AS_FORM_CSV && rc == AS_OK; form++)
		rc = as_tags_print(
			&table, &opts, 1, &(struct as_sheet_to){(enum as_form)form, out, &narrow});
	as_label_table_release(&table);
	return rc;
}

static enum as_code do_parts(const struct as_profile *prof, struct as_out *out)
{
	static const uint32_t event = 0;
	static const struct as_label_how how = {.by = AS_BY_LABEL};
	const struct as_top_opts opts = {.view = {.event = &event, .n_events = 1}, .limit = 1};
	struct as_parts parts;
	enum as_code rc = as_parts_make(&parts, prof, &how, &opts, NULL);

	for (int form = AS_FORM_TEXT; form <= AS_FORM_CSV && rc == AS_OK; form++)
		rc = as_parts_print(
			&parts, &(struct as_sheet_to){(enum as_form)form, out, &narrow});
	as_parts_release(&parts);
	return rc;
}

static enum as_code do_pprof(const struct as_profile *prof, struct as_out *out)
{
	struct as_pprof_opts opts = {.kind = AS_PPROF_TRACES, .by = AS_PG_LINES};

	assert_true(as_pprof_find_column(prof, as_slice_of(""), &opts.column));
	AS_TRY(as_pprof_traces(prof, &opts, out, NULL));
	opts.kind = AS_PPROF_TAGS;
	AS_TRY(as_pprof_tags(prof, &opts, out, NULL));
	return as_pprof_comments(prof, out, NULL);
}

static enum as_code print_flame(const struct as_flame_places *places, struct as_out *out)
{
	static const struct as_flame_style how = {.width = 300}, columns = {.width = 40};
	static const size_t box[] = {0, 1, 2};
	struct as_flame f;
	enum as_code rc = as_flame_of_places(&f, places, NULL);

	AS_THEN(rc, as_flame_colours(&f, AS_FLAME_BY_FUNC));
	AS_THEN(rc, as_flame_svg(&f, &how, out));
	AS_THEN(rc, as_flame_text(&f, &columns, out, &narrow));
	AS_THEN(rc, as_flame_facts_json(&f, box, AS_ARRAY_LEN(box), out));
	as_flame_release(&f);
	return rc;
}

static enum as_code print_treemap(const struct as_treemap_opts *opts, struct as_out *out)
{
	struct as_treemap map;
	enum as_code rc = as_treemap_make(&map, opts, NULL);

	AS_THEN(rc, as_treemap_svg(&map, true, out));
	as_treemap_release(&map);
	return rc;
}

static enum as_code do_pictures(const struct as_profile *prof, struct as_out *out)
{
	static const uint32_t event = 0;
	static const char *const files[] = {"one\x01", "two"};
	const struct as_project_opts project = {.by = AS_BY_FUNC, .want_edges = true};
	const struct as_callgraph_opts whole = {.event = 0};
	const struct as_view_opts view = {
		.event = &event, .n_events = 1, .files = files, .n_files = 2};
	struct as_callgraph graph;
	struct as_table *table;
	enum as_code rc = as_project(prof, &project, &table, NULL);

	AS_THEN(rc, print_flame(&(struct as_flame_places){.table = table, .opts = &view}, out));
	AS_THEN(rc, print_treemap(&(struct as_treemap_opts){table, &view, 0, 300, 200}, out));
	if (rc == AS_OK) {
		rc = as_callgraph_make(&graph, table, &whole, NULL);
		AS_THEN(rc, as_graph_dot(&graph, &view, out));
		as_callgraph_release(&graph);
	}
	as_table_free(table);
	return rc;
}

/* 60 columns of 16.54 ms, whose line below the table has three numbers. */
static enum as_code do_timeline(const struct as_profile *prof, struct as_out *out)
{
	static const uint32_t event = 0;
	const struct as_view_opts view = {.event = &event, .n_events = 1};
	const struct as_timeline t = {
		.prof = prof, .start = 4304577, .width = 16540000, .n_buckets = 60, .most = 17};

	return as_timeline_print(&(struct as_timeline_report){&view, &t, 0},
		&(struct as_sheet_to){AS_FORM_TEXT, out, &narrow});
}

/* Give the report one request more each time, until it is enough; or, ONCE, fail each in turn: then
 * it may do without, but may not say anything else. */
static void starve_how(struct as_profile *(*make)(struct fail_alloc *fa), report *fn, bool once)
{
	struct as_sink_mem whole = {.data = {NULL, 0, 0}};

	for (uint64_t n = UINT64_MAX;; n++) {
		struct fail_alloc fa;
		struct as_profile *prof;
		struct as_sink_mem sink;
		struct as_out out;
		enum as_code rc;
		size_t before;
		bool enough;

		fail_alloc_init(&fa, 0);
		if (once)
			fail_alloc_once(&fa);
		prof = make(&fa);
		as_sink_mem_init(&sink, &as_alloc_libc);
		assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, NULL), AS_OK);
		before = fa.held;
		if (n != UINT64_MAX) /* first with all memory that there is */
			fail_alloc_after(&fa, n);
		rc = fn(prof, &out);
		assert_int_equal(fa.held, before);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
		enough = once ? !fail_alloc_has_failed(&fa) : rc == AS_OK;
		fail_alloc_never(&fa);
		assert_int_equal(as_out_finish(&out), AS_OK);
		as_profile_free(prof);
		assert_false(fa.wrong_size);
		if (n == UINT64_MAX) {
			assert_int_equal(rc, AS_OK);
			whole = sink;
			continue;
		}
		if (rc == AS_OK) {
			assert_int_equal(sink.data.n, whole.data.n);
			if (sink.data.n)
				assert_memory_equal(sink.data.p, whole.data.p, sink.data.n);
		}
		as_sink_mem_release(&sink);
		if (enough)
			break;
		assert_true(n < 10000);
	}
	as_sink_mem_release(&whole);
}

static void starve_on(struct as_profile *(*make)(struct fail_alloc *fa), report *fn)
{
	starve_how(make, fn, false);
	starve_how(make, fn, true);
}

static void starve(report *fn)
{
	starve_on(profile, fn);
}

static void test_top_says_that_memory_ran_out(void **state)
{
	(void)state;
	starve(do_top);
}

static void test_the_screen_says_that_memory_ran_out(void **state)
{
	(void)state;
	starve(do_screen);
}

static void test_info_and_formats_say_that_memory_ran_out(void **state)
{
	(void)state;
	starve(do_info);
	starve(do_formats);
}

static void test_diff_says_that_memory_ran_out(void **state)
{
	(void)state;
	starve(do_diff);
	starve(do_diff_tree);
	starve(do_diff_list);
	starve(do_diff_peek);
}

static void test_pictures_say_that_memory_ran_out(void **state)
{
	(void)state;
	starve(do_pictures);
	starve(do_timeline);
}

static void test_labels_say_that_memory_ran_out(void **state)
{
	(void)state;
	starve_on(labelled, do_tags);
	starve_on(labelled, do_parts);
	starve_on(labelled, do_pprof);
}

int report_memory_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_top_says_that_memory_ran_out),
		cmocka_unit_test(test_the_screen_says_that_memory_ran_out),
		cmocka_unit_test(test_diff_says_that_memory_ran_out),
		cmocka_unit_test(test_pictures_say_that_memory_ran_out),
		cmocka_unit_test(test_labels_say_that_memory_ran_out),
		cmocka_unit_test(test_info_and_formats_say_that_memory_ran_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
