/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles made by the tests of writing. */
#ifndef AS_FORMATS_GPERF_GPERF_WRITE_TESTING_H
#define AS_FORMATS_GPERF_GPERF_WRITE_TESTING_H

#include "formats/gperf/gperf_testing.h"

static inline void begin(struct as_build *b, const char *event)
{
	uint32_t n;

	assert_int_equal(as_build_init(b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(b, S(event), S("count"), &n), AS_OK);
	b->prof->event.p[0].period = 10000;
	assert_int_equal(
		as_build_str(b, S("microseconds"), &b->prof->event.p[0].period_unit), AS_OK);
	assert_int_equal(as_build_part(b, &n), AS_OK);
}

struct frame {
	const char *object, *func;
	uint64_t addr;
};

static inline as_node push(struct as_build *b, as_node parent, struct frame f)
{
	struct as_pos pos = {.addr = f.addr};
	as_object object;
	as_place place;

	assert_int_equal(as_build_object(b, S(f.object), S(""), &object), AS_OK);
	assert_int_equal(
		as_build_func(b, S(f.func), object, (as_file){0}, f.addr, &pos.func), AS_OK);
	assert_int_equal(as_build_place(b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(b, parent, place, &parent), AS_OK);
	return parent;
}

/* Frames leaf first. */
static inline void sample(struct as_build *b, as_val count, const struct frame *f, size_t n)
{
	as_node node = {0};
	as_val v[2] = {count, 7};

	while (n-- > 0)
		node = push(b, node, f[n]);
	assert_int_equal(as_build_sample(b, 0, node, v), AS_OK);
}

#define SAMPLE(b, count, ...)                                 \
	sample(b, count, (const struct frame[]){__VA_ARGS__}, \
		sizeof((const struct frame[]){__VA_ARGS__}) / sizeof(struct frame))

static inline void finish(struct as_build *b, struct as_profile **prof)
{
	assert_int_equal(as_build_finish(b, prof), AS_OK);
}

#endif
