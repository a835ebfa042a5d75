/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database in a folder of its own, and sums of what was stored kept beside it. Include it behind
 * cmocka.h; a test is set up by db_make and taken down by db_drop.
 */
#ifndef ASSAY_TEST_DB_H
#define ASSAY_TEST_DB_H

#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/test_profiles.h"
#include "store/store_impl.h"

#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define BEGIN (INT64_C(1795430700) * SECOND) /* 2026-11-23T10:45:00Z */

enum { PIDS = 3, FUNCS = 4 };

/* Costs by process and leaf, in all that was stored. */
struct truth {
	uint64_t state;
	as_val cost[PIDS][FUNCS];
};

struct db {
	char root[64];
	struct as_store *st;
	struct as_err err;
	char said[400];
	bool waits;
	int64_t keep_hours;
	uint64_t roll_bytes;
	struct truth truth;
};

static inline void db_say(void *ctx, const char *text)
{
	struct db *db = ctx;

	snprintf(db->said, sizeof(db->said), "%s", text);
}

static inline void db_open(struct db *db, int64_t now)
{
	struct as_store_opts opts = {.dir = db->root,
		.host = "box",
		.now_ns = now,
		.keep_hours_ns = db->keep_hours,
		.roll_bytes = db->roll_bytes,
		.remove_at_once = !db->waits,
		.say = db_say,
		.say_ctx = db};

	assert_int_equal(as_store_open(&as_alloc_libc, &opts, &db->st, &db->err), AS_OK);
}

static inline int db_make(void **state)
{
	static struct db db;

	db = (struct db){.root = "/tmp/assay-store-XXXXXX"};
	as_err_clear(&db.err);
	*state = &db;
	return mkdtemp(db.root) ? 0 : -1;
}

static inline int db_drop(void **state)
{
	struct db *db = *state;

	as_store_close(db->st);
	return as_store_remove(db->root, NULL) == AS_OK ? 0 : -1;
}

static inline void db_begin(struct as_build *b)
{
	as_test_begin(b, "cpu");
	b->prof->event.p[0].period = 10000000;
	assert_int_equal(
		as_build_str(b, as_slice_of("nanoseconds"), &b->prof->event.p[0].period_unit),
		AS_OK);
}

/* Processes that have called some functions of one program. */
static inline struct as_profile *db_random(struct truth *t)
{
	static const char *const names[FUNCS] = {"f0", "f1", "f2", "f3"};
	as_func func[FUNCS], root;
	struct as_build b;

	db_begin(&b);
	root = as_test_func(&b, "main", "/bin/prog", "");
	for (int f = 0; f < FUNCS; f++)
		func[f] = as_test_func(&b, names[f], "/bin/prog", "");
	for (uint32_t pid = 0; pid < PIDS; pid++) {
		uint32_t part = 0;

		if (pid)
			assert_int_equal(as_build_part(&b, &part), AS_OK);
		b.prof->part.p[part].pid = 100 + pid;
		b.prof->part.p[part].has_pid = true;
		for (uint32_t n = as_test_next(&t->state, 4); n; n--) {
			uint32_t f = as_test_next(&t->state, FUNCS);
			as_val cost = 1 + as_test_next(&t->state, 1000);

			as_test_stack(&b, part, (as_func[]){root, func[f], {0}}, cost);
			t->cost[pid][f] += cost;
		}
	}
	return as_test_end(&b);
}

static inline enum as_code db_put(struct db *db, int64_t begin, int64_t end, bool flat)
{
	struct as_store_facts facts = {.counted = 7, .stored = 6, .lost = 1};
	struct truth before = db->truth;
	struct as_profile *prof = db_random(&db->truth);
	enum as_code rc = as_store_segment(db->st, prof, begin, end, flat, &facts, &db->err);

	if (rc != AS_OK)
		memcpy(db->truth.cost, before.cost, sizeof(before.cost));
	as_profile_free(prof);
	return rc;
}

static inline void db_put_minutes(struct db *db, int from, int to)
{
	for (int i = from; i < to; i++)
		assert_int_equal(
			db_put(db, BEGIN + i * MINUTE, BEGIN + (i + 1) * MINUTE, false), AS_OK);
}

