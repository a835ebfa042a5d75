/* SPDX-License-Identifier: Apache-2.0 */
#include "session/read.h"

#include "formats/foreign.h"
#include "session/filters.h"

enum { DEPTH_MAX = 1 << 20, EVENTS_MAX = 1 << 16 };

struct reading {
	const struct as_alloc *al;
	struct as_src *src;
	const struct as_read_opts *o;
	struct as_in in;
	struct as_findings *findings;
	struct as_read_result *got;
	struct as_err *err;
};

static enum as_code read_recognise(struct reading *r)
{
	size_t max = AS_PEEK_MAX;
	struct as_peek peek;
	enum as_code rc;

	AS_TRY(as_in_peek(&r->in, max, &peek.head));
	if (as_slice_starts(peek.head, AS_SYMBOL_MARK)) {
		max = AS_PEEK_SYMBOLS;
		AS_TRY(as_in_peek(&r->in, max, &peek.head));
	}
	r->got->empty = !peek.head.len;
	if (r->got->empty) {
		as_findings_add(r->findings, AS_F_EMPTY_FILE, AS_OFF_NONE, 0, "%s",
			as_finding_text(AS_F_EMPTY_FILE));
		return as_err_set(r->err, AS_E_TRUNC, "%s", as_finding_text(AS_F_EMPTY_FILE));
	}
	peek.whole = r->in.eof && peek.head.len <= max;
	if (peek.head.len > max)
		peek.head.len = max;
	r->got->fmt = r->o->fmt;
	if (r->got->fmt)
		return AS_OK;
	rc = as_probe_formats(&peek, r->src->name, &r->got->fmt, r->err);
	if (rc == AS_E_NOTPROFILE)
		r->got->way = as_foreign_kind(peek.head, r->src->name).way;
	return rc;
}

static enum as_code print_raw(struct reading *r, struct as_rd *rd)
{
	if (!r->got->fmt->raw)
		return as_err_set(r->err, AS_E_UNSUPPORTED,
			"pprof does not read profiles of the format %s", r->got->fmt->name);
	return r->got->fmt->raw(rd, r->o->raw);
}

static enum as_code read_profile(struct reading *r)
{
	const struct as_read_opts *o = r->o;
	struct as_build build;
	struct as_rd rd = {
		.in = &r->in,
		.out = &build,
		.err = r->err,
		.findings = r->findings,
		.detail = o->detail,
		.sums = o->sums,
		.stacks = o->stacks,
		.choice = o->choice,
		.sections = o->sections,
		.n_sections = o->n_sections,
		.strict = o->strict,
		.lim = {.depth = DEPTH_MAX, .events = EVENTS_MAX},
		.exec = r->src->size < AS_READ_SMALL_BYTES ? NULL : o->exec,
		.opts = o->opts,
		.name = r->src->name,
		.unpack = o->unpack,
		.xml = o->xml,
		.unwinder = o->unwinder,
		.made = o->made,
		.more = o->more,
		.n_more = o->n_more,
	};
	enum as_code rc;

	AS_TRY(as_build_init(&build, r->al, r->err));
	build.keep_order = o->keep_order;
	build.keep_moments = o->moments;
	build.keep_markers = o->moments && o->markers;
	rc = o->raw ? print_raw(r, &rd) : as_format_read(r->got->fmt, &rd);
	if (rc != AS_OK || o->raw) {
		as_build_free(&build);
		return rc;
	}
	AS_TRY(as_build_finish(&build, &r->got->prof));
	if (o->check && r->findings && r->got->fmt->check)
		r->got->fmt->check(&rd, r->got->prof);
	return AS_OK;
}

/* Reads no more than the first bytes, if these suffice to refuse all of it. */
static enum as_code read_to_refuse(struct reading *r)
{
	const struct as_read_opts *o = r->o;
	struct as_read_opts how = *o;
	struct as_err err = AS_ERR_NONE;
	struct reading head = {.al = r->al, .o = &how, .got = r->got, .err = &err};
	struct as_src_mem mem;
	struct as_slice text;

	if (!AS_HAS_WRITERS || !o->refuse || !r->got->fmt->alike || o->strict)
		return AS_OK;
	AS_TRY(as_in_peek(&r->in, AS_PEEK_MAX, &text));
	if (text.len < AS_PEEK_MAX || r->in.fault)
		return AS_OK;
	how.check = false;
	as_src_mem_init(&mem, (struct as_slice){text.p, AS_PEEK_MAX}, r->src->name);
	head.src = &mem.src;
	if (as_in_open(&head.in, r->al, head.src, &err) != AS_OK)
		return AS_OK;
	r->got->head = read_profile(&head) == AS_OK && !as_is_void(r->got->prof) &&
		       o->refuse(r->got->prof);
	as_in_close(&head.in);
	if (r->got->head) {
		r->got->prof->partial = false;
	} else {
		as_profile_free(r->got->prof);
		r->got->prof = NULL;
	}
	return AS_OK;
}

/* What is never in the format need not be looked for in all of the input. */
static enum as_code read_wanted(struct reading *r)
{
	if (!r->o->calls || r->got->fmt->caps & (AS_CAP(PATHS) | AS_CAP(CALLS)))
		return AS_OK;
	r->got->way = AS_READ_PLACES_WAY;
	return as_err_set(r->err, AS_E_UNSUPPORTED, AS_READ_PLACES);
}

/* The reader saw an end of the input where there was a fault: that is to be said of it, whatever
 * the reader made of it. */
static enum as_code read_salvaged(struct reading *r, enum as_code rc)
{
	uint64_t at = r->in.off + (uint64_t)(r->in.end - r->in.p);

	if (rc == AS_OK) {
		if (r->got->prof)
			r->got->prof->partial = true;
		as_findings_add(r->findings, AS_F_COMPRESSED_END, at, 0,
			"%s; what came before was kept", r->in.fault);
		return AS_OK;
	}
	r->err->off = at;
	r->err->line = 0;
	return as_err_set(r->err, rc, "cannot read: %s", r->in.fault);
}

enum as_code as_read(const struct as_alloc *al, struct as_src *src, const struct as_read_opts *opts,
	struct as_findings *findings, struct as_read_result *got, struct as_err *err)
{
	struct reading r = {
		.al = al, .src = src, .o = opts, .findings = findings, .got = got, .err = err};
	enum as_code rc;

	*got = (struct as_read_result){0};
	AS_TRY(as_in_open(&r.in, al, src, err));
	r.in.salvage = findings && !opts->strict;
	if (findings)
		as_escape(findings->file, sizeof(findings->file), src->name, strlen(src->name));
	rc = read_recognise(&r);
	AS_THEN(rc, read_wanted(&r));
	AS_THEN(rc, read_to_refuse(&r));
	if (!got->head)
		AS_THEN(rc, read_profile(&r));
	if (r.in.fault && rc != AS_E_NOMEM && rc != AS_E_LIMIT)
		rc = read_salvaged(&r, rc);
	as_in_close(&r.in);
	return rc;
}
