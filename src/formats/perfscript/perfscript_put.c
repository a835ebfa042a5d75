/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From lines of call chains to places, and from samples to sums. A chain's lines come again and
 * again, so each is taken apart once. docs/formats/perfscript.md §3 and §4.
 */
#include "formats/perfscript/perfscript.h"

/* ---- lines ---- */

/* Sixteen bytes at a time; short lines, and what is left, as others do. */
static uint64_t put_hash(enum ps_kind kind, struct as_slice s)
{
	enum { PAIR = 16 };
	uint64_t h = kind, two[2];

	for (; s.len >= PAIR; s = as_slice_skip(s, PAIR)) {
		memcpy(two, s.p, PAIR);
		h = as_hash_mix(h ^ two[0], two[1]);
	}
	return as_hash_mix(h, as_hash_bytes(s.p, s.len));
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

/* The text is at both ends of what is mostly two lines of the cache. */
static inline void put_expect_text(const struct ps_key *key)
{
	AS_PREFETCH(key->p);
	AS_PREFETCH(key->p + key->len);
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
			put_expect_text(&ps->key.p[row]);
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

static enum as_code put_add(struct as_ps *ps, struct ps_key *key, as_place place)
{
	key->first = key->n ? key->first : (uint32_t)ps->place.n;
	key->n++;
	return as_err_memory(ps->rd->err, as_vec_push(ps->al, &ps->place, place));
}

/* The places of a frame that stands for itself: one, or what a virtual machine has inlined, too. */
static enum as_code perfscript_put_plain(struct as_ps *ps, uint32_t text)
{
	const struct ps_frame *frame = &ps->text.p[text].frame;
	struct ps_key *key = &ps->key.p[text];
	struct as_slice rest = frame->name, name = rest;
	as_place place;

	as_assert(text < ps->text.n);
	if (!as_ps_is_map(frame->object) || as_slice_find_text(rest, "->") == rest.len) {
		AS_TRY(perfscript_put_place(ps, frame, name, NULL, false, &place));
		return put_add(ps, key, place);
	}
	while (as_ps_cut_arrow(&rest, &name)) {
		AS_TRY(perfscript_put_place(ps, frame, name, NULL, key->n > 0, &place));
		AS_TRY(put_add(ps, key, place));
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

/* Whether PLACE, which follows LAST, is one frame with it: code that nobody knows is, however many
 * there are of it; and for sums of functions what is inlined into itself, which calls nobody. */
static bool put_is_same(const struct as_ps *ps, as_place last, as_place place)
{
	const struct as_profile *prof = ps->rd->out->prof;
	const as_func *func = prof->place.func.p;

	if (prof->place.inlined.p[place.i] && as_rd_takes_stacks(ps->rd) &&
		func[last.i].i == func[place.i].i)
		return true;
	return place.i == last.i &&
	       as_slice_is(as_object_path(prof, prof->func.object.p[func[place.i].i]), "[unknown]");
}

/* PLACE is the next one of the path that begins at FIRST. */
static enum as_code perfscript_put_next(struct as_ps *ps, size_t first, as_place place)
{
	size_t n = ps->path.n;

	if (n > first && put_is_same(ps, ps->path.p[n - 1], place))
		return AS_OK;
	return as_err_memory(ps->rd->err, as_vec_push(ps->al, &ps->path, place));
}

/* An inlined frame has the address of the code that it is part of, the next one that is none. */
static bool put_is_inlined(const struct as_ps *ps, const struct ps_link *link, uint32_t below)
{
	return link->inlined && below != PS_NONE &&
	       ps->text.p[link->text].frame.addr == ps->text.p[below].frame.addr;
}

/* The places of the chain, behind those of others. */
static enum as_code put_path(struct as_ps *ps)
{
	size_t first = ps->path.n;
	uint32_t below = PS_NONE;
	as_place place;

	for (size_t i = ps->chain.n; i-- > 0;) {
		const struct ps_link *link = &ps->chain.p[i];
		bool inlined = put_is_inlined(ps, link, below);
		const struct ps_key *key = &ps->key.p[link->text];

		if (!link->inlined)
			below = link->text;
		if (inlined || link->source != PS_NONE) {
			AS_TRY(put_odd(ps, link, inlined ? below : PS_NONE, &place));
			AS_TRY(perfscript_put_next(ps, first, place));
			continue;
		}
		if (!key->n)
			AS_TRY(perfscript_put_plain(ps, link->text));
		for (uint32_t k = 0; k < key->n; k++)
			AS_TRY(perfscript_put_next(ps, first, ps->place.p[key->first + k]));
	}
	return AS_OK;
}

/* ---- stacks ---- */

/* Whether stack ROW is the chain, of the event. */
static bool put_is_chain(const struct as_ps *ps, uint32_t event, uint32_t row)
{
	const struct ps_stack *stack = &ps->stack.p[row];

	as_assert(row < ps->stack.n);
	return stack->n == ps->chain.n && stack->event == event &&
	       (!stack->n || memcmp(ps->link.p + stack->first, ps->chain.p,
				     stack->n * sizeof(*ps->chain.p)) == 0);
}

/* The nodes of the path from FIRST on, which is not needed any more. */
static enum as_code perfscript_put_nodes(struct as_ps *ps, size_t first, as_node *node)
{
	*node = (as_node){0};
	for (size_t i = first; i < ps->path.n; i++)
		AS_TRY(as_build_push(ps->rd->out, *node, ps->path.p[i], node));
	ps->path.n = first;
	return AS_OK;
}

static enum as_code put_new_stack(struct as_ps *ps, uint32_t event, uint64_t hash, uint32_t row)
{
	struct ps_stack one = {.first = ps->link.n,
		.path = ps->path.n,
		.n = (uint32_t)ps->chain.n,
		.event = event};

	AS_TRY(put_path(ps));
	one.n_path = (uint32_t)(ps->path.n - one.path);
	ps->deepest = one.n_path > ps->deepest ? one.n_path : ps->deepest;
	if (!as_rd_takes_stacks(ps->rd))
		AS_TRY(perfscript_put_nodes(ps, one.path, &one.node));
	AS_TRY(as_err_memory(ps->rd->err, as_vec_reserve(ps->al, &ps->link, one.first + one.n)));
	if (one.n)
		memcpy(ps->link.p + one.first, ps->chain.p, one.n * sizeof(*ps->chain.p));
	ps->link.n += one.n;
	return as_err_memory(ps->rd->err,
		as_vec_push(ps->al, &ps->stack, one) && as_index_add(&ps->stacks, hash, row));
}

/* Stacks come again. */
enum as_code as_ps_stack(struct as_ps *ps, uint32_t event, uint32_t *row)
{
	uint64_t hash = as_hash_mix(event, ps->chain.n), at = AS_INDEX_START;

	for (size_t i = 0; i < ps->chain.n; i++) {
		const struct ps_link *link = &ps->chain.p[i];

		hash = as_hash_mix(
			hash, link->text | (uint64_t)(link->source + link->inlined + 1) << 32);
	}
	while (as_index_find(&ps->stacks, hash, &at, row))
		if (put_is_chain(ps, event, *row))
			return AS_OK;
	*row = (uint32_t)ps->stack.n;
	return put_new_stack(ps, event, hash, *row);
}

/* ---- samples ---- */

const char *as_ps_unit(struct as_slice event)
{
	return as_slice_starts(event, "cpu-clock") || as_slice_starts(event, "task-clock") ||
			       as_slice_is(event, AS_OFF_CPU)
		       ? "nanoseconds"
		       : "count";
}

/* VALUE of EVENT, the tally's; *SUM is what the stack has of it. */
static enum as_code put_cost(
	struct as_ps *ps, uint32_t event, const struct ps_stack *stack, as_val *sum, uint64_t value)
{
	struct as_tally_when when = {.time = ps->head.time};
	bool has = ps->head.has_time;

	if (!as_rd_takes_stacks(ps->rd))
		return as_tally_add(
			&ps->tally, ps->of_thread, event, stack->node, value, has ? &when : NULL);
	*sum += value;
	if (!has)
		return AS_OK;
	ps->begins = !ps->n_moments || when.time < ps->begins ? when.time : ps->begins;
	ps->ends = !ps->n_moments || when.time > ps->ends ? when.time : ps->ends;
	ps->n_moments++;
	return AS_OK;
}

/* The period of a sample, which may be its event's first. */
static enum as_code put_weight(struct as_ps *ps, struct ps_event *ev, struct ps_stack *stack)
{
	const struct ps_head *h = &ps->head;
	const char *unit = as_ps_unit(ev->name);

	if (!h->has_period || ps->counted || !ev->name.len)
		return AS_OK;
	if (ev->weight == PS_NONE)
		AS_TRY(as_tally_event(&ps->tally, ev->name, as_slice_of(unit), &ev->weight));
	return h->period ? put_cost(ps, ev->weight, stack, &stack->weight, h->period) : AS_OK;
}

static enum as_code put_count(struct as_ps *ps, struct ps_event *ev, struct ps_stack *stack)
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
	return put_cost(ps, ev->samples, stack, &stack->count, ps->stands_for);
}

enum as_code as_ps_end_sample(struct as_ps *ps)
{
	struct ps_event *ev;
	struct ps_stack *stack;
	uint32_t row;

	if (!ps->open)
		return AS_OK;
	ps->open = false;
	if (ps->event.p[ps->of_event].role != PS_COUNTS)
		AS_TRY(as_ps_switch_sample(ps, ps->event.p[ps->of_event].role));
	ev = &ps->event.p[ps->of_event];
	AS_TRY(as_ps_stack(ps, ps->of_event, &row));
	stack = &ps->stack.p[row];
	if (ev->role != PS_OFF) {
		AS_TRY(put_weight(ps, ev, stack));
		AS_TRY(put_count(ps, ev, stack));
	}
	ps->n_samples++;
	ps->chain.n = 0;
	return AS_OK;
}

/* ---- all of it ---- */

/* The builder's column of EVENT, the tally's, if it has one. */
static enum as_code perfscript_put_event(const struct as_ps *ps, uint32_t event, uint32_t *column)
{
	const struct as_tally_event *ev;

	*column = AS_STACK_NO_EVENT;
	if (event == PS_NONE)
		return AS_OK;
	ev = &ps->tally.event.p[event];
	return as_build_event(ps->rd->out, ev->name, ev->unit, column);
}

/* The builder's events in the order in which the header has them, but for what threads did not run,
 * which is behind them; and kinds of stacks. */
static enum as_code put_events(struct as_ps *ps, bool stacks)
{
	uint32_t weight, samples;

	for (size_t i = 0; i < ps->event.n; i++) {
		if (i == ps->off_event)
			continue;
		AS_TRY(perfscript_put_event(ps, ps->event.p[i].weight, &weight));
		AS_TRY(perfscript_put_event(ps, ps->event.p[i].samples, &samples));
	}
	for (size_t i = 0; i < ps->event.n; i++) {

		AS_TRY(perfscript_put_event(ps, ps->event.p[i].weight, &weight));
		AS_TRY(perfscript_put_event(ps, ps->event.p[i].samples, &samples));
		if (stacks)
			AS_TRY(as_err_memory(ps->rd->err,
				as_stacks_kind(&ps->rd->out->prof->stacks, weight, samples)));
	}
	return AS_OK;
}

/* Whether all stacks are such as a profile can have. */
static bool put_fits(const struct as_ps *ps)
{
	for (size_t i = 0; i < ps->stack.n; i++)
		if (ps->stack.p[i].weight > UINT64_MAX || ps->stack.p[i].count > UINT32_MAX)
			return false;
	return ps->deepest <= AS_STACKS_DEEPEST;
}

static enum as_code put_stacks(struct as_ps *ps)
{
	for (size_t i = 0; i < ps->stack.n; i++) {
		const struct ps_stack *s = &ps->stack.p[i];

		if (s->weight || s->count)
			AS_TRY(as_err_memory(
				ps->rd->err, as_stacks_add(&ps->rd->out->prof->stacks, s->event,
						     as_at(ps->path.p, s->path), s->n_path,
						     (uint64_t)s->weight, (uint32_t)s->count)));
	}
	return AS_OK;
}

/* What does not fit stacks becomes paths; whose they are is known no more, and not asked for. */
static enum as_code perfscript_put_paths(struct as_ps *ps)
{
	for (size_t i = 0; i < ps->stack.n; i++) {
		const struct ps_stack *s = &ps->stack.p[i];
		const struct ps_event *ev = &ps->event.p[s->event];
		as_node node = {0};

		for (uint32_t k = 0; k < s->n_path; k++)
			AS_TRY(as_build_push(ps->rd->out, node, ps->path.p[s->path + k], &node));
		if (s->weight)
			AS_TRY(as_tally_add(&ps->tally, 0, ev->weight, node, s->weight, NULL));
		if (s->count)
			AS_TRY(as_tally_add(&ps->tally, 0, ev->samples, node, s->count, NULL));
	}
	return AS_OK;
}

enum as_code as_ps_put(struct as_ps *ps)
{
	bool wanted = as_rd_takes_stacks(ps->rd), stacks = wanted && put_fits(ps);

	AS_TRY(put_events(ps, stacks));
	for (size_t i = 0; i < ps->name.n; i++)
		ps->tally.thread.p[ps->name.p[i].thread].name = ps->name.p[i].name;
	as_tally_span(&ps->tally, ps->n_moments, ps->begins, ps->ends);
	if (wanted)
		AS_TRY(stacks ? put_stacks(ps) : perfscript_put_paths(ps));
	return as_tally_put(&ps->tally);
}
