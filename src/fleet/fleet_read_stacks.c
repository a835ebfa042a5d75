/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks and frames become nodes and places, once a cost is of them. */
#include "fleet/fleet_read_impl.h"

enum { DEPTH_MAX = 1 << 20, DAY_AND_HOME = sizeof(uint16_t) + sizeof(uint64_t) };

/* ---- rows ---- */

static struct as_fleet_stack *stacks_find(struct as_fleet_read *r, uint64_t id)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&r->stacks_by_id, id, &pos, &i))
		if (r->stack.p[i].id == id)
			return &r->stack.p[i];
	return NULL;
}

static struct as_fleet_frame *stacks_find_frame(struct as_fleet_read *r, uint64_t id)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&r->frames_by_id, id, &pos, &i))
		if (r->frame.p[i].id == id)
			return &r->frame.p[i];
	return NULL;
}

enum as_code as_fleet_read_stacks(struct as_fleet_read *r, struct as_slice answer)
{
	struct as_fleet_cur c = as_fleet_cur_of(answer);

	while (as_fleet_more(&c)) {
		struct as_fleet_stack s = {0};

		(void)as_fleet_take(&c, r->opts.pushed ? DAY_AND_HOME : 0);
		s.id = as_fleet_number(&c, sizeof(s.id));
		s.n = as_fleet_length(&c, sizeof(uint64_t));
		s.frames = as_fleet_take(&c, s.n * sizeof(uint64_t));
		if (c.cut || stacks_find(r, s.id))
			continue;
		if (!as_index_add(&r->stacks_by_id, s.id, (uint32_t)r->stack.n) ||
			!as_vec_push(&r->pool.al, &r->stack, s))
			return as_err_no_memory(r->err);
	}
	return as_fleet_cut(r, &c);
}

/* What a row says of a function. */
struct stacks_row {
	struct as_slice func, system, file, module, buildid, site;
	uint64_t start, entry, line, col, addr;
	unsigned kind;
};

static struct stacks_row stacks_take_row(struct as_fleet_cur *c)
{
	struct stacks_row row;

	row.func = as_fleet_string(c);
	row.system = as_fleet_string(c);
	row.start = as_fleet_number(c, sizeof(row.start));
	row.file = as_fleet_string(c);
	row.entry = as_fleet_number(c, sizeof(row.entry));
	row.module = as_fleet_string(c);
	row.buildid = as_fleet_string(c);
	row.site = as_fleet_string(c);
	row.line = as_fleet_number(c, sizeof(row.line));
	row.col = as_fleet_number(c, sizeof(row.col));
	row.addr = as_fleet_number(c, sizeof(row.addr));
	row.kind = (unsigned)as_fleet_number(c, 1);
	return row;
}

static enum as_code stacks_add_func(
	struct as_fleet_read *r, uint64_t frame, const struct as_fleet_func *func)
{
	struct as_fleet_frame *have = stacks_find_frame(r, frame), fresh = {.id = frame};

	if (!have) {
		if (!as_index_add(&r->frames_by_id, frame, (uint32_t)r->frame.n) ||
			!as_vec_push(&r->pool.al, &r->frame, fresh))
			return as_err_no_memory(r->err);
		have = &r->frame.p[r->frame.n - 1];
	}
	AS_TRY(as_err_memory(r->err, as_vec_push(&r->pool.al, &r->func, *func)));
	r->func.p[r->func.n - 1].next = have->func;
	have->func = (uint32_t)r->func.n;
	return AS_OK;
}

enum as_code as_fleet_read_frames(struct as_fleet_read *r, struct as_slice answer)
{
	struct as_fleet_cur c = as_fleet_cur_of(answer);

	while (as_fleet_more(&c)) {
		struct as_fleet_func func = {0};
		uint64_t frame;

		(void)as_fleet_take(&c, r->opts.pushed ? DAY_AND_HOME : 0);
		frame = as_fleet_number(&c, sizeof(frame));
		func.idx = (uint16_t)as_fleet_number(&c, sizeof(func.idx));
		func.raw.p = (const char *)c.p;
		(void)stacks_take_row(&c);
		func.raw.len = (size_t)((const char *)c.p - func.raw.p);
		func.ver = (uint32_t)as_fleet_number(&c, sizeof(func.ver));
		if (c.cut)
			break;
		if (func.idx >= AS_FLEET_IN_FRAME)
			return as_err_set(r->err, AS_E_FORMAT,
				"the store's answer is damaged: a frame of more than %d functions",
				AS_FLEET_IN_FRAME);
		AS_TRY(stacks_add_func(r, frame, &func));
	}
	return as_fleet_cut(r, &c);
}

