/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading records: bins become costs of places, arcs calls whose cost nobody measured. Addresses
 * are as the linker laid them out; which binary that was the file does not say.
 */
#include "formats/gmon/gmon.h"

/* The program of a position-independent executable lies above, when it runs. */
#define GM_RUN_TIME (UINT64_C(1) << 40)

struct gmon_reader {
	struct as_rd *rd;
	struct as_gm_layout layout;
	uint32_t part, event, blocks; /* blocks: an event, from 1; 0 = there is none yet */
	as_object program;
	bool is_run_time, is_cut;
	uint64_t n_full; /* bins */
	uint32_t n_histograms;
	uint32_t rate; /* of the first */
};

static enum as_code gmon_cut(struct gmon_reader *g, const char *what)
{
	g->is_cut = true;
	as_rd_partial(g->rd);
	return as_rd_find(g->rd, AS_F_GM_CUT, g->rd->in->off, 0,
		"the input ends inside %s; what came before it is kept", what);
}

/* The function of the code at ADDR, which has its address for a name, as valgrind calls one that it
 * knows no symbol of: who knows the binary gives it the name of the function around that. */
static enum as_code gmon_pos(struct gmon_reader *g, uint64_t addr, struct as_pos *pos)
{
	char name[24];

	snprintf(name, sizeof(name), "0x%016" PRIx64, addr);
	*pos = (struct as_pos){.addr = addr};
	return as_build_func(
		g->rd->out, as_slice_of(name), g->program, (as_file){0}, 0, &pos->func);
}

/* ---- histograms ---- */

/* A tick lasts so long, where the clock is one. */
static enum as_code gmon_put_period(struct gmon_reader *g, const struct as_gm_histogram *hist)
{
	struct as_event *ev = &g->rd->out->prof->event.p[g->event];
	bool seconds = as_slice_is(hist->dimension, "seconds"), micros;

	if (g->n_histograms > 1 && hist->rate == g->rate && seconds)
		return AS_OK;
	if (g->n_histograms > 1 || !seconds || !hist->rate)
		return as_rd_find(g->rd, AS_F_GM_RATE, g->rd->in->off, 0,
			"the histogram has %" PRIu32 " ticks for one of '%.*s'%s", hist->rate,
			AS_SLICE_FMT(hist->dimension),
			g->n_histograms > 1 ? ", unlike the first" : ": they are no time");
	g->rate = hist->rate;
	micros = 1000000 % hist->rate == 0;
	ev->period = (micros ? 1000000 : 1000000000) / hist->rate;
	return as_build_str(
		g->rd->out, as_slice_of(micros ? "microseconds" : "nanoseconds"), &ev->period_unit);
}

static enum as_code put_bin(
	struct gmon_reader *g, const struct as_gm_histogram *hist, uint32_t i, uint32_t ticks)
{
	as_val cost = ticks;
	struct as_pos pos;

	g->n_full += ticks == GM_BIN_MAX;
	AS_TRY(gmon_pos(g, as_gm_bin_address(hist, i), &pos));
	return as_build_self(g->rd->out, g->part, &pos, &cost, 1);
}

static enum as_code read_bins(struct gmon_reader *g, const struct as_gm_histogram *hist)
{
	struct as_slice win;

	for (uint32_t i = 0; i < hist->bins;) {
		AS_TRY(as_in_peek(g->rd->in, 2, &win));
		if (win.len < 2)
			return gmon_cut(g, "a histogram");
		win.len -= win.len % 2;
		if (win.len / 2 > hist->bins - i)
			win.len = 2 * (size_t)(hist->bins - i);
		for (size_t at = 0; at < win.len; at += 2, i++) {
			uint32_t ticks = gm_u16(win.p + at, g->layout);

			if (ticks)
				AS_TRY(put_bin(g, hist, i, ticks));
		}
		as_in_take(g->rd->in, win.len);
	}
	return AS_OK;
}

static enum as_code skip_bytes(struct gmon_reader *g, uint64_t n, const char *what)
{
	struct as_slice win;

