/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading: headers and records. A file is read as what it is, one profile after the other; what
 * is damaged is left out with a reason and what is whole is kept. docs/formats/gperf.md.
 */
#include "formats/gperf/gperf.h"

enum {
	DEPTH_CLAIM_MAX = 1 << 16, /* frames: a deeper record that does not fit is no record */
	DEPTH_MAX = INT32_MAX,
	SCAN = 4096,     /* bytes looked at to find a text list */
	LINE_PEEK = 128, /* bytes that show whether a line is a mapping */
};

/* The plain records that stand whole in WIN. Anything odd is left to take_odd(). */
static bool gp_read_add(
	struct as_gp_read *g, const char *p, uint64_t depth, uint64_t count, uint64_t off)
{
	uint32_t frames = (uint32_t)depth;

	if (gp_is_timed(g) && !as_gp_when_take(g, p, &frames))
		return false;
	return as_gp_stacks_add(&g->stacks, p, frames, count, off);
}

static bool take_plain(struct as_gp_read *g, struct as_slice win, size_t *used)
{
	const struct as_gp_layout l = g->layout;
	const uint64_t off = g->rd->in->off;
	size_t at = 0;

	while (win.len - at >= 2 * l.width) {
		uint64_t count = gp_slot(win.p + at, l);
		uint64_t depth = gp_slot(win.p + at + l.width, l);
		uint64_t left = (win.len - at) / l.width - 2;

		/* 0 becomes the largest number there is, and is refused as well. */
		if (count - 1 >= INT64_MAX || depth - 1 >= left || depth > g->deepest)
			break;
		if (!gp_read_add(g, win.p + at + 2 * l.width, depth, count, off + at))
			return false;
		at += (size_t)(2 + depth) * l.width;
	}
	*used = at;
	return as_gp_stacks_flush(&g->stacks);
}

/* At least N bytes from the cursor on, or all there are. A claim alone reserves no memory. */
static enum as_code gp_read_need(struct as_gp_read *g, uint64_t n, struct as_slice *win)
{
	size_t before = 0;

	do {
		before = win->len;
		AS_TRY(as_in_peek(g->rd->in, n < 2 * before ? (size_t)n : 2 * before, win));
	} while (win->len < n && win->len > before);
	return AS_OK;
}

static enum as_code cut_record(struct as_gp_read *g, const char *what)
{
	as_rd_partial(g->rd);
	g->damaged = true;
	return as_rd_find(g->rd, AS_F_GP_RECORD_CUT, g->rd->in->off, 0,
		"the input ends inside %s (record %" PRIu64 "); the records before it are kept",
		what, g->stacks.n_records + 1);
}

static enum as_code no_trailer(struct as_gp_read *g, bool text_follows)
{
	if (g->variant == AS_GP_SYMBOL)
		return AS_OK; /* Perl's pprof writes none */
	if (!text_follows)
		as_rd_partial(g->rd);
	return as_rd_find(g->rd, AS_F_GP_NO_TRAILER, g->rd->in->off, 0,
		"expected the trailer 0, 1, 0 after %" PRIu64 " records, found %s",
		g->stacks.n_records, text_follows ? "text" : "the end of the input");
}

/* What assay's recorder has not used of the file while it grows. What pprof prints has it, too. */
static bool gp_read_is_room(const struct as_gp_read *g, struct as_slice win, uint64_t depth)
{
	return depth && !g->pprof && !g->raw &&
	       gp_slot(win.p + 2 * g->layout.width, g->layout) == GP_ROOM;
}

static enum as_code tell_room(struct as_gp_read *g)
{
	if (!g->n_room)
		return AS_OK;
	return as_rd_find(g->rd, AS_F_GP_ROOM, g->room_off, 0,
		"%" PRIu64 " record%s room that the recorder did not need: the program ended by a "
		"signal or _exit(), before the file was written anew without it; no sample is "
		"missing",
		g->n_room, g->n_room == 1 ? " is" : "s are");
}