/* ---- places ---- */

/* Objects are told apart by the kind of their addresses as well, as merging does it. */
static enum as_code stacks_object(
	struct as_fleet_read *r, const struct stacks_row *from, as_object *out)
{
	struct as_profile *prof = r->b.prof;
	struct as_object_row row = {.addr_kind = from->kind & AS_FRAME_ADDRS};
	uint64_t pos = AS_INDEX_START, hash;

	if (row.addr_kind > AS_ADDR_IMAGE)
		row.addr_kind = AS_ADDR_UNKNOWN;
	AS_TRY(as_build_str(&r->b, from->module, &row.path));
	AS_TRY(as_build_str(&r->b, from->buildid, &row.id));
	out->i = 0;
	if (!row.path.i && !row.id.i && !row.addr_kind)
		return AS_OK;
	hash = as_hash_mix(as_hash_mix(row.path.i, row.id.i), row.addr_kind);
	while (as_index_find(&r->objects, hash, &pos, &out->i)) {
		const struct as_object_row *o = &prof->object.p[out->i];

		if (o->path.i == row.path.i && o->id.i == row.id.i && o->addr_kind == row.addr_kind)
			return AS_OK;
	}
	out->i = (uint32_t)prof->object.n;
	return as_err_memory(r->err, as_vec_push(prof->al, &prof->object, row) &&
					     as_index_add(&r->objects, hash, out->i));
}

static enum as_code stacks_place(
	struct as_fleet_read *r, const struct stacks_row *from, as_place *place)
{
	struct as_func_row f = {.line = from->start};
	struct as_pos pos = {
		.line = from->line, .addr = from->addr, .inlined = from->kind & AS_FRAME_INLINED};
	struct as_place_more more = {.column = from->col, .folded = from->kind & AS_FRAME_FOLDED};

	AS_TRY(as_build_str(&r->b, from->func, &f.name));
	AS_TRY(as_build_str(&r->b, from->system, &f.system));
	AS_TRY(as_build_file(&r->b, from->file, &f.file));
	AS_TRY(stacks_object(r, from, &f.object));
	if (!f.name.i) {
		f.addr = from->entry;
		f.whole = from->kind & AS_FRAME_WHOLE;
	}
	AS_TRY(as_build_func_row(&r->b, &f, &pos.func));
	AS_TRY(as_build_file(&r->b, from->site, &pos.file));
	return as_build_place_more(&r->b, &pos, &more, place);
}

/* A place that says NAME, *PLACE if that is there already. */
static enum as_code stacks_note(struct as_fleet_read *r, const char *name, as_place *place)
{
	struct stacks_row row = {.func = as_slice_of(name)};

	return place->i ? AS_OK : stacks_place(r, &row, place);
}

/* Of those whose outermost function is there: it comes last. */
static uint32_t stacks_newest(const struct as_fleet_read *r, const struct as_fleet_frame *frame)
{
	uint32_t ver = 0;

	for (uint32_t i = frame->func; i; i = r->func.p[i - 1].next)
		if (!r->func.p[i - 1].idx && r->func.p[i - 1].ver > ver)
			ver = r->func.p[i - 1].ver;
	return ver;
}

/* R->newest becomes the functions of FRAME by their place in it, of those that were named last. Of
 * two for a place the one that any order of rows gives; NULL: there is none. */
static bool stacks_sort_funcs(struct as_fleet_read *r, const struct as_fleet_frame *frame)
{
	uint32_t ver = stacks_newest(r, frame);

	r->newest.n = 0;
	for (uint32_t i = frame->func; i; i = r->func.p[i - 1].next)
		if (!as_vec_push(&r->pool.al, &r->newest, NULL))
			return false;
	for (uint32_t i = frame->func; i; i = r->func.p[i - 1].next) {
		const struct as_fleet_func *f = &r->func.p[i - 1], **have;

		if (f->ver != ver || f->idx >= r->newest.n)
			continue;
		have = &r->newest.p[f->idx];
		if (!*have || as_slice_cmp(f->raw, (*have)->raw) < 0)
			*have = f;
	}
	return true;
}

