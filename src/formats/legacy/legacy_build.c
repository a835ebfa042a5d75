/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From distinct stacks to the tree of paths: addresses become places, stacks are brought into the
 * order of the tree, and what two neighbours have in common is there already.
 */
#include "formats/legacy/legacy.h"

enum { LG_AHEAD = 12 }; /* rows asked for before they are needed */

/* A stack's frames become words here: places, the innermost first. */
struct legacy_emit {
	struct as_lg_read *l;
	AS_VEC(uint32_t) id;    /* for each stack LG_END, then its places */
	AS_VEC(uint32_t) place; /* of each address, and of it as the innermost one; 0 = unset */
	AS_VEC(as_place) path;  /* of the stack that is put, the outermost first */
	struct as_stack_item *item;
};

/* ---- places ---- */

/* Where the code of PC is: a call is before the address that it returns to. */
static uint64_t emit_adjust(const struct as_lg_read *l, uint64_t pc, bool leaf)
{
	return pc - !(l->java || (leaf && l->keep_leaf));
}

/* Nothing can be subtracted from these, or they would be something else. */
static bool emit_is_null(const struct as_lg_read *l, uint64_t pc, bool leaf)
{
	return !l->java && (pc == 0 || emit_adjust(l, pc, leaf) == 0);
}

static enum as_code emit_null(struct as_lg_read *l, uint64_t pc, struct as_pos *pos)
{
	struct as_build *b = l->rd->out;
	as_object object;

	AS_TRY(as_build_object(b, as_slice_of(AS_MAP_NULL), (struct as_slice){NULL, 0}, &object));
	b->prof->object.p[object.i].addr_kind = AS_ADDR_ABSOLUTE;
	pos->addr = pc;
	return as_build_func(b, as_slice_of(""), object, (as_file){0}, pc, &pos->func);
}

/* ADDR in its object. Ids of Java's are no addresses. */
static as_object emit_object(struct legacy_emit *e, uint64_t addr, uint64_t *offset)
{
	struct as_lg_maps *m = &e->l->maps;
	uint32_t map = e->l->java ? AS_ADDR_NOWHERE : as_addr_ranges_find(&m->ranges, addr);
	as_object object = {0};

	*offset = addr;
	if (map == AS_ADDR_NOWHERE)
		return object;
	object = m->object.p[map];
	if (e->l->rd->out->prof->object.p[object.i].addr_kind != AS_ADDR_ABSOLUTE)
		*offset = addr - m->line.p[map].start + m->line.p[map].offset;
	return object;
}

static enum as_code emit_named(
	struct legacy_emit *e, const struct as_lg_frame *frame, uint64_t addr, as_place *place)
{
	struct as_build *b = e->l->rd->out;
	struct as_pos pos = {.line = frame->line, .inlined = frame->inlined};
	as_object object = emit_object(e, addr, &pos.addr);

	if (frame->object.len)
		AS_TRY(as_build_object(b, frame->object, (struct as_slice){NULL, 0}, &object));
	if (e->l->java)
		pos.addr = 0;
	AS_TRY(as_build_file(b, frame->file, &pos.file));
	AS_TRY(as_build_func(b, frame->func, object, pos.file, 0, &pos.func));
	return as_build_place(b, &pos, place);
}

static enum as_code emit_nameless(struct legacy_emit *e, uint64_t pc, bool leaf, as_place *place)
{
	struct as_build *b = e->l->rd->out;
	struct as_pos pos = {0};

	if (emit_is_null(e->l, pc, leaf)) {
		AS_TRY(emit_null(e->l, pc, &pos));
	} else {
		as_object object = emit_object(e, emit_adjust(e->l, pc, leaf), &pos.addr);

		AS_TRY(as_build_func(
			b, as_slice_of(""), object, (as_file){0}, pos.addr, &pos.func));
	}
	return as_build_place(b, &pos, place);
}

/* ---- stacks in places ---- */

static enum as_code emit_push(struct legacy_emit *e, as_place place)
{
	return as_err_memory(e->l->rd->err, as_vec_push(e->l->stacks.al, &e->id, place.i));
}

/* The frames of address number ID, its place kept for the next time if it has but one. *INNER is
 * where the code is that was inlined into the first of them; 0 = none was. */
