/* SPDX-License-Identifier: Apache-2.0 */
/* What the unit tests of this folder share: making bytes, reading and writing them. */
#ifndef AS_FORMATS_GPERF_GPERF_TESTING_H
#define AS_FORMATS_GPERF_GPERF_TESTING_H

#include "formats/gperf/gperf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

extern const struct as_format as_format_gperf;

#define S(text) as_slice_of(text)
#define SLOTS(...) \
	(const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

/* A file in the making. */
struct file {
	struct as_gp_layout layout;
	char data[1 << 16];
	size_t n;
};

static inline void file_begin(struct file *f, uint32_t width, bool big)
{
	*f = (struct file){.layout = {width, big}};
}

static inline void file_slots(struct file *f, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_true(f->n + GP_SLOT_MAX <= sizeof(f->data));
		gp_put_slot(f->data + f->n, v[i], f->layout);
		f->n += f->layout.width;
	}
}

static inline void file_bytes(struct file *f, const void *p, size_t n)
{
	assert_true(f->n + n <= sizeof(f->data));
	memcpy(f->data + f->n, p, n);
	f->n += n;
}

static inline void file_text(struct file *f, const char *text)
{
	file_bytes(f, text, strlen(text));
}

/* What became of reading a file. */
struct got {
	enum as_code rc;
	struct as_profile *prof; /* NULL if it failed */
	struct as_findings findings;
	struct as_err err;
};

struct how {
	const char *opt; /* "compat=pprof", or NULL */
	bool strict;
	uint64_t depth; /* limit; 0 = plenty */
	const struct as_alloc *al;
};

static inline void read_how(struct got *g, const char *data, size_t n, struct how how)
{
	const struct as_alloc *al = how.al ? how.al : &as_alloc_libc;
	struct as_src_mem sm;
	struct as_build b;
	struct as_in in;
	struct as_rd rd = {.in = &in,
		.out = &b,
		.err = &g->err,
		.findings = &g->findings,
		.detail = AS_DETAIL_FULL,
		.strict = how.strict,
		.lim = {.depth = how.depth ? how.depth : 1 << 20, .events = 1 << 10},
		.opts = {&how.opt, how.opt != NULL},
		.name = "some/where/cpu.prof"};

	g->prof = NULL;
	as_err_clear(&g->err);
	as_findings_init(&g->findings, &as_alloc_libc);
	as_src_mem_init(&sm, (struct as_slice){data, n}, "cpu.prof");
	g->rc = as_in_open(&in, al, &sm.src, &g->err);
	if (g->rc != AS_OK)
		return;
	g->rc = as_build_init(&b, al, &g->err);
	if (g->rc == AS_OK) {
		g->rc = as_format_read(&as_format_gperf, &rd);
		if (g->rc == AS_OK)
			g->rc = as_build_finish(&b, &g->prof);
		else
			as_build_free(&b);
	}
	as_in_close(&in);
}

static inline void read_file(struct got *g, const struct file *f)
{
	read_how(g, f->data, f->n, (struct how){0});
}

static inline void got_release(struct got *g)
{
	as_profile_free(g->prof);
	as_findings_release(&g->findings);
}

/* The sum of the samples whose frames are "object+0xaddr object+0xaddr", leaf first. */
static inline as_val samples_at(const struct as_profile *prof, const char *frames)
{
	as_val sum = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		char text[4096] = "";
		size_t n = 0;

		for (as_node at = prof->sample.node.p[i]; at.i; at = prof->node.parent.p[at.i]) {
			struct as_pos pos = as_place_pos(prof, prof->node.place.p[at.i]);
			as_object object = prof->func.object.p[pos.func.i];
			struct as_slice name = as_func_name(prof, pos.func);

			if (!name.len)
				name = as_object_path(prof, object);
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s+0x%" PRIx64,
				n ? " " : "", AS_SLICE_FMT(name), pos.addr);
			assert_true(n < sizeof(text));
		}
		if (strcmp(text, frames) == 0)
			sum += prof->sample.cost.p[i * prof->event.n];
	}
	return sum;
}

static inline void assert_finds(const struct got *g, enum as_finding_id id, uint64_t times)
{
	if (g->findings.count[id] != times)
		print_error("%s: %u times\n", as_finding_name(id), (unsigned)g->findings.count[id]);
	assert_int_equal(g->findings.count[id], times);
}

/* Nothing at all was odd. */
static inline void assert_clean(const struct got *g)
{
	for (size_t i = 0; i < g->findings.row.n; i++)
		print_error("%s\n", as_finding_name(g->findings.row.p[i].id));
	assert_int_equal(g->findings.row.n, 0);
}

struct written {
	struct as_sink_mem sink;
	struct as_losses losses;
	struct as_err err;
	enum as_code rc;
};

static inline void write_prof(
	struct written *w, const struct as_profile *prof, const char *const *opt, size_t n)
{
	struct as_out out;
	struct as_wr wr = {
		.out = &out, .err = &w->err, .losses = &w->losses, .opts = {.pair = opt, .n = n}};
	enum as_code rc;

	as_err_clear(&w->err);
	as_losses_init(&w->losses, &as_alloc_libc);
	as_sink_mem_init(&w->sink, &as_alloc_libc);
	w->rc = as_out_open(&out, prof->al, &w->sink.sink, &w->err);
	if (w->rc != AS_OK)
		return;
	w->rc = as_format_write(&as_format_gperf, &wr, prof);
	rc = as_out_finish(&out);
	if (w->rc == AS_OK)
		w->rc = rc;
}

static inline void written_release(struct written *w)
{
	as_sink_mem_release(&w->sink);
	as_losses_release(&w->losses);
}

static inline void assert_bytes(const struct written *w, const char *p, size_t n)
{
	assert_int_equal(w->rc, AS_OK);
	assert_int_equal(w->sink.data.n, n);
	assert_memory_equal(w->sink.data.p, p, n);
}

static inline uint64_t lost(const struct written *w, const char *kind)
{
	for (size_t i = 0; i < w->losses.row.n; i++)
		if (strcmp(w->losses.row.p[i].kind, kind) == 0)
			return w->losses.row.p[i].amount;
	return 0;
}

/* The three records of 8 samples that most tests use, and their mappings. */
#define PROG "/tmp/prog"
#define LIBX "/lib/libx.so.1"
#define MAPS                                                          \
	"00400000-00500000 r-xp 00000000 00:00 1234       " PROG "\n" \
	"b7000000-b7100000 r-xp 00001000 00:00 99         " LIBX "\n"

static inline void file_header(struct file *f)
{
	file_slots(f, SLOTS(0, 3, 0, 10000, 0));
}

static inline void file_records(struct file *f)
{
	file_slots(f, SLOTS(5, 3, 0x401000, 0x402005, 0x403005));
	file_slots(f, SLOTS(2, 2, 0x401010, 0x402015));
	file_slots(f, SLOTS(1, 2, 0xb7000100, 0x402005));
}

static inline void file_trailer(struct file *f)
{
	file_slots(f, SLOTS(0, 1, 0));
}

static inline void file_start(struct file *f, uint32_t width, bool big)
{
	file_begin(f, width, big);
	file_header(f);
}

static inline void file_end(struct file *f, const char *text)
{
	file_trailer(f);
	file_text(f, text);
}

static inline void read_ended(struct got *g, struct file *f, const char *text)
{
	file_end(f, text);
	read_file(g, f);
}

#endif
