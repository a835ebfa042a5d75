/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as rows: what they add up to, and ids that stay what they are. */
#include "fleet/fleet_testing.h"

#include <stdio.h>

#include "change/transform.h"
#include "fleet/fleet_hash.h"
#include "lib/fail_alloc.h"

/* The sum of the values of SVC in all batches. */
static as_val rows_sum(const struct as_fleet_rows *rows, uint64_t svc)
{
	as_val sum = 0;

	for (size_t i = 0; i < rows->batch.n; i++) {
		struct as_fleet_cur c = as_fleet_cur_of(fleet_slice(rows->batch.p[i].samples));

		while (as_fleet_more(&c)) {
			int64_t value;
			bool is;

			assert_int_equal(as_fleet_number(&c, 2), rows->day);
			is = as_fleet_number(&c, 8) == svc;
			assert_int_equal(as_fleet_number(&c, 4), rows->t0);
			assert_true(as_fleet_number(&c, 8));
			assert_true(as_fleet_number(&c, 8));
			value = (int64_t)as_fleet_number(&c, 8);
			sum += is ? value : 0;
		}
		assert_false(c.cut);
	}
	return sum;
}

/* type and service, each with its length in front */
static uint64_t svc_of(const char *type, const char *service)
{
	char bytes[100];
	int n = snprintf(bytes, sizeof(bytes), "%c%s%c%s", (char)strlen(type), type,
		(char)strlen(service), service);

	return as_fleet_hash(bytes, (size_t)n);
}

static void check_batches(const struct as_fleet_rows *rows)
{
	for (size_t i = 0; i < rows->batch.n; i++) {
		const struct as_fleet_batch *b = &rows->batch.p[i];
		as_val total = 0, mass = 0;

		assert_int_equal(b->samples.n, b->n_samples * AS_FLEET_ROW);
		for (size_t k = 0; k < b->samples.n; k += AS_FLEET_ROW) {
			struct as_slice value = {b->samples.p + k + 30, 8};
			struct as_fleet_cur c = as_fleet_cur_of(value);
			int64_t v = (int64_t)as_fleet_number(&c, 8);

			total += v;
			mass += v < 0 ? -(as_val)v : v;
		}
		assert_true(b->total == total);
		assert_true(b->mass == mass);
		assert_true(mass <= INT64_MAX);
		for (size_t k = 0; k < i; k++)
			assert_true(rows->batch.p[k].id != b->id);
	}
}

static void test_rows_add_up_to_the_profile(void **state)
{
	static const char *const events[] = {"Ir", "Dr", "Dw"};

	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct as_profile *prof =
			as_test_random(seed, AS_TEST_SELF | AS_TEST_PATHS | AS_TEST_NEGATIVE |
						     AS_TEST_FACTS | (seed % 2 ? AS_TEST_RARE : 0));
		struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);

		for (uint32_t k = 0; k < 3; k++)
			assert_true(rows_sum(&rows, svc_of(events[k], "api")) == prof->total[k]);
		check_batches(&rows);
		as_fleet_rows_release(&rows);
		as_profile_free(prof);
	}
}

static void test_large_costs_are_several_rows_and_batches(void **state)
{
	static const char *const numbers[] = {"", "-"};

	(void)state;
	for (int i = 0; i < 2; i++) {
		as_val cost = ((as_val)3 << 63) + 5;
		struct as_fleet_rows rows;
		struct as_profile *prof;
		struct as_build b;
		as_func f;

		as_test_begin(&b, "Ir");
		f = as_test_func(&b, "f", "/bin/p", "a.c");
		as_test_self(&b, f, 1, numbers[i][0] ? -cost : cost);
		prof = as_test_end(&b);
		rows = fleet_rows_of(prof, "web1", NULL);
		assert_true(rows_sum(&rows, svc_of("Ir", "api")) == prof->total[0]);
		assert_int_equal(rows.batch.n, 4);
		check_batches(&rows);
		as_fleet_rows_release(&rows);
		as_profile_free(prof);
	}
}

static struct as_err refused(const struct as_profile *prof, int64_t begin_ns, enum as_code code)
{
	struct as_fleet_rows_opts opts = {.begin_ns = begin_ns};
	struct as_err err = AS_ERR_NONE;
	struct as_fleet_rows rows;

	assert_int_equal(as_fleet_rows_make(&as_alloc_libc, prof, &opts, &rows, NULL, &err), code);
	as_fleet_rows_release(&rows);
	return err;
}