static enum as_code emit_frames(struct legacy_emit *e, uint32_t id, bool leaf, uint64_t *inner)
{
	struct as_lg_read *l = e->l;
	uint64_t pc = l->stacks.pc.p[id], addr = emit_adjust(l, pc, leaf);
	const struct as_lg_named *name = as_lg_names_find(&l->names, addr);
	uint32_t *kept = &e->place.p[2 * (size_t)id + leaf];
	bool own = !*inner;
	as_place place;

	if (!own)
		addr = *inner;
	*inner = 0;
	for (uint32_t i = 0; name && i < name->n; i++) {
		const struct as_lg_frame *frame = &l->names.frame.p[name->first + i];

		AS_TRY(emit_named(e, frame, addr, &place));
		AS_TRY(emit_push(e, place));
		*inner = frame->inlined ? addr : 0;
		if (name->n == 1 && !frame->inlined && own)
			*kept = place.i;
	}
	if (name)
		return AS_OK;
	AS_TRY(emit_nameless(e, pc, leaf, &place));
	*kept = place.i;
	return emit_push(e, place);
}

static enum as_code emit_stack(struct legacy_emit *e, size_t i)
{
	const struct as_lg_stacks *st = &e->l->stacks;
	const struct as_lg_stack *s = &st->row.p[i];
	uint64_t inner = 0;

	AS_TRY(emit_push(e, (as_place){LG_END}));
	for (uint32_t k = 0; k < s->depth; k++) {
		uint32_t id = st->id.p[s->first + k];
		uint32_t kept = e->place.p[2 * (size_t)id + (k == 0)];

		if (kept && !inner)
			AS_TRY(emit_push(e, (as_place){kept}));
		else
			AS_TRY(emit_frames(e, id, k == 0, &inner));
	}
	e->item[i] = (struct as_stack_item){0, (uint32_t)e->id.n - 1, (uint32_t)i};
	return AS_OK;
}

static enum as_code emit_begin(struct legacy_emit *e)
{
	const struct as_lg_stacks *st = &e->l->stacks;
	size_t n = 2 * st->pc.n;

	AS_TRY(as_err_memory(e->l->rd->err, as_vec_reserve(st->al, &e->place, n + 1)));
	memset(e->place.p, 0, n * sizeof(*e->place.p));
	return AS_OK;
}

static enum as_code emit_stacks(struct legacy_emit *e)
{
	const struct as_lg_stacks *st = &e->l->stacks;

	AS_TRY(as_err_memory(e->l->rd->err, as_alloc_array(st->al, &e->item, st->row.n + 1)));
	for (size_t i = 0; i < st->row.n; i++)
		AS_TRY(emit_stack(e, i));
	if (e->id.n >= LG_END)
		return as_err_set(e->l->rd->err, AS_E_LIMIT, "more than 2^32 frames");
	AS_TRY(emit_push(e, (as_place){LG_END}));
	as_stack_order((struct as_stack_words){e->id.p, -1, 1}, e->item, st->row.n);
	return AS_OK;
}

/* ---- the tree ---- */

static const uint64_t *emit_values(const struct as_lg_read *l, uint32_t row)
{
	return l->stacks.value.p + (size_t)row * l->n_columns;
}

static bool emit_is_zero(const struct as_lg_read *l, uint32_t row)
{
	const uint64_t *value = emit_values(l, row);
	uint32_t k = 0;

	while (k < l->n_columns && !value[k])
		k++;
	return k == l->n_columns;
}

/* The columns of ROW in the order of the events. */
static enum as_code emit_sample(struct legacy_emit *e, uint32_t row, as_node node)
{
	const struct as_lg_read *l = e->l;
	const uint64_t *value = emit_values(l, row);
	as_val cost[LG_COLUMNS];

	for (uint32_t k = 0; k < l->n_columns; k++)
		cost[l->event[k]] = (as_val)value[k];
	l->rd->out->order = row;
	return as_build_sample(l->rd->out, l->stacks.row.p[row].part, node, cost);
}

static enum as_code emit_tree(struct legacy_emit *e)
{
	struct as_stack_tree tree = {.b = e->l->rd->out,
		.al = e->l->stacks.al,
		.words = {e->id.p, -1, 1},
		.before = e->id.p}; /* LG_END */
	as_node node;

