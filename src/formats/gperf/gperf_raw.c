/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `pprof -raw` prints of a file: its records in their order, the addresses by numbers, and the
 * mappings as pprof takes them to be. docs/compat.md, "The raw dump".
 */
#include "formats/gperf/gperf.h"

#include "model/library.h"

struct raw_map {
	uint64_t start, limit, offset;
	struct as_slice file;
};

struct raw {
	struct as_gp_read *g;
	struct as_out *out;
	AS_VEC(struct raw_map) map;
	struct as_addr_ranges ranges; /* by mapping */
	struct as_addr_ranges
		gaps;          /* what a mapping would have in front, did its file begin there */
	uint32_t fake;         /* mapping of what none has, + 1 */
	AS_VEC(uint64_t) addr; /* of each location */
	struct as_index index; /* of them */
};

/* ---- mappings ---- */

/* pprof takes a path to end at the first blank, and to be missing where the inode touches it. */
static struct as_slice gp_raw_file_of(const struct as_gp_read *g, size_t i)
{
	struct as_slice rest = g->path.p[i], word;

	if (g->line.p[i].glued || !as_slice_word(&rest, &word))
		return (struct as_slice){"", 0};
	return word;
}

/* Two pieces of one file, or of nobody knows which. */
static bool gp_raw_continues(const struct raw_map *a, const struct raw_map *b)
{
	if (a->file.len && b->file.len && !as_slice_eq(a->file, b->file))
		return false;
	if (a->limit != b->start)
		return false;
	return !a->offset || !b->offset || a->offset + (a->limit - a->start) == b->offset;
}

static bool take_map(struct raw *r, size_t i)
{
	const struct as_map_line *line = &r->g->line.p[i];
	struct raw_map m = {line->start, line->limit, line->offset, gp_raw_file_of(r->g, i)};
	size_t n = r->map.n;
	struct raw_map *last;

	if (!n || !gp_raw_continues(&r->map.p[n - 1], &m))
		return as_vec_push(r->g->al, &r->map, m);
	last = &r->map.p[n - 1];
	last->limit = m.limit;
	if (m.file.len)
		last->file = m.file;
	return true;
}

/* The program comes first: what has a name that is neither a library's nor "[...]". */
static void put_program_first(struct raw *r)
{
	for (size_t i = 0; i < r->map.n; i++) {
		struct raw_map m = r->map.p[i];

		if (!m.file.len || m.file.p[0] == '[' || as_path_is_library(m.file))
			continue;
		r->map.p[i] = r->map.p[0];
		r->map.p[0] = m;
		return;
	}
}

/* The first mapping may be a huge page in front of the program, or begin behind its headers. */
static void mend_first(struct raw *r)
{
	const uint64_t usual = 0x400000;
	struct raw_map *m = r->map.p;

	if (r->map.n > 1 && as_slice_starts(m->file, "/anon_hugepage") && m->limit == m[1].start) {
		r->map.n--;
		memmove(m, m + 1, r->map.n * sizeof(*m));
	}
	if (r->map.n && m->start - m->offset == usual) {
		m->start = usual;
		m->offset = 0;
	}
}

static bool gp_raw_make_maps(struct raw *r)
{
	struct as_gp_read *g = r->g;

	for (size_t i = 0; i < g->line.n; i++)
		if (g->line.p[i].is_map && g->line.p[i].exec && !take_map(r, i))
			return false;
	put_program_first(r);
	mend_first(r);
	for (uint32_t i = 0; i < r->map.n; i++) {
		const struct raw_map *m = &r->map.p[i];
		struct as_addr_range range = {m->start, m->limit, i};
		struct as_addr_range gap = {m->start - m->offset, m->start, i};

		if (!as_vec_push(g->al, &r->ranges.row, range) ||
			(m->offset && m->offset <= m->start &&
				!as_vec_push(g->al, &r->gaps.row, gap)))
			return false;
	}
	return as_addr_ranges_make(&r->ranges) && as_addr_ranges_make(&r->gaps);
}

/* The mapping of ADDR, + 1; one of all memory is made for what none has, and has from then on all
 * that no other begins before. False if out of memory. */
static bool map_of(struct raw *r, uint64_t addr, uint32_t *out)
{
	const struct raw_map all = {0, UINT64_MAX, 0, {"", 0}};
	uint32_t map = as_addr_ranges_find(&r->ranges, addr);

	if (map == AS_ADDR_NOWHERE && !r->fake) {
		map = as_addr_ranges_find(&r->gaps, addr);
		if (map != AS_ADDR_NOWHERE && r->map.p[map].offset) {
			r->map.p[map].start -= r->map.p[map].offset;
			r->map.p[map].offset = 0;
		}
	}
	*out = map == AS_ADDR_NOWHERE ? r->fake : map + 1;
	if (*out)
		return true;
	*out = r->fake = (uint32_t)r->map.n + 1;
	return as_vec_push(r->g->al, &r->map, all);
}

/* ---- samples ---- */