/* A record that is whole, but zero somewhere or larger than a count can be. */
static enum as_code take_whole(struct as_gp_read *g, struct as_slice win, uint64_t depth)
{
	const struct as_gp_layout l = g->layout;
	uint64_t off = g->rd->in->off, count = gp_slot(win.p, l);
	enum as_code rc = AS_OK;
	bool add = true;

	if (count > INT64_MAX) {
		as_rd_partial(g->rd);
		rc = as_rd_find(g->rd, AS_F_COUNT_RANGE, off, 0,
			"record %" PRIu64 " has the count 0x%" PRIx64
			", which is negative or beyond 2^63; it was left out",
			g->stacks.n_records + 1, count);
		add = false;
	} else if (count == 0 && gp_read_is_room(g, win, depth)) {
		if (!g->n_room++)
			g->room_off = off;
		add = false;
	} else if (count == 0) {
		rc = as_rd_find(g->rd, AS_F_GP_RECORD_ZERO_COUNT, off, 0,
			"record %" PRIu64 " of %" PRIu64 " frame%s has the count 0",
			g->stacks.n_records + 1, depth, depth == 1 ? "" : "s");
	} else if (depth == 0) {
		rc = as_rd_find(g->rd, AS_F_GP_RECORD_ZERO_DEPTH, off, 0,
			"record %" PRIu64 " has no addresses; its %" PRIu64
			" sample%s without a stack",
			g->stacks.n_records + 1, count, count == 1 ? " stands" : "s stand");
	}
	if (rc != AS_OK)
		return rc;
	if (!add)
		g->stacks.n_records++;
	else if (!gp_read_add(g, win.p + 2 * l.width, depth, count, off) ||
		 !as_gp_stacks_flush(&g->stacks))
		return as_err_no_memory(g->rd->err);
	as_in_take(g->rd->in, (size_t)(2 + depth) * l.width);
	return AS_OK;
}

/* A record whose claim exceeds what is left. */
static enum as_code gp_read_too_deep(struct as_gp_read *g, uint64_t depth)
{
	if (depth <= DEPTH_CLAIM_MAX)
		return cut_record(g, "a record");
	as_rd_partial(g->rd);
	g->damaged = true;
	return as_rd_find(g->rd, AS_F_GP_RECORD_DEPTH, g->rd->in->off, 0,
		"record %" PRIu64 " claims %" PRIu64
		" frames, more than the input holds; it was left out",
		g->stacks.n_records + 1, depth);
}

/* What stands at the cursor is no record: the trailer, the next header, or the end. */
static enum as_code gp_read_at_end(struct as_gp_read *g, struct as_slice win, bool *done)
{
	const struct as_gp_layout l = g->layout;
	struct as_gp_layout other;
	uint64_t depth;

	*done = true;
	if (win.len < 2 * l.width) {
		if (win.len == 0 || as_slice_is_text(win))
			return no_trailer(g, win.len > 0);
		return cut_record(g, "the first words of a record");
	}
	depth = gp_slot(win.p + l.width, l);
	if (gp_slot(win.p, l) == 0) {
		if (depth == 1 && win.len >= 3 * l.width && gp_slot(win.p + 2 * l.width, l) == 0) {
			as_in_take(g->rd->in, 3 * l.width);
			return AS_OK;
		}
		/* A header reads as a record without samples that holds 0, the period and 0. */
		if (depth == GP_WORDS && as_gp_detect(win, false, &other) == AS_GP_HEAD_EXACT)
			return no_trailer(g, false);
	}
	*done = false;
	return AS_OK;
}

/* The record that begins at the cursor claims more than there is, or more than it may. */
static enum as_code not_whole(struct as_gp_read *g, uint64_t depth, bool fits)
{
	struct as_slice win;

	AS_TRY(as_in_peek(g->rd->in, LINE_PEEK, &win));
	if (as_map_line_starts(win))
		return no_trailer(g, true);
	if (fits)
		return as_rd_fail(g->rd, AS_E_LIMIT, g->rd->in->off, 0,
			"a stack of %" PRIu64 " frames is deeper than the limit of %" PRIu64, depth,
			g->deepest);
	return gp_read_too_deep(g, depth);
}