	for (size_t i = 0, n = e->l->stacks.row.n; i < n; i++) {
		if (i + LG_AHEAD < n) {
			AS_PREFETCH(emit_values(e->l, e->item[i + LG_AHEAD].row));
			AS_PREFETCH(e->id.p + e->item[i + LG_AHEAD].root);
		}
		if (emit_is_zero(e->l, e->item[i].row))
			continue;
		AS_TRY(as_stack_node(&tree, e->id.p + e->item[i].root, &node));
		AS_TRY(emit_sample(e, e->item[i].row, node));
	}
	e->l->rd->out->depth_first = true;
	return AS_OK;
}

/* ---- stacks as they are, for who makes sums of them when code has names ---- */

/* Whether none has a name and none is too deep. */
static bool emit_takes_stacks(const struct as_lg_read *l)
{
	if (!as_rd_takes_stacks(l->rd) || l->names.row.n)
		return false;
	for (size_t i = 0; i < l->stacks.row.n; i++)
		if (l->stacks.row.p[i].depth > AS_STACKS_DEEPEST)
			return false;
	return true;
}

static enum as_code emit_wide(struct legacy_emit *e, uint32_t row)
{
	const struct as_lg_read *l = e->l;
	const struct as_lg_stacks *st = &l->stacks;
	const uint32_t *id = st->id.p + st->row.p[row].first, n = st->row.p[row].depth;
	const uint64_t *value = emit_values(l, row);
	uint64_t cost[LG_COLUMNS];

	AS_TRY(as_err_memory(l->rd->err, as_vec_reserve(st->al, &e->path, n)));
	for (uint32_t k = 0; k < n; k++) {
		uint32_t *kept = &e->place.p[2 * (size_t)id[k] + (k == 0)];
		as_place *place = &e->path.p[n - 1 - k];

		if (AS_UNLIKELY(!*kept)) {
			AS_TRY(emit_nameless(e, st->pc.p[id[k]], k == 0, place));
			*kept = place->i;
		}
		place->i = *kept;
	}
	for (uint32_t k = 0; k < l->n_columns; k++)
		cost[l->event[k]] = value[k];
	return as_err_memory(
		l->rd->err, as_stacks_add_wide(&l->rd->out->prof->stacks, e->path.p, n, cost));
}

static enum as_code emit_wides(struct legacy_emit *e)
{
	const struct as_lg_read *l = e->l;

	AS_TRY(as_err_memory(l->rd->err, as_stacks_widen(&l->rd->out->prof->stacks, l->n_columns)));
	for (size_t i = 0; i < l->stacks.row.n; i++)
		if (!emit_is_zero(l, (uint32_t)i))
			AS_TRY(emit_wide(e, (uint32_t)i));
	return AS_OK;
}

/* ---- what is odd about addresses ---- */

static enum as_code emit_findings(const struct as_lg_read *l)
{
	size_t n = l->stacks.pc.n, unmapped = 0;

	if (l->java || !n)
		return AS_OK;
	if (!l->maps.ranges.row.n)
		return as_rd_find(l->rd, AS_F_LG_NO_MAPS, AS_OFF_NONE, 0,
			"no executable mapping is listed: addresses stay absolute");
	for (size_t i = 0; i < n; i++)
		unmapped += as_addr_ranges_find(&l->maps.ranges,
				    emit_adjust(l, l->stacks.pc.p[i], false)) == AS_ADDR_NOWHERE;
	if (!unmapped)
		return AS_OK;
	return as_rd_find(l->rd, AS_F_LG_UNMAPPED, AS_OFF_NONE, 0,
		"%zu of %zu address%s %s in no executable mapping of a file", unmapped, n,
		n == 1 ? "" : "es", unmapped == 1 ? "lies" : "lie");
}

enum as_code as_lg_build(struct as_lg_read *l)
{
	struct legacy_emit e = {.l = l};

	AS_TRY(as_lg_maps_build(l));
	AS_TRY(emit_begin(&e));
	if (emit_takes_stacks(l)) {
		AS_TRY(emit_wides(&e));
	} else {
		AS_TRY(emit_stacks(&e));
		AS_TRY(emit_tree(&e));
	}
	return emit_findings(l);
}