	for (; n; n -= win.len) {
		AS_TRY(as_in_peek(g->rd->in, 1, &win));
		if (!win.len)
			return gmon_cut(g, what);
		if (win.len > n)
			win.len = (size_t)n;
		as_in_take(g->rd->in, win.len);
	}
	return AS_OK;
}

/* Addresses of a run can be any: nothing is in the file that they are offsets from. */
static enum as_code gmon_run_time(struct gmon_reader *g, uint64_t low)
{
	if (low < GM_RUN_TIME || g->is_run_time)
		return AS_OK;
	g->is_run_time = true;
	g->program.i = 0;
	return as_rd_find(g->rd, AS_F_GM_RUN_TIME, g->rd->in->off, 0,
		"addresses begin at 0x%" PRIx64
		", where the program was loaded in that run: they cannot be named",
		low);
}

static enum as_code read_histogram(struct gmon_reader *g, struct as_slice record)
{
	struct as_gm_histogram hist;

	as_gm_histogram_parse(record.p, g->layout, &hist);
	g->n_histograms++;
	AS_TRY(gmon_run_time(g, hist.low));
	AS_TRY(gmon_put_period(g, &hist));
	as_in_take(g->rd->in, record.len);
	if (hist.high > hist.low)
		return read_bins(g, &hist);
	AS_TRY(as_rd_find(g->rd, AS_F_GM_HISTOGRAM, g->rd->in->off - record.len, 0,
		"the histogram reaches from 0x%" PRIx64 " to 0x%" PRIx64 "; it was left out",
		hist.low, hist.high));
	return skip_bytes(g, 2 * (uint64_t)hist.bins, "a histogram");
}

/* ---- calls and blocks ---- */

static enum as_code read_arc(struct gmon_reader *g, struct as_slice record)
{
	const char *p = record.p + 1;
	uint64_t from = gm_word(p, g->layout), self = gm_word(p + g->layout.width, g->layout);
	struct as_call call = {
		.addr = self, .count = gm_u32(p + 2 * (size_t)g->layout.width, g->layout)};
	struct as_pos site, callee;
	as_val none = 0;

	AS_TRY(gmon_run_time(g, self));
	AS_TRY(gmon_pos(g, from, &site));
	AS_TRY(gmon_pos(g, self, &callee));
	call.callee = callee.func;
	as_in_take(g->rd->in, record.len);
	return as_build_call(g->rd->out, g->part, &site, &call, &none, 1);
}

static enum as_code gmon_blocks_event(struct gmon_reader *g)
{
	uint32_t event;

	if (g->blocks)
		return AS_OK;
	AS_TRY(as_build_event(g->rd->out, as_slice_of("blocks"), as_slice_of("count"), &event));
	g->blocks = event + 1;
	return AS_OK;
}

static enum as_code read_blocks(struct gmon_reader *g, struct as_slice record)
{
	uint32_t n = gm_u32(record.p + 1, g->layout);
	size_t size = 2 * (size_t)g->layout.width;
	struct as_slice win;
	struct as_pos pos;

	AS_TRY(gmon_blocks_event(g));
	as_in_take(g->rd->in, record.len);
	for (uint32_t i = 0; i < n; i++) {
		as_val cost[2] = {0, 0};

		AS_TRY(as_in_peek(g->rd->in, size, &win));
		if (win.len < size)
			return gmon_cut(g, "counts of blocks");
		cost[1] = (as_val)gm_word(win.p + g->layout.width, g->layout);
		AS_TRY(gmon_pos(g, gm_word(win.p, g->layout), &pos));
		AS_TRY(as_build_self(g->rd->out, g->part, &pos, cost, 2));
		as_in_take(g->rd->in, size);
	}
	return AS_OK;
}

/* ---- all of it ---- */

/* The record at the cursor; *DONE: there is none, or nothing can be read behind it. */
static enum as_code gmon_record(struct gmon_reader *g, bool *done)
{
	struct as_slice win;
	size_t size;