/* The places of FRAME are there then; none: no row says what it is. */
static enum as_code stacks_places(struct as_fleet_read *r, struct as_fleet_frame *frame)
{
	if (frame->n_place)
		return AS_OK;
	frame->place = (uint32_t)r->place.n;
	AS_TRY(as_err_memory(r->err, stacks_sort_funcs(r, frame)));
	for (size_t i = 0; i < r->newest.n && r->newest.p[i]; i++) {
		struct as_fleet_cur c = as_fleet_cur_of(r->newest.p[i]->raw);
		struct stacks_row row = stacks_take_row(&c);
		as_place place;

		AS_TRY(stacks_place(r, &row, &place));
		AS_TRY(as_err_memory(r->err, as_vec_push(&r->pool.al, &r->place, place)));
		frame->n_place++;
	}
	return AS_OK;
}

/* The places of the frame ID, outermost first. */
static enum as_code stacks_frame(
	struct as_fleet_read *r, uint64_t id, const as_place **place, size_t *n)
{
	struct as_fleet_frame *frame = stacks_find_frame(r, id);

	if (frame)
		AS_TRY(stacks_places(r, frame));
	if (frame && frame->n_place) {
		*place = r->place.p + frame->place;
		*n = frame->n_place;
		return AS_OK;
	}
	r->gaps.frames++;
	AS_TRY(stacks_note(r, "[no frame in the store]", &r->no_frame));
	*place = &r->no_frame;
	*n = 1;
	return AS_OK;
}

/* ---- costs ---- */

static uint64_t stacks_id_at(const struct as_fleet_stack *s, size_t i)
{
	struct as_fleet_cur c = {
		s->frames + i * sizeof(uint64_t), s->frames + (i + 1) * sizeof(uint64_t), false};

	return as_fleet_number(&c, sizeof(uint64_t));
}

static enum as_code stacks_node(struct as_fleet_read *r, struct as_fleet_stack *s, as_node *node)
{
	const as_place *place;
	size_t n, depth = 0;

	node->i = s->node ? s->node - 1 : 0;
	if (s->node)
		return AS_OK;
	for (size_t i = s->n; i > 0; i--) {
		AS_TRY(stacks_frame(r, stacks_id_at(s, i - 1), &place, &n));
		depth += n;
		if (depth > DEPTH_MAX)
			return as_err_set(r->err, AS_E_LIMIT,
				"the store has a stack of more than %d functions", DEPTH_MAX);
		for (size_t k = 0; k < n; k++)
			AS_TRY(as_build_push(&r->b, *node, place[k], node));
	}
	s->node = node->i + 1;
	return AS_OK;
}

static enum as_code stacks_sample(
	struct as_fleet_read *r, uint32_t part, as_node node, const as_val *cost)
{
	struct as_moment m = {.time = r->time, .part = part, .node = node};

	for (; r->opts.times && m.event < as_n_events(r->b.prof); m.event++)
		AS_TRY(as_build_moment_of(&r->b, &m, cost[m.event]));
	return as_build_sample(&r->b, part, node, cost);
}

/* A place whose callers nobody recorded: the innermost function that is there. */
static enum as_code stacks_spot(
	struct as_fleet_read *r, const struct as_fleet_stack *s, uint32_t part, const as_val *cost)
{
	const as_place *place;
	struct as_pos pos;
	as_place spot;
	as_node node;
	size_t n;

	AS_TRY(stacks_frame(r, stacks_id_at(s, 0), &place, &n));
	pos = as_place_pos(r->b.prof, place[n - 1]);
	pos.inlined = false;
	if (!r->opts.times)
		return as_build_self(&r->b, part, &pos, cost, as_n_events(r->b.prof));
	AS_TRY(as_build_place(&r->b, &pos, &spot));
	AS_TRY(as_build_push(&r->b, (as_node){0}, spot, &node));
	return stacks_sample(r, part, node, cost);
}

enum as_code as_fleet_cost(struct as_fleet_read *r, uint64_t id, uint32_t part, const as_val *cost)
{
	struct as_fleet_stack *s = stacks_find(r, id);
	as_node node = {0};

	if (s && s->n == 2 && !stacks_id_at(s, 1))
		return stacks_spot(r, s, part, cost);
	if (s) {
		AS_TRY(stacks_node(r, s, &node));
	} else {
		r->gaps.stacks++;
		AS_TRY(stacks_note(r, "[no stack in the store]", &r->no_stack));
		AS_TRY(as_build_push(&r->b, node, r->no_stack, &node));
	}
	return stacks_sample(r, part, node, cost);
}
