/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From distinct stacks to the profile's paths.
 *
 * A caller's slot is a return address: the call is the byte before it, so one is subtracted
 * (docs/formats/gperf.md, "Layout"). The writer adds one to every frame but the leaf, which
 * undoes it; slots where that would not come out even, 0 and a caller's 1, stand unchanged in the
 * object AS_MAP_NULL.
 */
#include "base/sort.h"
#include "formats/gperf/gperf.h"

struct emit {
	struct as_gp_read *g;
	as_place *place;   /* of each frame word, 2 * address + (1 if it is the leaf); or unset */
	uint64_t unmapped; /* distinct addresses without mapping */
	uint32_t order;    /* where in the file the first stack stands */
	AS_VEC(uint32_t) word; /* those that occur, by the address they stand for, */
	AS_VEC(uint64_t) addr; /* which is this */
	AS_VEC(as_node) node;  /* where each frame of the stack before ends, root first */
};

static const as_place unset = {UINT32_MAX};

/* ---- places ---- */

static enum as_code null_pos(struct emit *e, uint64_t pc, struct as_pos *pos)
{
	struct as_build *b = e->g->rd->out;
	as_object object;

	AS_TRY(as_build_object(b, as_slice_of(AS_MAP_NULL), (struct as_slice){NULL, 0}, &object));
	b->prof->object.p[object.i].addr_kind = AS_ADDR_ABSOLUTE;
	pos->addr = pc;
	return as_build_func(b, as_slice_of(""), object, (as_file){0}, pc, &pos->func);
}

static enum as_code named_pos(
	struct emit *e, const struct as_addr_name *name, struct as_slice func, struct as_pos *pos)
{
	struct as_build *b = e->g->rd->out;
	as_object object;

	AS_TRY(as_build_object(b, name->object, (struct as_slice){NULL, 0}, &object));
	AS_TRY(as_build_file(b, name->file, &pos->file));
	AS_TRY(as_build_func(b, func, object, pos->file, 0, &pos->func));
	pos->line = name->line;
	pos->addr = name->addr;
	return AS_OK;
}

static enum as_code mapped_pos(struct emit *e, uint64_t addr, struct as_pos *pos)
{
	struct as_gp_read *g = e->g;
	uint32_t map = as_addr_ranges_find(&g->ranges, addr);
	as_object object = {0};

	pos->addr = addr;
	if (map == AS_ADDR_NOWHERE) {
		e->unmapped++;
	} else {
		object = g->object.p[map];
		if (g->rd->out->prof->object.p[object.i].addr_kind != AS_ADDR_ABSOLUTE)
			pos->addr = addr - g->line.p[map].start + g->line.p[map].offset;
	}
	return as_build_func(
		g->rd->out, as_slice_of(""), object, (as_file){0}, pos->addr, &pos->func);
}

/* WORD holds a return address. */
static bool is_caller(const struct as_gp_read *g, uint32_t word)
{
	return g->variant == AS_GP_PLAIN && !(word & 1);
}

static enum as_code make_place(struct emit *e, uint32_t word)
{
	struct as_gp_read *g = e->g;
	bool caller = is_caller(g, word);
	uint64_t pc = g->stacks.pc.p[word >> 1];
	const struct as_addr_name *name = gp_name(g, pc);
	struct as_pos pos = {0};

	if (name)
		AS_TRY(named_pos(e, name, name->func, &pos));
	else if (pc == 0 || (caller && pc == 1))
		AS_TRY(null_pos(e, pc, &pos));
	else
		AS_TRY(mapped_pos(e, pc - caller, &pos));
	return as_build_place(g->rd->out, &pos, &e->place[word]);
}

/* The places of S; those that are known are not asked for again. */
static enum as_code make_places(struct emit *e, const struct as_stack_flat *s)
{
	const uint32_t *id = e->g->stacks.id.p + s->first;

	for (uint32_t i = 0; i < s->depth; i++) {
		uint32_t word = id[i] << 1 | (i == 0);

		if (e->place[word].i == unset.i)
			AS_TRY(make_place(e, word));
	}
	return AS_OK;
}

/* ---- the tree, in general ---- */

/* FUNC, one of NAME's, on top of *NODE. */
static enum as_code push_named(
	struct emit *e, const struct as_addr_name *name, struct as_slice func, as_node *node)
{
	struct as_build *b = e->g->rd->out;
	struct as_pos pos = {0};
	as_place place;

