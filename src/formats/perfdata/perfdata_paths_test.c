/* SPDX-License-Identifier: Apache-2.0 */
/* Paths become the same tree, whenever their nodes are made. */
#include "base/pool.h"
#include "formats/perfdata/perfdata_testing.h"

int perfdata_paths_tests(void);

enum { PLACES = 6, DEPTH = 5, PATHS = 3000 };

struct bench {
	struct as_pool pool;
	struct as_build b;
	struct as_rd rd;
	struct as_pd pd;
	as_place place[PLACES];
	uint32_t path[PATHS];
};

static void bench_begin(struct bench *t, size_t steps_max)
{
	memset(t, 0, sizeof(*t));
	assert_int_equal(as_build_init(&t->b, NULL, NULL), AS_OK);
	t->rd.out = &t->b;
	as_pool_init(&t->pool, t->b.prof->al);
	t->pd.rd = &t->rd;
	t->pd.al = &t->pool.al;
	t->pd.steps_max = steps_max;
	as_index_init(&t->pd.paths, t->pd.al);
	for (uint64_t i = 0; i < PLACES; i++) {
		struct as_pos pos = {.addr = 0x1000 + i};

		assert_int_equal(as_build_place(&t->b, &pos, &t->place[i]), AS_OK);
	}
}

/* Path I, the outermost place first, as numbers of places; how many. */
static size_t path_text(size_t i, unsigned at[DEPTH])
{
	uint64_t h = as_hash_mix(i % (PATHS / 2), 7); /* each comes twice */
	size_t n = 1 + h % DEPTH;

	for (size_t k = 0; k < n; k++)
		at[k] = (unsigned)(h >> (8 + 4 * k)) % PLACES;
	return n;
}

static void put_paths(struct bench *t, bool at_once)
{
	unsigned at[DEPTH];

	for (size_t i = 0; i < PATHS; i++) {
		size_t n = path_text(i, at);

		t->pd.place.n = 0;
		for (size_t k = 0; k < n; k++)
			assert_true(as_vec_push(t->pd.al, &t->pd.place, t->place[at[k]]));
		assert_int_equal(as_pd_need_path(&t->pd, &t->path[i]), AS_OK);
		if (at_once)
			assert_int_equal(as_pd_need_node(&t->pd, t->path[i]), AS_OK);
	}
	assert_int_equal(as_pd_grow_tree(&t->pd), AS_OK);
}

/* The tree has each path. */
static void check_paths(const struct bench *t)
{
	const struct as_profile *prof = t->b.prof;
	unsigned at[DEPTH];

	for (size_t i = 0; i < PATHS; i++) {
		as_node node = t->pd.path.p[t->path[i]].node;

		for (size_t k = path_text(i, at); k-- > 0;) {
			assert_int_equal(prof->node.place.p[node.i].i, t->place[at[k]].i);
			node = prof->node.parent.p[node.i];
		}
		assert_int_equal(node.i, 0);
	}
}

static void bench_end(struct bench *t)
{
	struct as_profile *prof;

	as_pool_release(&t->pool);
	assert_int_equal(as_build_finish(&t->b, &prof), AS_OK);
	as_profile_free(prof);
}

static void test_tree_is_the_same_whenever_nodes_are_made(void **state)
{
	static struct bench t;
	size_t nodes;

	(void)state;
	bench_begin(&t, SIZE_MAX);
	put_paths(&t, false);
	check_paths(&t);
	nodes = t.b.prof->node.parent.n;
	assert_true(t.b.depth_first);
	for (uint32_t i = 0; i < PATHS / 2; i++)
		assert_int_equal(t.path[i], t.path[PATHS / 2 + i]);
	bench_end(&t);
	for (size_t max = 1; max < 1000; max *= 10)
		for (int at_once = 0; at_once < 2; at_once++) {
			bench_begin(&t, max);
			put_paths(&t, at_once);
			check_paths(&t);
			assert_int_equal(t.b.prof->node.parent.n, nodes);
			assert_false(t.b.depth_first);
			bench_end(&t);
		}
}

int perfdata_paths_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree_is_the_same_whenever_nodes_are_made),
	};

	return cmocka_run_group_tests_name("perfdata_paths", tests, NULL, NULL);
}