	AS_TRY(as_in_peek(g->rd->in, 1, &win));
	*done = !win.len;
	if (*done)
		return AS_OK;
	size = gm_record_size((unsigned char)*win.p, g->layout);
	*done = !size;
	if (*done) {
		as_rd_partial(g->rd);
		return as_rd_find(g->rd, AS_F_GM_TAG, g->rd->in->off, 0,
			"expected a record of the kind 0, 1 or 2, found %u; the rest is not read",
			(unsigned)(unsigned char)*win.p);
	}
	AS_TRY(as_in_peek(g->rd->in, size, &win));
	*done = win.len < size;
	if (*done)
		return gmon_cut(g, "a record");
	win.len = size;
	switch (*win.p) {
	case AS_GM_HISTOGRAM:
		return read_histogram(g, win);
	case AS_GM_ARC:
		return read_arc(g, win);
	default:
		return read_blocks(g, win);
	}
}

static enum as_code gmon_head(struct gmon_reader *g)
{
	struct as_in *in = g->rd->in;
	struct as_peek pk;

	AS_TRY(as_in_peek(in, (size_t)AS_PEEK_MAX + 1, &pk.head));
	pk.whole = pk.head.len <= AS_PEEK_MAX;
	if (!as_slice_starts(pk.head, "gmon"))
		return as_rd_fail(g->rd, AS_E_FORMAT, 0, 0, "expected 'gmon', as gmon.out begins");
	if (pk.head.len < GM_HEAD)
		return as_rd_fail(g->rd, AS_E_TRUNC, pk.head.len, 0,
			"the input ends inside the header, after %zu of %u bytes", pk.head.len,
			(unsigned)GM_HEAD);
	if (!as_gm_detect(pk.head, pk.whole, &g->layout))
		return as_rd_fail(g->rd, AS_E_UNSUPPORTED, 4, 0,
			"expected version 1, found %" PRIu32 " (or %" PRIu32 ")",
			gm_u32(pk.head.p + 4, (struct as_gm_layout){4, false}),
			gm_u32(pk.head.p + 4, (struct as_gm_layout){4, true}));
	as_in_take(in, GM_HEAD);
	return AS_OK;
}

static enum as_code gmon_begin(struct gmon_reader *g)
{
	struct as_build *b = g->rd->out;
	struct as_slice none = {NULL, 0};

	AS_TRY(as_rd_part(g->rd, "gmon", &g->part));
	b->prof->part.p[g->part].positions = AS_POS_INSTR;
	AS_TRY(as_build_event(b, as_slice_of("samples"), as_slice_of("count"), &g->event));
	AS_TRY(as_build_object(b, as_slice_of(AS_PATH_PROGRAM), none, &g->program));
	b->prof->object.p[g->program.i].addr_kind = AS_ADDR_VIRTUAL;
	return AS_OK;
}

static enum as_code gmon_end(struct gmon_reader *g)
{
	struct as_profile *prof = g->rd->out->prof;

	AS_TRY(as_build_part_all_events(g->rd->out, g->part));
	if (g->n_full)
		AS_TRY(as_rd_find(g->rd, AS_F_GM_FULL, AS_OFF_NONE, 0,
			"%" PRIu64
			" bin%s counted to %u, the most that one holds: it may have been "
			"more",
			g->n_full, g->n_full == 1 ? " has" : "s have", (unsigned)GM_BIN_MAX));
	return as_rd_find_if(g->rd, !prof->self.n && !prof->call.n, AS_F_NO_SAMPLES,
		"the profile holds neither samples nor calls");
}

enum as_code as_gm_read_file(struct as_rd *rd)
{
	struct gmon_reader g = {.rd = rd};
	bool done = false;

	AS_TRY(gmon_head(&g));
	AS_TRY(gmon_begin(&g));
	while (!done && !g.is_cut)
		AS_TRY(gmon_record(&g, &done));
	return gmon_end(&g);
}