static void test_what_has_no_room_is_refused(void **state)
{
	struct as_profile *prof;
	struct as_build b;
	as_func f;

	(void)state;
	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f", "/bin/p", "a.c");
	as_test_self(&b, f, 1, (as_val)1 << 100);
	prof = as_test_end(&b);
	refused(prof, 0, AS_E_LIMIT);
	as_profile_free(prof);

	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f", "/bin/p", "a.c");
	as_test_self(&b, f, 1, 1);
	prof = as_test_end(&b);
	refused(prof, -1, AS_E_LIMIT);
	refused(prof, INT64_C(4294967296) * 1000000000, AS_E_LIMIT);
	refused(prof, INT64_C(4294967295) * 1000000000, AS_OK);
	as_profile_free(prof);
}

static void test_calls_are_refused(void **state)
{
	struct as_profile *prof;
	struct as_build b;
	as_func f;

	(void)state;
	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f", "/bin/p", "a.c");
	as_test_self(&b, f, 1, 3);
	as_test_call(&b, f, f, 1, 3);
	prof = as_test_end(&b);
	assert_non_null(strstr(refused(prof, 0, AS_E_UNSUPPORTED).msg, "no calls"));
	as_profile_free(prof);
}

/* main calls f, into which g is inlined. */
static struct as_profile *inlined_profile(void)
{
	struct as_build b;
	as_place place;
	as_node node = {0};
	as_val cost = 7;

	as_test_begin(&b, "samples");
	for (int i = 0; i < 3; i++) {
		struct as_pos pos = {.func = as_test_func(&b,
					     i == 0   ? "main"
					     : i == 1 ? "f"
						      : "g",
					     "/bin/p", "a.c"),
			.line = (uint64_t)i + 1,
			.addr = i ? 0x20 : 0x10,
			.inlined = i == 2};

		assert_int_equal(as_build_file(&b, as_slice_of("a.c"), &pos.file), AS_OK);
		assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(&b, node, place, &node), AS_OK);
	}
	assert_int_equal(as_build_sample(&b, 0, node, &cost), AS_OK);
	return as_test_end(&b);
}

/* What tests/fleet/store_ids.py makes of docs/formats/store.md, and knows nothing of this code. */
#define FRAME_MAIN UINT64_C(0x665aa314d4556a04)
#define FRAME_FG UINT64_C(0xe9fb90db9b5577f6)
#define STACK UINT64_C(0xb04d2c01ee6a4198)
#define SVC UINT64_C(0xfc4ee830ffab7269)
#define HOME UINT64_C(0x48dd50cfe2c269c2)
#define SERIES UINT64_C(0x49a83e612e3a6ddd)
#define BATCH UINT64_C(0x0bdf2897dfdeafe6)