/* One record, or what ends the records; *DONE says which. */
static enum as_code take_odd(struct as_gp_read *g, bool *done)
{
	const struct as_gp_layout l = g->layout;
	uint64_t depth, left = as_in_left(g->rd->in);
	bool sized = left != AS_SIZE_UNKNOWN;
	struct as_slice win;

	AS_TRY(as_in_peek(g->rd->in, GP_HEAD_SLOTS * GP_SLOT_MAX, &win));
	AS_TRY(gp_read_at_end(g, win, done));
	if (*done)
		return AS_OK;
	depth = gp_slot(win.p + l.width, l);
	*done = true;
	left = sized ? left / l.width - 2 : DEPTH_CLAIM_MAX;
	if (depth > g->deepest)
		return not_whole(g, depth, depth <= left);
	if (!sized || depth <= left)
		AS_TRY(gp_read_need(g, (2 + depth) * l.width, &win));
	if (win.len < (2 + depth) * l.width)
		return not_whole(g, depth, false);
	*done = false;
	return take_whole(g, win, depth);
}

static enum as_code read_records(struct as_gp_read *g)
{
	struct as_slice win;
	bool done = false;
	size_t used;

	while (!done) {
		AS_TRY(as_in_peek(g->rd->in, 2 * g->layout.width, &win));
		AS_TRY(as_err_memory(g->rd->err, take_plain(g, win, &used)));
		as_in_take(g->rd->in, used);
		if (!used)
			AS_TRY(take_odd(g, &done));
	}
	return tell_room(g);
}

/* Skip damaged bytes up to a text list, or to the end. */
static enum as_code skip_to_text(struct as_gp_read *g)
{
	unsigned char before = 0;
	struct as_slice win;
	size_t end;

	do {
		AS_TRY(as_in_peek(g->rd->in, SCAN, &win));
		end = win.len < SCAN ? win.len : win.len - LINE_PEEK;
		for (size_t i = 0; i < end; i++) {
			if (before < 0x20 && as_map_line_starts(as_slice_skip(win, i))) {
				as_in_take(g->rd->in, i);
				return AS_OK;
			}
			before = (unsigned char)win.p[i];
		}
		as_in_take(g->rd->in, end);
	} while (end < win.len);
	return AS_OK;
}

static enum as_code head_findings(struct as_gp_read *g, struct as_slice win)
{
	const struct as_gp_layout l = g->layout;
	uint64_t words = gp_slot(win.p + l.width, l), padding = gp_slot(win.p + 4 * l.width, l);
	uint64_t off = g->head_off;

	if (words > GP_WORDS)
		AS_TRY(as_rd_find(g->rd, AS_F_GP_HEADER_WORDS, off + l.width, 0,
			"the header has %" PRIu64 " words after the second, expected 3; the rest "
			"were skipped",
			words));
	g->timed = padding == GP_TIMED && l.width == GP_SLOT_MAX && !g->pprof && !g->raw;
	if (padding && !gp_is_timed(g))
		AS_TRY(as_rd_find(g->rd, AS_F_GP_PADDING, off + 4 * l.width, 0,
			"the padding slot is %" PRIu64 ", expected 0", padding));
	return AS_OK;
}

/* The same event for all profiles of a file; the first one's period holds. */
static enum as_code set_period(struct as_gp_read *g, uint64_t period)
{
	struct as_build *b = g->rd->out;
	uint64_t off = g->head_off + 3 * g->layout.width;
	struct as_event *ev;

	if (g->n_parts == 1) {
		AS_TRY(as_build_event(b, as_slice_of("samples"), as_slice_of("count"), &g->event));
		ev = &b->prof->event.p[g->event];
		ev->period = period;
		AS_TRY(as_build_str(b, as_slice_of("microseconds"), &ev->period_unit));
	}
	ev = &b->prof->event.p[g->event];
	if (period == 0)
		return as_rd_find(g->rd, AS_F_GP_PERIOD_ZERO, off, 0,
			"the sampling period is 0: samples cannot be turned into time");
	if (period != ev->period)
		return as_rd_find(g->rd, AS_F_GP_PERIOD_DIFFERS, off, 0,
			"profile %" PRIu32 " has a period of %" PRIu64
			" microseconds, the first one of %" PRIu64,
			g->n_parts, period, ev->period);
	return AS_OK;
}

