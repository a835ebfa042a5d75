/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From lines of call chains to places, and from samples to sums. A chain's lines come again and
 * again, so each is taken apart once. docs/formats/perfscript.md §3 and §4.
 */
#include "formats/perfscript/perfscript.h"

/* ---- lines ---- */

enum as_code as_ps_intern(struct as_ps *ps, enum ps_kind kind, struct as_slice line, uint32_t *row)
{
	struct as_slice s = as_slice_trim(line);
	uint64_t hash = as_hash_mix(as_hash_bytes(s.p, s.len), kind), at = AS_INDEX_START;
	struct ps_text one = {.kind = kind};
	bool inlined;

	while (as_index_find(&ps->texts, hash, &at, row))
		if (ps->text.p[*row].kind == kind && as_slice_eq(ps->text.p[*row].text, s))
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
	if (!as_vec_push(ps->al, &ps->text, one) || !as_index_add(&ps->texts, hash, *row))
		return as_err_no_memory(ps->rd->err);
	return AS_OK;
}

/* ---- places ---- */

/* Kernel code, and what stands for none, is where it says; in files addresses are offsets. */
static enum as_code perfscript_put_object(struct as_ps *ps, struct as_slice path, as_object *out)
{
	struct as_build *b = ps->rd->out;
	bool offsets =
		path.len && path.p[0] != '[' && !as_slice_starts(path, "//") && !as_ps_is_map(path);

	*out = (as_object){0};
	if (!path.len)
		return AS_OK;
	AS_TRY(as_build_object(b, path, as_slice_of(""), out));
	b->prof->object.p[out->i].addr_kind = offsets ? AS_ADDR_FILE_OFFSET : AS_ADDR_ABSOLUTE;
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

/* ---- samples ---- */

static enum as_code put_sum(struct as_ps *ps, as_node node, uint32_t *row)
{
	struct ps_sum one = {.part = ps->of_thread, .event = ps->of_event, .node = node};
	uint64_t hash = as_hash_mix(node.i, (uint64_t)one.part << 32 | one.event);
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&ps->sums, hash, &at, row)) {
		const struct ps_sum *s = &ps->sum.p[*row];

		if (s->node.i == node.i && s->part == one.part && s->event == one.event)
			return AS_OK;
	}
	*row = (uint32_t)ps->sum.n;
	return as_err_memory(ps->rd->err,
		as_vec_push(ps->al, &ps->sum, one) && as_index_add(&ps->sums, hash, *row));
}

static enum as_code put_moment(struct as_ps *ps, uint32_t sum)
{
	const struct ps_head *h = &ps->head;
	struct ps_moment m = {.time = h->time, .weight = h->period, .sum = sum};
	struct as_build *b = ps->rd->out;

	if (!h->has_time) {
		ps->n_timeless++;
		return AS_OK;
	}
	if (!ps->has_time || h->time < ps->first_time)
		ps->first_time = h->time;
	if (!ps->has_time || h->time > ps->last_time)
		ps->last_time = h->time;
	ps->has_time = true;
	if (b->keep_moments && h->period <= INT64_MAX)
		return as_err_memory(ps->rd->err, as_vec_push(ps->al, &ps->moment, m));
	b->prof->moments.left += UINT64_C(1) + (h->period > 0);
	return AS_OK;
}

enum as_code as_ps_end_sample(struct as_ps *ps)
{
	as_node node;
	uint32_t row;

	if (!ps->open)
		return AS_OK;
	ps->open = false;
	AS_TRY(put_path(ps, &node));
	AS_TRY(put_sum(ps, node, &row));
	ps->sum.p[row].n++;
	ps->sum.p[row].weight += ps->head.period;
	ps->event.p[ps->of_event].weighs |= ps->head.has_period;
	ps->n_samples++;
	ps->chain.n = 0;
	return put_moment(ps, row);
}

/* ---- all of it ---- */

static bool put_is_clock(struct as_slice name)
{
	return as_slice_starts(name, "cpu-clock") || as_slice_starts(name, "task-clock");
}

static enum as_code put_events(struct as_ps *ps)
{
	struct as_build *b = ps->rd->out;

	for (size_t i = 0; i < ps->event.n; i++) {
		struct ps_event *ev = &ps->event.p[i];
		struct as_slice count = as_slice_of("samples");

		ev->weight = PS_NONE;
		if (ev->name.len && ev->weighs)
			AS_TRY(as_build_event(b, ev->name,
				as_slice_of(put_is_clock(ev->name) ? "nanoseconds" : "count"),
				&ev->weight));
		if (ev->name.len)
			count = as_arena_printf(&ps->arena, "%.*s samples", AS_SLICE_FMT(ev->name));
		AS_TRY(as_err_memory(ps->rd->err, count.p));
		AS_TRY(as_build_event(b, count, as_slice_of("count"), &ev->samples));
	}
	if (ps->rd->lim.events && as_n_events(b->prof) > ps->rd->lim.events)
		return as_rd_fail(ps->rd, AS_E_LIMIT, AS_OFF_NONE, 0,
			"%" PRIu32 " events; the limit is %" PRIu64, as_n_events(b->prof),
			ps->rd->lim.events);
	return AS_OK;
}