	AS_TRY(named_pos(e, name, func, &pos));
	AS_TRY(as_build_place(b, &pos, &place));
	return as_build_push(b, *node, place, node);
}

/* "outer--inner" are two frames at one address, the caller first. */
static enum as_code push_inlined(
	struct emit *e, const struct as_addr_name *name, as_node parent, as_node *out)
{
	struct as_slice rest = name->func;

	*out = parent;
	while (rest.len) {
		size_t at = as_slice_find_text(rest, "--");

		if (at)
			AS_TRY(push_named(e, name, (struct as_slice){rest.p, at}, out));
		rest = as_slice_skip(rest, at < rest.len ? at + 2 : at);
	}
	return AS_OK;
}

static bool gp_build_is_inlined(const struct as_addr_name *name)
{
	return name && as_slice_find_text(name->func, "--") < name->func.len;
}

static enum as_code push_stack(struct emit *e, const struct as_stack_flat *s, as_node *out)
{
	const struct as_gp_stacks *st = &e->g->stacks;

	AS_TRY(make_places(e, s));
	out->i = 0;
	for (uint32_t i = s->depth; i-- > 0;) {
		uint32_t id = st->id.p[s->first + i];
		const struct as_addr_name *name = NULL;

		if (e->g->variant == AS_GP_SYMBOL)
			name = gp_name(e->g, st->pc.p[id]);
		if (gp_build_is_inlined(name))
			AS_TRY(push_inlined(e, name, *out, out));
		else
			AS_TRY(as_build_push(
				e->g->rd->out, *out, e->place[id << 1 | (i == 0)], out));
	}
	return AS_OK;
}

static enum as_code push_each(struct emit *e)
{
	const struct as_gp_stacks *st = &e->g->stacks;
	const as_val wrap = (as_val)1 << 64;
	struct as_build *b = e->g->rd->out;
	as_node node;

	for (size_t i = 0; i < st->row.n; i++) {
		as_val count = st->row.p[i].count;

		if (!count)
			continue;
		AS_TRY(push_stack(e, &st->row.p[i], &node));
		b->order = e->order + (uint32_t)i;
		AS_TRY(as_build_sample(b, e->g->part, node, &count));
	}
	for (size_t i = 0; i < st->carry.n; i++) {
		AS_TRY(push_stack(e, &st->row.p[st->carry.p[i]], &node));
		AS_TRY(as_build_sample(b, e->g->part, node, &wrap));
	}
	return AS_OK;
}

/* Each record has its time, and its thread. */
static enum as_code push_timed(struct emit *e)
{
	const struct as_gp_stacks *st = &e->g->stacks;
	as_node *node;

	if (!as_alloc_array(st->al, &node, st->row.n))
		return as_err_no_memory(e->g->rd->err);
	for (size_t i = 0; i < st->row.n; i++)
		if (st->row.p[i].count || st->carry.n)
			AS_TRY(push_stack(e, &st->row.p[i], &node[i]));
	return as_gp_when_put(e->g, node);
}

/* ---- the tree of a file's only profile: no look-up, no index ---- */

static bool find_words(struct emit *e)
{
	const struct as_gp_stacks *st = &e->g->stacks;

	for (uint32_t i = 0; i < 2 * st->pc.n; i++) {
		uint64_t addr = st->pc.p[i >> 1] - is_caller(e->g, i);

		if (st->seen.p[i >> 1] & (i & 1 ? AS_GP_LEAF : AS_GP_CALLER) &&
			!(as_vec_push(st->al, &e->word, i) && as_vec_push(st->al, &e->addr, addr)))
			return false;
	}
	return as_sort_keys(st->al, e->addr.p, e->word.p, e->word.n);
}

/* All places. They are numbered by address, so that the tree is in the order in which it will be
 * written again. */
static enum as_code make_all_places(struct emit *e)
{
	const struct as_gp_stacks *st = &e->g->stacks;

	AS_TRY(as_err_memory(e->g->rd->err, find_words(e)));
	AS_TRY(as_build_reserve(e->g->rd->out, e->word.n));
	for (size_t i = 0; i < e->word.n; i++)
		AS_TRY(make_place(e, e->word.p[i]));
	as_vec_free(st->al, &e->word);
	as_vec_free(st->al, &e->addr);
	return AS_OK;
}