static enum as_code head_wrong(struct as_gp_read *g, enum as_gp_head kind, struct as_slice win)
{
	uint64_t off = g->rd->in->off, words;

	if (kind == AS_GP_HEAD_NO)
		return as_rd_fail(g->rd, AS_E_FORMAT, off, 0,
			"expected the header 0, 3, 0, PERIOD, 0 of a gperftools CPU profile");
	if (kind == AS_GP_HEAD_CUT)
		return as_rd_fail(g->rd, AS_E_TRUNC, off + win.len, 0,
			"the input ends inside the header, after %zu of %u bytes", win.len,
			(unsigned)GP_HEAD_SLOTS * g->layout.width);
	words = gp_slot(win.p + g->layout.width, g->layout);
	if (gp_slot(win.p, g->layout))
		return as_rd_fail(g->rd, AS_E_FORMAT, off, 0,
			"the header count must be 0, found %" PRIu64, gp_slot(win.p, g->layout));
	AS_TRY(as_rd_find(g->rd, AS_F_GP_HEADER_SHORT, off + g->layout.width, 0,
		"the header must have at least 3 words, found %" PRIu64, words));
	return as_rd_fail(g->rd, AS_E_FORMAT, off + g->layout.width, 0,
		"the header must have at least 3 words, found %" PRIu64, words);
}

static enum as_code gp_read_header(struct as_gp_read *g)
{
	struct as_in *in = g->rd->in;
	enum as_gp_head kind;
	struct as_slice win;
	uint64_t left;

	g->head_off = in->off;
	AS_TRY(as_in_peek(in, GP_HEAD_SLOTS * GP_SLOT_MAX, &win));
	kind = as_gp_detect(win, win.len < GP_HEAD_SLOTS * GP_SLOT_MAX, &g->layout);
	if (kind < AS_GP_HEAD_ODD)
		return head_wrong(g, kind, win);
	g->stacks.layout = g->layout;
	g->stacks.keep_records = g->pprof;
	g->stacks.keep_log = g->raw != NULL;
	g->version = gp_slot(win.p + 2 * g->layout.width, g->layout);
	AS_TRY(head_findings(g, win));
	g->stacks.keep_log |= gp_is_timed(g);
	g->period = gp_slot(win.p + 3 * g->layout.width, g->layout);
	AS_TRY(set_period(g, g->period));
	left = 2 + gp_slot(win.p + g->layout.width, g->layout);
	for (left *= g->layout.width; left; left -= win.len) {
		AS_TRY(as_in_peek(in, 1, &win));
		if (!win.len)
			return as_rd_fail(g->rd, AS_E_TRUNC, in->off, 0,
				"the input ends inside the header's extra words");
		if (win.len > left)
			win.len = (size_t)left;
		as_in_take(in, win.len);
	}
	return AS_OK;
}

static enum as_code begin_part(struct as_gp_read *g)
{
	struct as_build *b = g->rd->out;
	struct as_part *part;

	memset(&g->part, 0, sizeof(*g) - offsetof(struct as_gp_read, part));
	as_pool_init(&g->pool, b->prof->al);
	g->al = &g->pool.al;
	AS_TRY(as_rd_part(g->rd, "gperf", &g->part));
	g->n_parts++;
	part = &b->prof->part.p[g->part];
	part->positions = AS_POS_INSTR;
	if (g->n_parts > 1) {
		b->prof->part.p[g->part - 1].number = g->n_parts - 1;
		b->prof->part.p[g->part - 1].has_number = true;
		part->number = g->n_parts;
		part->has_number = true;
	}
	as_arena_init(&g->arena, g->al);
	g->java = (struct as_addr_names){.arena = &g->arena};
	g->ranges = (struct as_addr_ranges){.al = g->al};
	as_index_init(&g->threads, g->al);
	if (g->variant == AS_GP_JAVA)
		g->variant = AS_GP_PLAIN;
	return as_err_memory(g->rd->err, as_gp_stacks_init(&g->stacks, g->al, b->prof->al));
}

