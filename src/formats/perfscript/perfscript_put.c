/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From lines of call chains to places, and from samples to sums. A chain's lines come again and
 * again, so each is taken apart once. docs/formats/perfscript.md §3 and §4.
 */
#include "formats/perfscript/perfscript.h"

/* ---- lines ---- */

static uint64_t put_hash(enum ps_kind kind, struct as_slice s)
{
	return as_hash_mix(as_hash_bytes(s.p, s.len), kind);
}

/* S has no blanks around it. */
static bool put_find_text(
	const struct as_ps *ps, enum ps_kind kind, struct as_slice s, uint64_t hash, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&ps->texts, hash, &at, row)) {
		const struct ps_key *key = &ps->key.p[*row];

		if (key->kind == kind && key->len == s.len && memcmp(key->p, s.p, s.len) == 0)
			return true;
	}
	return false;
}

/* Memory is waited for once for all of them: first for where they are looked up, then for what
 * stands there, then for the text. */
void as_ps_expect(const struct as_ps *ps, struct ps_line *line, size_t n)
{
	uint64_t at;
	uint32_t row;

	for (size_t i = 0; i < n; i++) {
		line[i].bare = as_slice_trim(line[i].text);
		line[i].hash = put_hash(PS_FRAME, line[i].bare);
		as_index_expect(&ps->texts, line[i].hash);
	}
	for (size_t i = 0; i < n; i++) {
		at = AS_INDEX_START;
		if (as_index_find(&ps->texts, line[i].hash, &at, &row))
			AS_PREFETCH(&ps->key.p[row]);
	}
	for (size_t i = 0; i < n; i++) {
		at = AS_INDEX_START;
		if (as_index_find(&ps->texts, line[i].hash, &at, &row))
			AS_PREFETCH(ps->key.p[row].p);
	}
}

bool as_ps_is_known(const struct as_ps *ps, const struct ps_line *line, struct ps_link *link)
{
	link->source = PS_NONE;
	if (!put_find_text(ps, PS_FRAME, line->bare, line->hash, &link->text))
		return false;
	link->inlined = ps->key.p[link->text].inlined;
	return true;
}

enum as_code as_ps_intern(struct as_ps *ps, enum ps_kind kind, struct as_slice line, uint32_t *row)
{
	struct as_slice s = as_slice_trim(line);
	struct ps_text one = {.kind = kind};
	struct ps_key key = {.kind = (uint8_t)kind};
	uint64_t hash = put_hash(kind, s);
	bool inlined;

	if (put_find_text(ps, kind, s, hash, row))
		return AS_OK;
	*row = (uint32_t)ps->text.n;
	one.text = as_arena_dup(&ps->arena, s);
	AS_TRY(as_err_memory(ps->rd->err, one.text.p));
	if (kind == PS_SOURCE)
		(void)as_ps_source(one.text, &one.file, &one.number, &inlined);
	else
		(void)as_ps_frame(one.text, &one.frame);
	if (kind == PS_MOVED)
		one.frame.addr = 0;
	key.p = one.text.p;
	key.len = s.len;
	key.inlined = one.frame.inlined;
	return as_err_memory(ps->rd->err, as_vec_push(ps->al, &ps->text, one) &&
						  as_vec_push(ps->al, &ps->key, key) &&
						  as_index_add(&ps->texts, hash, *row));
}

/* ---- places ---- */

/* Kernel code, and what stands for none, is where it says; in files addresses are offsets. */
enum as_addr_kind as_ps_addr_kind(struct as_slice path)
{
	if (as_slice_is(path, "[vdso]"))
		return AS_ADDR_FILE_OFFSET;
	return path.len && path.p[0] != '[' && !as_slice_starts(path, "//") && !as_ps_is_map(path)
		       ? AS_ADDR_FILE_OFFSET
		       : AS_ADDR_ABSOLUTE;
}

static enum as_code perfscript_put_object(struct as_ps *ps, struct as_slice path, as_object *out)
{
	struct as_build *b = ps->rd->out;

	*out = (as_object){0};
	if (!path.len)
		return AS_OK;
	AS_TRY(as_build_object(b, path, as_slice_of(""), out));
	b->prof->object.p[out->i].addr_kind = as_ps_addr_kind(path);
	return AS_OK;
}

/* A place of NAME in the object of AT, whose own name is not asked for. */
static enum as_code perfscript_put_place(struct as_ps *ps, const struct ps_frame *at,
	struct as_slice name, const struct ps_text *source, bool inlined, as_place *out)
{
	struct as_build *b = ps->rd->out;
	struct as_pos pos = {.addr = at->addr, .inlined = inlined};
	as_object object;