/* Put the places in the place of the addresses. */
static enum as_code settle_places(struct emit *e)
{
	struct as_gp_stacks *st = &e->g->stacks;
	const as_place *place = e->place;

	AS_TRY(make_all_places(e));
	for (size_t i = 0; i < st->row.n; i++) {
		const struct as_stack_flat *s = &st->row.p[i];
		uint32_t *id = st->id.p + s->first;

		if (s->depth)
			id[0] = place[id[0] << 1 | 1].i;
		for (uint32_t k = 1; k < s->depth; k++)
			id[k] = place[id[k] << 1].i;
	}
	return AS_OK;
}

/* Room for N more nodes. */
static enum as_code reserve_nodes(struct emit *e, size_t n)
{
	struct as_profile *prof = e->g->rd->out->prof;
	size_t all = prof->node.parent.n + n;

	if (all >= UINT32_MAX - 2)
		return as_err_set(e->g->rd->err, AS_E_LIMIT, "more than 2^32 path nodes");
	return as_err_memory(
		e->g->rd->err, as_vec_reserve(prof->al, &prof->node.parent, all) &&
				       as_vec_reserve(prof->al, &prof->node.place, all));
}

/* Where the stack at ROOT leaves the path of the one before, new nodes begin. There is room. */
static as_node append_stack(struct emit *e, const uint32_t *before, const uint32_t *root)
{
	struct as_profile *prof = e->g->rd->out->prof;
	as_node *path = e->node.p, node = {0};
	uint32_t next = (uint32_t)prof->node.parent.n;

	for (; *root == *before && *root != AS_GP_END; root--, before--)
		node = *path++;
	for (; *root != AS_GP_END; root--) {
		prof->node.parent.p[next] = node;
		prof->node.place.p[next].i = *root;
		node.i = next++;
		*path++ = node;
	}
	prof->node.parent.n = prof->node.place.n = next;
	return node;
}

/* The counts to the sorted stacks, so that the rows are no longer needed. */
static void take_counts(struct as_gp_stacks *st, struct as_stack_item *item)
{
	for (size_t i = 0; i < st->row.n; i++) {
		if (i + GP_AHEAD < st->row.n)
			AS_PREFETCH(&st->row.p[item[i + GP_AHEAD].row]);
		item[i].key = st->row.p[item[i].row].count;
	}
	as_vec_free(st->out, &st->row);
}

/*
 * Stacks come in the order of the tree, so the path of one is known up to where it leaves the
 * one before, and all that follows is new.
 */
static enum as_code append_ordered(struct emit *e, const struct as_stack_item *item, size_t n)
{
	const struct as_gp_stacks *st = &e->g->stacks;
	const uint32_t *before = st->id.p; /* AS_GP_END: the stack without frames */
	struct as_build *b = e->g->rd->out;
	as_node node = {0}, next;
	as_val count = 0;

	for (size_t i = 0; i < n; i++) {
		if (i + GP_AHEAD < n) {
			AS_PREFETCH(&st->id.p[item[i + GP_AHEAD].root]);
			AS_PREFETCH(&st->id.p[item[i + GP_AHEAD].root] - GP_LINE_IDS);
		}
		if (!item[i].key)
			continue;
		AS_TRY(reserve_nodes(e, st->max_depth));
		next = append_stack(e, before, st->id.p + item[i].root);
		if (next.i != node.i && count) {
			AS_TRY(as_build_sample(b, e->g->part, node, &count));
			count = 0;
		}
		if (!count || e->order + item[i].row < b->order)
			b->order = e->order + item[i].row;
		before = st->id.p + item[i].root;
		node = next;
		count += item[i].key;
	}
	return count ? as_build_sample(b, e->g->part, node, &count) : AS_OK;
}

static enum as_code gp_build_append_all(struct emit *e)
{
	struct as_gp_stacks *st = &e->g->stacks;
	struct as_stack_item *items;
	size_t n = st->row.n;

	AS_TRY(settle_places(e));
	if (!as_alloc_array(st->al, &items, n) ||
		!as_vec_reserve(st->al, &e->node, st->max_depth + (size_t)1))
		return as_err_no_memory(e->g->rd->err);
	as_gp_stacks_order(st, items);
	take_counts(st, items);
	AS_TRY(append_ordered(e, items, n));
	e->g->rd->out->depth_first = true;
	return AS_OK;
}