/* First threads, by the number of their process. */
static enum as_code put_firsts(struct as_ps *ps)
{
	for (size_t i = 0; i < ps->thread.n; i++) {
		const struct ps_thread *t = &ps->thread.p[i];

		if (t->has_pid && t->has_tid && t->pid == t->tid)
			AS_TRY(as_err_memory(ps->rd->err,
				as_index_add(&ps->firsts, as_hash_mix(t->pid, 1), (uint32_t)i)));
	}
	return AS_OK;
}

/* The name of a process is that of its first thread, if that has samples. */
static struct as_slice put_process(const struct as_ps *ps, const struct ps_thread *t)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (t->has_pid && as_index_find(&ps->firsts, as_hash_mix(t->pid, 1), &at, &row))
		if (ps->thread.p[row].pid == t->pid)
			return ps->thread.p[row].comm;
	return t->comm;
}

static enum as_code put_part(struct as_ps *ps, const struct ps_thread *t)
{
	struct as_build *b = ps->rd->out;
	struct as_slice process = put_process(ps, t);
	uint32_t row, n = as_n_events(b->prof), *list;
	struct as_label label = {.number = 0};
	struct as_part *part;

	AS_TRY(as_rd_part(ps->rd, "perfscript", &row));
	AS_TRY(as_err_memory(ps->rd->err, as_alloc_array(ps->al, &list, n)));
	for (uint32_t i = 0; i < n; i++)
		list[i] = i;
	AS_TRY(as_build_part_events(b, row, list, n));
	part = &b->prof->part.p[row];
	part->pid = t->pid;
	part->tid = t->tid;
	part->has_pid = t->has_pid;
	part->has_tid = t->has_tid && !t->several;
	if (!t->comm.len)
		return AS_OK;
	AS_TRY(as_build_str(b, t->comm, &part->thread));
	AS_TRY(as_build_str(b, process, &part->command));
	AS_TRY(as_build_str(b, as_slice_of("process"), &label.key));
	AS_TRY(as_build_str(b, process, &label.text));
	return as_build_part_labels(b, row, &label, 1);
}

static enum as_code perfscript_put_samples(struct as_ps *ps)
{
	uint32_t e = as_n_events(ps->rd->out->prof);
	as_val *cost;

	AS_TRY(as_err_memory(ps->rd->err, as_alloc_array(ps->al, &cost, e)));
	for (size_t i = 0; i < ps->sum.n; i++) {
		const struct ps_sum *s = &ps->sum.p[i];
		const struct ps_event *ev = &ps->event.p[s->event];

		memset(cost, 0, e * sizeof(*cost));
		cost[ev->samples] = s->n;
		if (ev->weight != PS_NONE)
			cost[ev->weight] = s->weight;
		AS_TRY(as_build_sample(ps->rd->out, s->part, s->node, cost));
	}
	return AS_OK;
}

static enum as_code put_moments(struct as_ps *ps)
{
	for (size_t i = 0; i < ps->moment.n; i++) {
		const struct ps_sum *s = &ps->sum.p[ps->moment.p[i].sum];
		const struct ps_event *ev = &ps->event.p[s->event];
		struct as_moment m = {.time = ps->moment.p[i].time,
			.value = 1,
			.part = s->part,
			.event = ev->samples,
			.node = s->node};

		AS_TRY(as_build_moment(ps->rd->out, &m));
		m.value = (int64_t)ps->moment.p[i].weight;
		m.event = ev->weight;
		if (m.value && ev->weight != PS_NONE)
			AS_TRY(as_build_moment(ps->rd->out, &m));
	}
	return AS_OK;
}

enum as_code as_ps_put(struct as_ps *ps)
{
	struct as_profile *prof = ps->rd->out->prof;

	AS_TRY(put_events(ps));
	AS_TRY(put_firsts(ps));
	for (size_t i = 0; i < ps->thread.n; i++)
		AS_TRY(put_part(ps, &ps->thread.p[i]));
	AS_TRY(perfscript_put_samples(ps));
	AS_TRY(put_moments(ps));
	if (ps->has_time)
		prof->duration = ps->last_time - ps->first_time;
	return AS_OK;
}
