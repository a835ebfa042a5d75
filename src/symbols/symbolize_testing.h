/* SPDX-License-Identifier: Apache-2.0 */
/* A profile in the making whose names are asked for. */
#ifndef AS_SYMBOLS_SYMBOLIZE_TESTING_H
#define AS_SYMBOLS_SYMBOLIZE_TESTING_H

#include "symbols/symbolize.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/build.h"

static char text[4096]; /* the path of a file that the test makes */

struct fixture {
	struct as_build b;
	struct as_profile *prof;
	struct as_chains chains;
	struct as_symbol_report report;
	struct as_symbol_opts opts;
};

static inline void begin(struct fixture *f)
{
	uint32_t i;

	*f = (struct fixture){.opts.cache.al = &as_alloc_libc};
	assert_int_equal(as_build_init(&f->b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&f->b, as_slice_of("samples"), as_slice_of(""), &i), AS_OK);
	assert_int_equal(as_build_part(&f->b, &i), AS_OK);
}

static inline as_object add_object(struct fixture *f, const char *path, const char *id)
{
	as_object o;

	assert_int_equal(as_build_object(&f->b, as_slice_of(path), as_slice_of(id), &o), AS_OK);
	f->b.prof->object.p[o.i].addr_kind = AS_ADDR_VIRTUAL;
	return o;
}

/* One sample at ADDR. */
static inline void add_code(struct fixture *f, as_object o, uint64_t addr)
{
	struct as_pos pos = {.addr = addr};
	as_val one = 1;
	as_place place;
	as_node node;

	assert_int_equal(
		as_build_func(&f->b, as_slice_of(""), o, (as_file){0}, addr, &pos.func), AS_OK);
	assert_int_equal(as_build_place(&f->b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(&f->b, (as_node){0}, place, &node), AS_OK);
	assert_int_equal(as_build_sample(&f->b, 0, node, &one), AS_OK);
}

static inline void ask(struct fixture *f)
{
	assert_int_equal(as_build_finish(&f->b, &f->prof), AS_OK);
	assert_int_equal(as_symbolize(f->prof, &f->opts, &f->chains, &f->report, NULL), AS_OK);
}

static inline void end(struct fixture *f)
{
	as_chains_release(&f->chains);
	as_symbol_report_release(&f->report);
	as_profile_free(f->prof);
}

/* The outermost function at ADDR, NULL if it has no name. */
static inline const char *name_at(const struct fixture *f, as_object o, uint64_t addr)
{
	static char name[256];
	const struct as_chain *c = as_chains_find(&f->chains, o, addr);

	if (!c)
		return NULL;
	snprintf(name, sizeof(name), "%.*s",
		AS_SLICE_FMT(
			as_chains_str(&f->chains, f->chains.frame.p[c->first + c->n - 1].name)));
	return name;
}

static inline const struct as_object_report *only_report(const struct fixture *f)
{
	assert_int_equal(f->report.object.n, 1);
	return &f->report.object.p[0];
}

static inline void write_text(const char *content)
{
	FILE *out;
	int fd;

	snprintf(text, sizeof(text), "/tmp/perf-test-XXXXXX.map");
	fd = mkstemps(text, 4);
	assert_true(fd >= 0);
	out = fdopen(fd, "w");
	assert_non_null(out);
	fputs(content, out);
	fclose(out);
}

#endif