	if (!name.len && as_slice_is(at->object, "[unknown]")) {
		name = at->object;
		pos.addr = 0; /* one place for all of them */
	}
	AS_TRY(perfscript_put_object(ps, at->object, &object));
	if (source && source->file.len)
		AS_TRY(as_build_file(b, source->file, &pos.file));
	if (source)
		pos.line = source->number;
	AS_TRY(as_build_func(b, name, object, pos.file, name.len ? 0 : pos.addr, &pos.func));
	return as_build_place(b, &pos, out);
}

static enum as_code put_add(struct as_ps *ps, struct ps_text *t, as_place place)
{
	t->first = t->n ? t->first : (uint32_t)ps->place.n;
	t->n++;
	return as_err_memory(ps->rd->err, as_vec_push(ps->al, &ps->place, place));
}

/* The places of a frame that stands for itself: one, or what a virtual machine has inlined, too. */
static enum as_code perfscript_put_plain(struct as_ps *ps, struct ps_text *t)
{
	struct as_slice rest = t->frame.name, name = rest;
	as_place place;

	if (!as_ps_is_map(t->frame.object) || as_slice_find_text(rest, "->") == rest.len) {
		AS_TRY(perfscript_put_place(ps, &t->frame, name, NULL, false, &place));
		return put_add(ps, t, place);
	}
	while (as_ps_cut_arrow(&rest, &name)) {
		AS_TRY(perfscript_put_place(ps, &t->frame, name, NULL, t->n > 0, &place));
		AS_TRY(put_add(ps, t, place));
	}
	return AS_OK;
}

/* The place of a frame with a line of the source, or inlined into BELOW. */
static enum as_code put_odd(
	struct as_ps *ps, const struct ps_link *link, uint32_t below, as_place *out)
{
	uint64_t hash = as_hash_mix((uint64_t)link->text << 32 | link->source, below);
	struct ps_odd one = {link->text, link->source, below, {0}};
	uint64_t at = AS_INDEX_START;
	struct ps_frame frame = ps->text.p[link->text].frame;
	uint32_t row;

	while (as_index_find(&ps->odds, hash, &at, &row)) {
		const struct ps_odd *odd = &ps->odd.p[row];

		*out = odd->place;
		if (odd->text == one.text && odd->source == one.source && odd->below == below)
			return AS_OK;
	}
	if (below != PS_NONE)
		frame.object = ps->text.p[below].frame.object;
	AS_TRY(perfscript_put_place(ps, &frame, frame.name,
		link->source == PS_NONE ? NULL : &ps->text.p[link->source], below != PS_NONE,
		&one.place));
	*out = one.place;
	row = (uint32_t)ps->odd.n;
	return as_err_memory(ps->rd->err,
		as_vec_push(ps->al, &ps->odd, one) && as_index_add(&ps->odds, hash, row));
}

/* ---- paths ---- */

static enum as_code put_push(struct as_ps *ps, as_place place, as_place *last, as_node *node)
{
	const struct as_profile *prof = ps->rd->out->prof;
	as_object object = prof->func.object.p[prof->place.func.p[place.i].i];

	/* code that nobody knows is one frame, however many there are of it */
	if (place.i == last->i && as_slice_is(as_object_path(prof, object), "[unknown]"))
		return AS_OK;
	*last = place;
	return as_build_push(ps->rd->out, *node, place, node);
}

/* An inlined frame has the address of the code that it is part of, the next one that is none. */
static bool put_is_inlined(const struct as_ps *ps, const struct ps_link *link, uint32_t below)
{
	return link->inlined && below != PS_NONE &&
	       ps->text.p[link->text].frame.addr == ps->text.p[below].frame.addr;
}

static enum as_code put_path(struct as_ps *ps, as_node *node)
{
	as_place last = {0}, place;
	uint32_t below = PS_NONE;

	*node = (as_node){0};
	for (size_t i = ps->chain.n; i-- > 0;) {
		const struct ps_link *link = &ps->chain.p[i];
		bool inlined = put_is_inlined(ps, link, below);
		struct ps_text *t = &ps->text.p[link->text];

		if (!link->inlined)
			below = link->text;
		if (inlined || link->source != PS_NONE) {
			AS_TRY(put_odd(ps, link, inlined ? below : PS_NONE, &place));
			AS_TRY(put_push(ps, place, &last, node));
			continue;
		}
		if (!t->n)
			AS_TRY(perfscript_put_plain(ps, t));
		for (uint32_t k = 0; k < t->n; k++)
			AS_TRY(put_push(ps, ps->place.p[t->first + k], &last, node));
	}
	return AS_OK;
}

/* Whether stack ROW is the chain. */
static bool put_is_chain(const struct as_ps *ps, uint32_t row)
{
	const struct ps_stack *stack = &ps->stack.p[row];

	for (size_t i = 0; i < ps->chain.n; i++)
		if (stack->n != ps->chain.n || ps->id.p[stack->first + i] != ps->chain.p[i].text)
			return false;
	return stack->n == ps->chain.n;
}

