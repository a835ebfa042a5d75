/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames that the profiler's signal handler left above the leaf.
 *
 * They are removed only on proof, see handler_depth(). pprof cuts whatever stands above the leaf
 * of most records, which takes true callers away from every program with one hot path;
 * compat=pprof does as pprof does.
 */
#include "formats/gperf/gperf.h"

#define NONE UINT32_MAX

/* Drop N frames above the leaf. */
static void cut_above(struct as_gp_stacks *st, struct as_stack_flat *s, uint32_t n)
{
	uint32_t leaf = st->id.p[s->first];

	s->first += n;
	s->depth -= n;
	st->id.p[s->first] = leaf;
	st->id.p[s->first - 1] = AS_GP_END;
}

enum as_gp_lib as_gp_lib(struct as_slice path)
{
	struct as_slice base = as_base_name(path);

	if (as_slice_starts(base, "libprofiler"))
		return AS_GP_LIB_PROFILER;
	return as_slice_starts(base, "libtcmalloc_and_profiler") ? AS_GP_LIB_BOTH : AS_GP_LIB_NONE;
}

static bool any_handler(const struct as_gp_read *g)
{
	for (size_t i = 0; g->variant == AS_GP_SYMBOL && i < g->symbols.row.n; i++)
		if (g->symbols.row.p[i].handler)
			return true;
	for (size_t i = 0; i < g->ranges.row.n; i++)
		if (as_gp_lib(g->path.p[g->ranges.row.p[i].map]))
			return true;
	return false;
}

/* LIB of each address. */
static void find_libs(const struct as_gp_read *g, uint8_t *lib)
{
	for (size_t i = 0; i < g->stacks.pc.n; i++) {
		uint64_t pc = g->stacks.pc.p[i];
		const struct as_addr_name *name = gp_name(g, pc);
		uint32_t map = as_addr_ranges_find(&g->ranges, pc - (g->variant == AS_GP_PLAIN));

		if (name && name->handler)
			lib[i] = AS_GP_LIB_SYMBOL;
		else if (map != AS_ADDR_NOWHERE)
			lib[i] = (uint8_t)as_gp_lib(g->path.p[map]);
	}
}

/* A profiler's frame stands above the leaf of every stack that has a caller at all. */
static bool are_all_handled(const struct as_gp_stacks *st, const uint8_t *lib)
{
	for (size_t i = 1; i < st->row.n; i++) {
		const struct as_stack_flat *s = &st->row.p[i];

		if (s->count && s->depth > 1 && !lib[st->id.p[s->first + 1]])
			return false;
	}
	return true;
}

/*
 * How many frames above the leaf of S are the handler's. They are when
 *  - their names are those of the handler, or
 *  - they lie in a library of the profiler, and the interrupted address follows once more,
 *    at once or after the signal trampoline: then the leaf's double is one of them, or
 *  - they lie in libprofiler, and ALL other stacks have such a frame there too.
 * What is in libprofiler only now and then is a program that calls the profiler.
 */
static uint32_t handler_depth(
	const struct as_gp_read *g, const struct as_stack_flat *s, const uint8_t *lib, bool all)
{
	const uint32_t *id = g->stacks.id.p + s->first;
	const uint64_t *pc = g->stacks.pc.p;
	bool adjusted = g->variant == AS_GP_SYMBOL, proven = true;
	uint32_t n = 0;

	while (1 + n < s->depth && lib[id[1 + n]]) {
		uint8_t which = lib[id[1 + n++]];

		proven &= which == AS_GP_LIB_SYMBOL || (which == AS_GP_LIB_PROFILER && all);
	}
	if (!n)
		return 0;
	for (uint32_t k = n; k < n + 2 && 1 + k < s->depth; k++)
		if (pc[id[1 + k]] == pc[id[0]] - adjusted)
			return k + 1;
	return proven ? n : 0;
}

static enum as_code cut_proven(struct as_gp_read *g)
{
	struct as_gp_stacks *st = &g->stacks;
	uint8_t *lib;
	uint64_t cut = 0;
	bool all;

	lib = as_alloc_new(g->al, st->pc.n + 1);
	AS_TRY(as_err_memory(g->rd->err, lib));
	find_libs(g, lib);
	all = are_all_handled(st, lib);
	for (size_t i = 1; i < st->row.n; i++) {
		uint32_t n = handler_depth(g, &st->row.p[i], lib, all);

		cut_above(st, &st->row.p[i], n);
		cut += n > 0;
	}
	if (cut)
		return as_rd_find(g->rd, AS_F_GP_HANDLER_FRAMES, g->head_off, 0,
			"frames of the profiler's own signal handler were removed from %" PRIu64
			" of %zu distinct stacks",
			cut, st->row.n - 1);
	return AS_OK;
}

/* One round of pprof: cut the address that stands above the leaf of nearly all RECORDS. False
 * if there is none. */
static bool pprof_round(struct as_gp_stacks *st, uint64_t *seen)
{
	uint64_t enough = st->n_records - st->n_records / 32;
	uint32_t found = NONE;

	memset(seen, 0, st->pc.n * sizeof(*seen));
	for (size_t i = 1; i < st->row.n; i++)
		if (st->row.p[i].depth > 1)
			seen[st->id.p[st->row.p[i].first + 1]] += st->records.p[i];
	for (uint32_t i = 0; i < st->pc.n; i++)
		if (seen[i] && seen[i] >= enough)
			found = i;
	for (size_t i = 1; i < st->row.n; i++) {
		struct as_stack_flat *s = &st->row.p[i];

		if (s->depth > 1 && st->id.p[s->first + 1] == found)
			cut_above(st, s, 1);
	}
	return found != NONE;
}

/* Its two rules: at most two frames that "most samples" share, then a leaf that stands twice; that
 * one the raw dump sees to, as the double has a number there. */
static enum as_code cut_as_pprof(struct as_gp_read *g)
{
	struct as_gp_stacks *st = &g->stacks;
	size_t size = (st->pc.n + 1) * sizeof(uint64_t);
	uint64_t *seen = as_alloc_new(g->al, size);

	AS_TRY(as_err_memory(g->rd->err, seen));
	if (g->variant == AS_GP_PLAIN && pprof_round(st, seen))
		pprof_round(st, seen);
	for (size_t i = 1; g->variant == AS_GP_PLAIN && !g->raw && i < st->row.n; i++) {
		struct as_stack_flat *s = &st->row.p[i];

		if (s->depth > 1 && st->id.p[s->first] == st->id.p[s->first + 1])
			cut_above(st, s, 1);
	}
	return AS_OK;
}

enum as_code as_gp_cut_handlers(struct as_gp_read *g)
{
	if (!g->pprof && (g->variant == AS_GP_JAVA || g->clean || !any_handler(g)))
		return AS_OK;
	AS_TRY(g->pprof ? cut_as_pprof(g) : cut_proven(g));
	as_gp_stacks_mark(&g->stacks);
	return AS_OK;
}