/* A minute in which nothing ran. */
static inline void db_put_nothing(struct db *db, int64_t begin, int64_t end)
{
	struct as_profile *prof;
	struct as_build b;

	db_begin(&b);
	b.prof->part.n = 0;
	prof = as_test_end(&b);
	assert_int_equal(as_store_segment(db->st, prof, begin, end, false, NULL, &db->err), AS_OK);
	as_profile_free(prof);
}

static inline void db_epoch_path(const struct db *db, const char *epoch, char path[PATH_MAX])
{
	char host[PATH_MAX];

	assert_true(as_store_path(host, sizeof(host), db->root, "box"));
	assert_true(as_store_path(path, PATH_MAX, host, epoch));
}

static inline bool db_has(const struct db *db, const char *name)
{
	char path[PATH_MAX];
	struct stat sb;

	db_epoch_path(db, name, path);
	return lstat(path, &sb) == 0;
}

/* ---- what is there ---- */

static inline uint32_t pid_of(const struct as_profile *prof, uint32_t part)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(prof, part, &n);

	for (uint32_t i = 0; i < n; i++)
		if (as_slice_is(as_str_get(prof, label[i].key), "pid"))
			return (uint32_t)label[i].number;
	return 0;
}

static inline void add_samples(const struct as_profile *prof, struct truth *sum)
{
	uint32_t event = 0;

	assert_true(as_profile_event(prof, as_slice_of("cpu"), &event));
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct as_pos pos =
			as_place_pos(prof, prof->node.place.p[prof->sample.node.p[i].i]);
		struct as_slice name = as_func_name(prof, pos.func);
		uint32_t pid = pid_of(prof, prof->sample.part.p[i]);

		assert_true(name.len == 2 && name.p[0] == 'f' && name.p[1] < '0' + FUNCS);
		assert_in_range(pid, 100, 100 + PIDS - 1);
		sum->cost[pid - 100][name.p[1] - '0'] +=
			prof->sample.cost.p[i * as_n_events(prof) + event];
	}
}

/* Add what stands in EPOCH; returns how many segments that is. */
static inline size_t db_add_epoch(struct db *db, const char *epoch, struct truth *sum)
{
	char dir[PATH_MAX], path[PATH_MAX], name[AS_STORE_NAME];
	struct as_store_facts facts = {0};
	struct as_store_spans ss;
	size_t n;

	db_epoch_path(db, epoch, dir);
	assert_int_equal(as_store_spans_read(&ss, &as_alloc_libc, dir, &db->err), AS_OK);
	n = ss.row.n;
	for (size_t i = 0; i < n; i++) {
		struct as_profile *prof;

		as_store_span_name(&ss.row.p[i], name);
		assert_true(as_store_path(path, sizeof(path), dir, name));
		assert_int_equal(as_store_read(&as_alloc_libc, path, ss.row.p[i].flat, &prof,
					 &facts, &db->err),
			AS_OK);
		add_samples(prof, sum);
		as_profile_free(prof);
	}
	as_store_spans_release(&ss);
	return n;
}

static inline size_t db_add_all(struct db *db, struct truth *sum)
{
	char host[PATH_MAX], name[AS_STORE_NAME];
	struct as_store_epochs es;
	size_t n = 0;

	db_epoch_path(db, "", host);
	assert_int_equal(as_store_epochs_read(&es, &as_alloc_libc, host, &db->err), AS_OK);
	for (size_t i = 0; i < es.row.n; i++)
		n += db_add_epoch(db, as_store_epoch_text(&es.row.p[i], name), sum);
	as_store_epochs_release(&es);
	return n;
}

static inline void db_expect(struct db *db, size_t segments)
{
	struct truth sum = {0};

	assert_int_equal(db_add_all(db, &sum), segments);
	assert_memory_equal(sum.cost, db->truth.cost, sizeof(sum.cost));
}

/* ---- as a test ---- */

#define TEST(name) cmocka_unit_test_setup_teardown(name, db_make, db_drop)

#endif