/* Stacks come again; what no line of the source makes special is known by its frames. */
static enum as_code put_stack(struct as_ps *ps, as_node *node)
{
	uint64_t hash = ps->chain.n, at = AS_INDEX_START;
	struct ps_stack one = {.first = ps->id.n, .n = (uint32_t)ps->chain.n};
	uint32_t row;

	for (size_t i = 0; i < ps->chain.n; i++) {
		const struct ps_link *link = &ps->chain.p[i];

		if (link->source != PS_NONE || link->inlined != ps->key.p[link->text].inlined)
			return put_path(ps, node);
		hash = as_hash_mix(hash, link->text);
	}
	while (as_index_find(&ps->stacks, hash, &at, &row))
		if (put_is_chain(ps, row)) {
			*node = ps->stack.p[row].node;
			return AS_OK;
		}
	AS_TRY(put_path(ps, node));
	one.node = *node;
	AS_TRY(as_err_memory(ps->rd->err, as_vec_reserve(ps->al, &ps->id, ps->id.n + one.n)));
	for (size_t i = 0; i < ps->chain.n; i++)
		ps->id.p[ps->id.n++] = ps->chain.p[i].text;
	row = (uint32_t)ps->stack.n;
	return as_err_memory(ps->rd->err,
		as_vec_push(ps->al, &ps->stack, one) && as_index_add(&ps->stacks, hash, row));
}

/* ---- samples ---- */

const char *as_ps_unit(struct as_slice event)
{
	return as_slice_starts(event, "cpu-clock") || as_slice_starts(event, "task-clock")
		       ? "nanoseconds"
		       : "count";
}

/* The period of a sample, which may be its event's first. */
static enum as_code put_weight(
	struct as_ps *ps, struct ps_event *ev, as_node node, const struct as_tally_when *when)
{
	const struct ps_head *h = &ps->head;
	const char *unit = as_ps_unit(ev->name);

	if (!h->has_period || ps->counted || !ev->name.len)
		return AS_OK;
	if (ev->weight == PS_NONE)
		AS_TRY(as_tally_event(&ps->tally, ev->name, as_slice_of(unit), &ev->weight));
	return h->period
		       ? as_tally_add(&ps->tally, ps->of_thread, ev->weight, node, h->period, when)
		       : AS_OK;
}

static enum as_code put_count(
	struct as_ps *ps, struct ps_event *ev, as_node node, const struct as_tally_when *when)
{
	struct as_slice name = as_slice_of("samples");

	if (!ps->stands_for)
		return AS_OK;
	if (ev->samples == PS_NONE) {
		if (ev->name.len)
			name = as_arena_printf(&ps->arena, "%.*s samples", AS_SLICE_FMT(ev->name));
		AS_TRY(as_err_memory(ps->rd->err, name.p));
		AS_TRY(as_tally_event(&ps->tally, name, as_slice_of("count"), &ev->samples));
	}
	return as_tally_add(&ps->tally, ps->of_thread, ev->samples, node, ps->stands_for, when);
}

enum as_code as_ps_end_sample(struct as_ps *ps)
{
	struct as_tally_when when = {.time = ps->head.time};
	const struct as_tally_when *known = ps->head.has_time ? &when : NULL;
	struct ps_event *ev;
	as_node node;

	if (!ps->open)
		return AS_OK;
	ps->open = false;
	ev = &ps->event.p[ps->of_event];
	AS_TRY(put_stack(ps, &node));
	AS_TRY(put_weight(ps, ev, node, known));
	AS_TRY(put_count(ps, ev, node, known));
	ps->n_samples++;
	ps->chain.n = 0;
	return AS_OK;
}

/* The builder's events in the order in which the header has them. */
static enum as_code perfscript_put_event(const struct as_ps *ps, uint32_t event)
{
	const struct as_tally_event *ev = &ps->tally.event.p[event];
	uint32_t column;

	return as_build_event(ps->rd->out, ev->name, ev->unit, &column);
}

enum as_code as_ps_put(struct as_ps *ps)
{
	for (size_t i = 0; i < ps->event.n; i++) {
		const struct ps_event *ev = &ps->event.p[i];

		if (ev->weight != PS_NONE)
			AS_TRY(perfscript_put_event(ps, ev->weight));
		if (ev->samples != PS_NONE)
			AS_TRY(perfscript_put_event(ps, ev->samples));
	}
	for (size_t i = 0; i < ps->name.n; i++)
		ps->tally.thread.p[ps->name.p[i].thread].name = ps->name.p[i].name;
	return as_tally_put(&ps->tally);
}