static void test_ids_are_those_that_are_written_down(void **state)
{
	struct as_profile *prof = inlined_profile();
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	struct as_fleet_cur c = as_fleet_cur_of(fleet_slice(rows.stacks));

	(void)state;
	assert_int_equal(rows.n_frames, 3);
	assert_int_equal(rows.n_stacks, 1);
	assert_int_equal(rows.n_series, 1);
	assert_int_equal(as_fleet_number(&c, 2), rows.day);
	assert_true(as_fleet_number(&c, 8) == HOME);
	assert_true(as_fleet_number(&c, 8) == STACK);
	assert_int_equal(as_fleet_length(&c, 8), 2);
	assert_true(as_fleet_number(&c, 8) == FRAME_FG);
	assert_true(as_fleet_number(&c, 8) == FRAME_MAIN);
	c = as_fleet_cur_of(fleet_slice(rows.frames));
	(void)as_fleet_number(&c, 2);
	assert_true(as_fleet_number(&c, 8) == HOME);
	c = as_fleet_cur_of(fleet_slice(rows.series));
	(void)as_fleet_number(&c, 2);
	assert_true(as_fleet_number(&c, 8) == SERIES);
	assert_true(as_fleet_number(&c, 8) == SVC);
	assert_true(rows.batch.p[0].id == BATCH);
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

static void test_places_say_that_callers_are_not_known(void **state)
{
	struct as_fleet_rows rows;
	struct as_profile *prof;
	struct as_fleet_cur c;
	struct as_build b;

	(void)state;
	as_test_begin(&b, "Ir");
	as_test_self(&b, as_test_func(&b, "f", "/bin/p", "a.c"), 1, 3);
	prof = as_test_end(&b);
	rows = fleet_rows_of(prof, "web1", NULL);
	c = as_fleet_cur_of(fleet_slice(rows.stacks));
	(void)as_fleet_take(&c, 2 + 8 + 8);
	assert_int_equal(as_fleet_length(&c, 8), 2);
	assert_true(as_fleet_number(&c, 8));
	assert_int_equal(as_fleet_number(&c, 8), 0);
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

/* Their order is that of their table; each row says the id of what stands in it. */
static void test_many_stacks_are_in_order(void **state)
{
	enum { N = 70000, HEAD = 2 + 8 + 8, LIST = 1 + 2 * 8 };
	struct as_fleet_rows rows;
	struct as_profile *prof;
	struct as_build b;
	as_func f;

	(void)state;
	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f", "/bin/p", "a.c");
	for (uint64_t line = 1; line <= N; line++)
		as_test_self(&b, f, line, (as_val)line);
	prof = as_test_end(&b);
	rows = fleet_rows_of(prof, "web1", NULL);
	assert_int_equal(rows.n_stacks, N);
	assert_int_equal(rows.stack.n, N);
	assert_true(rows.ordered && rows.stacks.cap - rows.stacks.n >= AS_FLEET_STACK_MARK);
	assert_int_equal(rows.stacks.n, N * (HEAD + LIST));
	for (size_t i = 0; i < N; i++) {
		const char *row = rows.stacks.p + i * (HEAD + LIST);
		struct as_fleet_cur c = as_fleet_cur_of((struct as_slice){row + 2 + 8, 8});
		uint64_t id = as_fleet_number(&c, 8);

		assert_true(id == as_fleet_hash(row + HEAD, LIST));
		assert_true(id == rows.stack.p[i].id);
		assert_true(!i || rows.stack.p[i - 1].id < id);
		assert_int_equal(rows.stack.p[i].end, (i + 1) * (HEAD + LIST));
	}
	assert_true(rows_sum(&rows, svc_of("Ir", "api")) == (as_val)N * (N + 1) / 2);
	check_batches(&rows);
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

static uint64_t batch_of(const struct as_profile *prof, const char *host, const char *run)
{
	struct as_fleet_rows_opts opts = {
		.service = as_slice_of("api"), .host = as_slice_of(host), .run = as_slice_of(run)};
	struct as_fleet_rows rows;
	uint64_t id;

	assert_int_equal(as_fleet_rows_make(&as_alloc_libc, prof, &opts, &rows, NULL, NULL), AS_OK);
	assert_int_equal(rows.batch.n, 1);
	id = rows.batch.p[0].id;
	as_fleet_rows_release(&rows);
	return id;
}

static void test_same_push_is_the_same_batch(void **state)
{
	struct as_profile *prof = inlined_profile(), *again = inlined_profile();
	uint64_t id = batch_of(prof, "web1", "");

	(void)state;
	assert_true(batch_of(again, "web1", "") == id);
	assert_true(batch_of(prof, "web2", "") != id);
	assert_true(batch_of(prof, "web1", "2") != id);
	as_profile_free(prof);
	as_profile_free(again);
}

static struct as_profile *merged_alone(const struct as_profile *prof)
{
	struct as_merge_opts opts = {.label_parts = true};
	struct as_merge *merge;
	struct as_profile *out;

	assert_int_equal(as_merge_new(NULL, &opts, &merge, NULL), AS_OK);
	assert_int_equal(as_merge_add(merge, prof, NULL), AS_OK);
	assert_int_equal(as_merge_finish(merge, &out), AS_OK);
	return out;
}

/* A profile that needs no merging is not merged, and it is the same batch. */
static void test_a_merged_profile_is_the_same_batch(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 60; seed++) {
		struct as_profile *prof = as_test_random(seed,
			AS_TEST_PATHS | (seed % 2 ? AS_TEST_SELF : 0) |
				(seed % 3 ? AS_TEST_RARE : 0) | (seed % 5 ? AS_TEST_FACTS : 0));
		struct as_profile *merged = merged_alone(prof);
		struct as_fleet_rows a = fleet_rows_of(prof, "web1", NULL);
		struct as_fleet_rows b = fleet_rows_of(merged, "web1", NULL);

		assert_int_equal(a.batch.n, b.batch.n);
		for (size_t i = 0; i < a.batch.n; i++)
			assert_true(a.batch.p[i].id == b.batch.p[i].id);
		assert_int_equal(a.n_frames, b.n_frames);
		assert_int_equal(a.n_series, b.n_series);
		as_fleet_rows_release(&a);
		as_fleet_rows_release(&b);
		as_profile_free(merged);
		as_profile_free(prof);
	}
}

static void test_labels_of_a_push_are_for_who_has_none(void **state)
{
	struct as_fleet_label given[] = {{as_slice_of("version"), as_slice_of("1.4")},
		{as_slice_of("zone"), as_slice_of("a")}};
	struct as_fleet_rows_opts opts = {.label = given, .n_label = 2};
	struct as_profile *prof;
	struct as_fleet_rows rows;
	struct as_label label = {0};
	struct as_fleet_cur c;
	struct as_build b;
	as_val cost = 1;
	uint32_t part;

	(void)state;
	as_test_begin(&b, "samples");
	assert_int_equal(as_build_str(&b, as_slice_of("version"), &label.key), AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of("1.5"), &label.text), AS_OK);
	assert_int_equal(as_build_labelled(&b, &label, 1, &part), AS_OK);
	assert_int_equal(as_build_sample(&b, part, (as_node){0}, &cost), AS_OK);
	prof = as_test_end(&b);
	assert_int_equal(as_fleet_rows_make(&as_alloc_libc, prof, &opts, &rows, NULL, NULL), AS_OK);
	c = as_fleet_cur_of(fleet_slice(rows.series));
	c.p = c.end - (1 + 8 + 5 + 1 + 4 + 2 + 1 + 16 + 1 + 2);
	assert_int_equal(as_fleet_length(&c, 1), 2);
	assert_true(as_slice_is(as_fleet_string(&c), "version"));
	assert_true(as_slice_is(as_fleet_string(&c), "zone"));
	assert_int_equal(as_fleet_length(&c, 1), 2);
	assert_true(as_slice_is(as_fleet_string(&c), "1.5"));
	assert_true(as_slice_is(as_fleet_string(&c), "a"));
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

static void test_what_tables_lack_is_told(void **state)
{
	struct as_profile *prof = as_test_random(3, AS_TEST_PATHS | AS_TEST_FACTS);
	struct as_fleet_rows rows;
	struct as_losses l;

	(void)state;
	as_losses_init(&l, &as_alloc_libc);
	rows = fleet_rows_of(prof, "web1", &l);
	assert_int_equal(as_test_lost(&l, "mappings"), 1);
	assert_true(as_test_lost(&l, "metadata"));
	assert_true(as_test_lost(&l, "summary"));
	assert_int_equal(as_test_lost(&l, "build-ids"), 0);
	as_fleet_rows_release(&rows);
	as_losses_release(&l);
	as_profile_free(prof);
}

static void test_memory_may_run_out_anywhere(void **state)
{
	struct as_profile *prof =
		as_test_random(5, AS_TEST_SELF | AS_TEST_PATHS | AS_TEST_RARE | AS_TEST_FACTS);
	struct as_fleet_rows_opts opts = {.service = as_slice_of("api")};
	enum as_code rc = AS_E_NOMEM;

	(void)state;
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct as_fleet_rows rows;
		struct fail_alloc fa;

		fail_alloc_init(&fa, n);
		rc = as_fleet_rows_make(&fa.al, prof, &opts, &rows, NULL, NULL);
		as_fleet_rows_release(&rows);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
	as_profile_free(prof);
}

int fleet_rows_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_add_up_to_the_profile),
		cmocka_unit_test(test_large_costs_are_several_rows_and_batches),
		cmocka_unit_test(test_what_has_no_room_is_refused),
		cmocka_unit_test(test_calls_are_refused),
		cmocka_unit_test(test_ids_are_those_that_are_written_down),
		cmocka_unit_test(test_places_say_that_callers_are_not_known),
		cmocka_unit_test(test_many_stacks_are_in_order),
		cmocka_unit_test(test_same_push_is_the_same_batch),
		cmocka_unit_test(test_a_merged_profile_is_the_same_batch),
		cmocka_unit_test(test_labels_of_a_push_are_for_who_has_none),
		cmocka_unit_test(test_what_tables_lack_is_told),
		cmocka_unit_test(test_memory_may_run_out_anywhere),
	};

	return cmocka_run_group_tests_name("fleet_rows", tests, NULL, NULL);
}
