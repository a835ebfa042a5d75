/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles read from memory and written to it by one format, for tests and fuzz targets.
 *
 *	struct mem_read r;
 *
 *	mem_read(&r, &(struct mem_how){.fmt = &as_format_x, .detail = AS_DETAIL_FULL}, text);
 *	... r.rc, r.prof, r.err, r.findings
 *	mem_read_free(&r);
 */
#ifndef AS_TESTS_MEM_IO_H
#define AS_TESTS_MEM_IO_H

#include "formats/format.h"

/* Zeroed but for FMT: the fewest details, libc's memory. */
struct mem_how {
	const struct as_format *fmt;
	const struct as_alloc *al;
	enum as_detail detail;
	bool strict, check, sums, stacks, moments, markers;
	const struct as_rd_choice *choice;
	const size_t *sections;
	size_t n_sections;
	bool keep_unsupported; /* there is a profile, too, when the code is AS_E_UNSUPPORTED */
	const char *opt;       /* "key=value" */
	const char *name;      /* of the input; else "test" */
	const struct as_unpack *unpack;
	const struct as_xml *xml;
	const struct as_unwinder *unwinder;
	const struct as_made_names *made;
};

struct mem_read {
	struct as_err err;
	struct as_findings findings;
	struct as_profile *prof; /* NULL when RC says why */
	enum as_code rc;
};

static inline void mem_build(struct mem_read *r, const struct mem_how *how, struct as_in *in)
{
	struct as_build b;
	struct as_rd rd = {.in = in,
		.out = &b,
		.err = &r->err,
		.findings = &r->findings,
		.detail = how->detail,
		.sums = how->sums,
		.stacks = how->stacks,
		.choice = how->choice,
		.sections = how->sections,
		.n_sections = how->n_sections,
		.strict = how->strict,
		.lim = {.depth = 1 << 16, .events = 1 << 12},
		.opts = {&how->opt, how->opt ? 1 : 0},
		.name = how->name ? how->name : "test",
		.unpack = how->unpack,
		.xml = how->xml,
		.unwinder = how->unwinder,
		.made = how->made};
	enum as_code end;

	r->rc = as_build_init(&b, how->al, &r->err);
	if (r->rc != AS_OK)
		return;
	b.keep_moments = how->moments;
	b.keep_markers = how->markers;
	r->rc = as_format_read(how->fmt, &rd);
	if (r->rc != AS_OK && !(how->keep_unsupported && r->rc == AS_E_UNSUPPORTED)) {
		as_build_free(&b);
		return;
	}
	end = as_build_finish(&b, &r->prof);
	if (end != AS_OK)
		r->rc = end;
	if (r->rc == AS_OK && how->check && how->fmt->check)
		how->fmt->check(&rd, r->prof);
}

static inline void mem_read_src(struct mem_read *r, const struct mem_how *how, struct as_src *src)
{
	const struct as_alloc *al = how->al ? how->al : &as_alloc_libc;
	struct as_in in;

	*r = (struct mem_read){.rc = AS_OK};
	as_err_clear(&r->err);
	as_findings_init(&r->findings, al);
	r->rc = as_in_open(&in, al, src, &r->err);
	if (r->rc != AS_OK)
		return;
	mem_build(r, how, &in);
	as_in_close(&in);
}

static inline void mem_read(struct mem_read *r, const struct mem_how *how, struct as_slice text)
{
	struct as_src_mem mem;

	as_src_mem_init(&mem, text, "test");
	mem_read_src(r, how, &mem.src);
}

/* The profile alone, which is the caller's now; NULL if there is none. */
static inline struct as_profile *mem_take(struct mem_read *r)
{
	struct as_profile *prof = r->prof;

	r->prof = NULL;
	as_findings_release(&r->findings);
	return prof;
}

static inline void mem_read_free(struct mem_read *r)
{
	as_profile_free(r->prof);
	as_findings_release(&r->findings);
	*r = (struct mem_read){.rc = AS_OK};
}

struct mem_written {
	struct as_err err;
	struct as_losses losses;
	struct as_sink_mem mem;
	enum as_code rc;
};

/* PROF as WR, which says how, has it. */
static inline void mem_write_as(struct mem_written *w, const struct as_format *fmt,
	const struct as_profile *prof, struct as_wr wr)
{
	struct as_out out;
	enum as_code end;

	wr.out = &out;
	wr.err = &w->err;
	wr.losses = &w->losses;
	as_err_clear(&w->err);
	as_losses_init(&w->losses, prof->al);
	as_sink_mem_init(&w->mem, prof->al);
	w->rc = as_out_open(&out, prof->al, &w->mem.sink, &w->err);
	if (w->rc != AS_OK)
		return;
	w->rc = as_format_write(fmt, &wr, prof);
	end = as_out_finish(&out);
	if (w->rc == AS_OK)
		w->rc = end;
	if (w->rc == AS_OK && w->losses.no_memory)
		w->rc = AS_E_NOMEM;
}

/* PIECE of PROF with N options OPT, "key=value" each. */
static inline void mem_write_with(struct mem_written *w, const struct as_format *fmt,
	const struct as_profile *prof, uint32_t piece, struct as_opts opts)
{
	mem_write_as(w, fmt, prof, (struct as_wr){.opts = opts, .piece = piece});
}

static inline void mem_write(
	struct mem_written *w, const struct as_format *fmt, const struct as_profile *prof)
{
	mem_write_with(w, fmt, prof, 0, (struct as_opts){NULL, 0});
}

static inline void mem_written_free(struct mem_written *w)
{
	as_losses_release(&w->losses);
	as_sink_mem_release(&w->mem);
}

static inline struct as_slice mem_bytes(const struct mem_written *w)
{
	return (struct as_slice){w->mem.data.p, w->mem.data.n};
}

static inline bool mem_same_bytes(const struct mem_written *a, const struct mem_written *b)
{
	return as_slice_eq(mem_bytes(a), mem_bytes(b));
}

/* How much of KIND was lost. */
static inline uint64_t mem_lost(const struct mem_written *w, const char *kind)
{
	uint64_t all = 0; /* a cost of each event is a row */

	for (size_t i = 0; i < w->losses.row.n; i++)
		if (strcmp(w->losses.row.p[i].kind, kind) == 0)
			all += w->losses.row.p[i].amount;
	return all;
}

/* What of all events' costs is told as lost by KIND. */
static inline as_val mem_lost_cost(const struct mem_written *w, const char *kind)
{
	as_val all = 0;

	for (size_t i = 0; i < w->losses.row.n; i++)
		if (strcmp(w->losses.row.p[i].kind, kind) == 0)
			all += w->losses.row.p[i].cost;
	return all;
}

/* TEXT is read with its times, and its first piece is written, with memory from AL only: how that
 * went. */
static inline enum as_code mem_read_and_write(
	const struct as_alloc *al, const struct as_format *fmt, struct as_slice text)
{
	struct mem_how how = {
		.fmt = fmt, .al = al, .detail = AS_DETAIL_FULL, .moments = true, .markers = true};
	struct mem_written w;
	struct mem_read r;
	enum as_code rc;
	char name[64];

	mem_read(&r, &how, text);
	rc = r.rc;
	if (rc == AS_OK && fmt->piece_name)
		fmt->piece_name(r.prof, 0, name, sizeof(name));
	if (rc == AS_OK && fmt->pieces && !fmt->pieces(r.prof))
		rc = AS_E_NOMEM;
	if (rc == AS_OK) {
		mem_write(&w, fmt, r.prof);
		rc = w.rc;
		mem_written_free(&w);
	}
	mem_read_free(&r);
	return rc;
}

#endif