/* The number of the location at ADDR. */
static bool gp_raw_location(struct raw *r, uint64_t addr, uint32_t *out)
{
	uint64_t hash = as_hash_mix(addr, 3), pos = AS_INDEX_START;

	while (as_index_find(&r->index, hash, &pos, out))
		if (r->addr.p[*out - 1] == addr)
			return true;
	*out = (uint32_t)r->addr.n + 1;
	return *out && as_vec_push(r->g->al, &r->addr, addr) && as_index_add(&r->index, hash, *out);
}

/* VALUE after a blank, right-aligned in ten columns. */
static void put_value(struct as_out *out, as_val value)
{
	char text[AS_VAL_TEXT];

	as_out_printf(out, " %10s", as_val_text(value, text));
}

static bool put_record(struct raw *r, const struct as_gp_record *rec, as_val period)
{
	const struct as_gp_stacks *st = &r->g->stacks;
	const struct as_stack_flat *s = &st->row.p[rec->row];
	const uint32_t *id = st->id.p + s->first;
	bool returns = r->g->variant == AS_GP_PLAIN;
	/* The leaf's double has a number, though it is on no stack. */
	bool twice = returns && s->depth > 1 && st->pc.p[id[0]] == st->pc.p[id[1]];

	put_value(r->out, (as_val)rec->count);
	/* In 64 bits, as pprof has it. */
	put_value(r->out, (int64_t)(rec->count * (uint64_t)period));
	as_out_text(r->out, ": ");
	for (uint32_t i = 0; i < s->depth; i++) {
		uint32_t number;

		if (!gp_raw_location(r, st->pc.p[id[i]] - (returns && i), &number))
			return false;
		if (twice && i == 1)
			continue;
		as_out_u64(r->out, number);
		as_out_char(r->out, ' ');
	}
	as_out_char(r->out, '\n');
	return true;
}

static bool put_samples(struct raw *r)
{
	const struct as_gp_stacks *st = &r->g->stacks;
	as_val period = (as_val)r->g->period * 1000;
	char text[AS_VAL_TEXT];

	as_out_printf(r->out, "PeriodType: cpu nanoseconds\nPeriod: %s\nSamples:\n",
		as_val_text(period, text));
	as_out_text(r->out, "samples/count cpu/nanoseconds\n");
	for (size_t i = 0; i < st->log.n; i++)
		if (!put_record(r, &st->log.p[i], period))
			return false;
	return true;
}

/* ---- locations and mappings ---- */

static void gp_raw_put_name(struct as_out *out, const struct as_addr_name *name)
{
	as_out_plain(out, name->func);
	as_out_char(out, ' ');
	as_out_plain(out, name->file.len ? name->file : name->object);
	as_out_printf(out, ":%" PRIu64 ":0 s=0", name->line);
}

static bool put_locations(struct raw *r)
{
	struct as_gp_read *g = r->g;

	as_out_text(r->out, "Locations\n");
	for (size_t i = 0; i < r->addr.n; i++) {
		const struct as_addr_name *name = gp_name(g, r->addr.p[i]);
		uint64_t addr = name ? 0 : r->addr.p[i];
		uint32_t map;

		as_out_printf(r->out, "%6zu: 0x%" PRIx64 " ", i + 1, addr);
		if (addr && !map_of(r, addr, &map))
			return false;
		if (addr)
			as_out_printf(r->out, "M=%" PRIu32 " ", map);
		if (name)
			gp_raw_put_name(r->out, name);
		as_out_char(r->out, '\n');
	}
	return true;
}

static void gp_raw_put_maps(const struct raw *r)
{
	as_out_text(r->out, "Mappings\n");
	for (size_t i = 0; i < r->map.n; i++) {
		const struct raw_map *m = &r->map.p[i];

		as_out_printf(r->out, "%zu: 0x%" PRIx64 "/0x%" PRIx64 "/0x%" PRIx64 " ", i + 1,
			m->start, m->limit, m->offset);
		as_out_plain(r->out, m->file);
		as_out_text(r->out, "  \n");
	}
}

static enum as_code gp_raw_put_all(struct raw *r)
{
	AS_TRY(as_gp_cut_handlers(r->g));
	AS_TRY(as_err_memory(
		r->g->rd->err, gp_raw_make_maps(r) && put_samples(r) && put_locations(r)));
	gp_raw_put_maps(r);
	return r->out->rc;
}

enum as_code as_gp_raw_part(struct as_gp_read *g)
{
	struct raw r = {.g = g, .out = g->raw, .ranges = {.al = g->al}, .gaps = {.al = g->al}};

	if (g->variant == AS_GP_SYMBOL)
		return as_rd_fail(g->rd, AS_E_UNSUPPORTED, 0, 0,
			"pprof does not read profiles with a symbol section");
	AS_TRY(as_err_memory(r.g->rd->err, as_gp_stacks_close(&g->stacks)));
	as_index_init(&r.index, g->al);
	return gp_raw_put_all(&r);
}