static enum as_code read_part(struct as_gp_read *g)
{
	struct as_slice more;

	AS_TRY(gp_read_header(g));
	AS_TRY(as_build_part_events(g->rd->out, g->part, &g->event, 1));
	AS_TRY(read_records(g));
	if (g->damaged)
		AS_TRY(skip_to_text(g));
	AS_TRY(as_gp_read_text(g));
	if (AS_HAS_WRITERS && g->raw)
		return as_gp_raw_part(g);
	AS_TRY(as_in_peek(g->rd->in, 1, &more));
	return as_gp_build_part(g, more.len == 0);
}

static enum as_code set_format(struct as_gp_read *g)
{
	static const char *const variant[] = {"", "java ", "symbol "};
	struct as_profile *prof = g->rd->out->prof;
	struct as_slice text = as_arena_printf(&prof->arena, "%" PRIu64 " %s%s", g->version,
		variant[g->variant], as_gp_layout_text(g->layout));

	AS_TRY(as_err_memory(g->rd->err, text.p));
	return as_build_str(g->rd->out, text, &prof->version);
}

static enum as_code read_parts(struct as_gp_read *g)
{
	struct as_slice win;
	enum as_code rc;

	do {
		rc = begin_part(g);
		if (rc == AS_OK)
			rc = read_part(g);
		as_gp_stacks_release(&g->stacks);
		as_pool_release(&g->pool);
		if (rc == AS_OK && g->n_parts == 1)
			rc = set_format(g);
		if (rc != AS_OK)
			return rc;
		AS_TRY(as_in_peek(g->rd->in, 1, &win));
		if (win.len)
			AS_TRY(as_rd_find(g->rd, AS_F_GP_CONCATENATED, g->rd->in->off, 0,
				"profile %" PRIu32 " of the file begins here: each is a part",
				g->n_parts + 1));
	} while (win.len);
	return AS_OK;
}

static enum as_code empty_file(struct as_gp_read *g)
{
	static const char why[] = "the file is empty: the program did not end normally (it was "
				  "killed or left by _exit), so its profile was never written";

	AS_TRY(as_rd_find(g->rd, AS_F_EMPTY_FILE, 0, 0, "%s", why));
	return as_rd_fail(g->rd, AS_E_TRUNC, 0, 0, "%s", why);
}

static enum as_code gp_read_all(struct as_gp_read *g)
{
	struct as_profile *prof = g->rd->out->prof;
	struct as_slice win;

	AS_TRY(as_in_peek(g->rd->in, 1, &win));
	if (!win.len)
		return empty_file(g);
	AS_TRY(as_gp_read_symbols(g));
	AS_TRY(read_parts(g));
	if (!g->raw)
		AS_TRY(as_gp_build_times(g));
	if (prof->sample.node.n == 0 && prof->stacks.n == 0 && !g->raw)
		return as_rd_find(
			g->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "the profile holds no samples");
	return AS_OK;
}

/* Into the builder, or to RAW if that is not NULL. */
static enum as_code gp_read_file(struct as_rd *rd, struct as_out *raw)
{
	const char *compat = as_opts_get(&rd->opts, "compat");
	struct as_gp_read g = {.rd = rd, .raw = raw};
	enum as_code rc;

	if (compat && strcmp(compat, "pprof") != 0)
		return as_rd_fail(rd, AS_E_ARG, AS_OFF_NONE, 0,
			"option 'compat' takes 'pprof', not '%s'", compat);
	g.pprof = compat || raw;
	g.deepest = rd->lim.depth < DEPTH_MAX ? rd->lim.depth : DEPTH_MAX;
	as_pool_init(&g.file_pool, rd->out->prof->al);
	as_arena_init(&g.symbol_arena, &g.file_pool.al);
	g.symbols.arena = &g.symbol_arena;
	rc = gp_read_all(&g);
	as_pool_release(&g.file_pool);
	return rc;
}

enum as_code as_gp_read_file(struct as_rd *rd)
{
	return gp_read_file(rd, NULL);
}

enum as_code as_gp_raw_file(struct as_rd *rd, struct as_out *out)
{
	return gp_read_file(rd, out);
}