/* ---- its stacks as they are, for who makes sums of them when code has names ---- */

/* Frames for each address, from which on it is faster to make sums when names are known, and with
 * them all functions once more, than a tree. */
enum { GP_BUILD_MANY = 32 };

/* None has a name, none is too deep, and there are many. */
static bool gp_build_takes_stacks(const struct as_gp_read *g)
{
	return as_rd_takes_stacks(g->rd) && g->variant == AS_GP_PLAIN && !gp_is_timed(g) &&
	       g->stacks.max_depth <= AS_STACKS_DEEPEST &&
	       g->stacks.id.n / GP_BUILD_MANY >= g->stacks.pc.n;
}

static enum as_code gp_build_stacks(struct emit *e)
{
	struct as_gp_stacks *st = &e->g->stacks;
	struct as_stacks *out = &e->g->rd->out->prof->stacks;

	AS_TRY(settle_places(e));
	if (!as_stacks_widen(out, 1))
		return as_err_no_memory(e->g->rd->err);
	as_vec_move(&out->flat_place, &st->id);
	as_vec_move(&out->flat, &st->row);
	as_stacks_flat(out);
	return AS_OK;
}

/* ---- all of it ---- */

static enum as_code gp_build_findings(struct emit *e)
{
	struct as_gp_read *g = e->g;
	const struct as_gp_stacks *st = &g->stacks;
	uint32_t d = st->max_depth;

	if (st->zero_off != AS_OFF_NONE)
		AS_TRY(as_rd_find(g->rd, AS_F_GP_PC_ZERO, st->zero_off, 0,
			"the record holds the address 0; its samples are kept"));
	if (d == 63 || d == 64 || d == 253 || d == 254)
		AS_TRY(as_rd_find(g->rd, AS_F_GP_DEPTH_LIMIT, g->head_off, 0,
			"the deepest stacks have %" PRIu32
			" frames, the recorder's limit: their root side may be cut",
			d));
	if (g->variant == AS_GP_JAVA || !st->pc.n)
		return AS_OK;
	if (!g->ranges.row.n && g->variant == AS_GP_PLAIN)
		return as_rd_find(g->rd, AS_F_GP_NO_MAPS, g->rd->in->off, 0,
			"no executable mapping is listed: addresses stay absolute");
	if (e->unmapped && g->ranges.row.n)
		return as_rd_find(g->rd, AS_F_GP_PC_UNMAPPED, g->head_off, 0,
			"%" PRIu64 " of %zu address%s %s in no executable mapping of a file",
			e->unmapped, st->pc.n, st->pc.n == 1 ? "" : "es",
			e->unmapped == 1 ? "lies" : "lie");
	return AS_OK;
}

static enum as_code gp_build_emit_all(struct emit *e, bool last)
{
	const struct as_gp_read *g = e->g;
	bool first = g->rd->out->prof->node.parent.n == 1;
	bool only = last && first && !g->stacks.carry.n;

	AS_TRY(as_gp_build_list(e->g));
	AS_TRY(as_gp_cut_handlers(e->g));
	if (gp_is_timed(g) && last && first) {
		AS_TRY(push_timed(e));
		return gp_build_findings(e);
	}
	if (only && gp_build_takes_stacks(g))
		AS_TRY(gp_build_stacks(e));
	else
		AS_TRY(only && g->variant != AS_GP_SYMBOL ? gp_build_append_all(e) : push_each(e));
	return gp_build_findings(e);
}

enum as_code as_gp_build_part(struct as_gp_read *g, bool last)
{
	struct emit e = {.g = g, .order = g->n_stacks};
	size_t size;

	AS_TRY(as_err_memory(e.g->rd->err, as_gp_stacks_close(&g->stacks)));
	g->n_stacks += (uint32_t)g->stacks.row.n;
	size = (2 * g->stacks.pc.n + 1) * sizeof(as_place);
	e.place = as_alloc_new(g->al, size);
	AS_TRY(as_err_memory(e.g->rd->err, e.place));
	memset(e.place, 0xff, size);
	return gp_build_emit_all(&e, last);
}
