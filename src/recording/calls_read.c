/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "recording/calls_read.h"

#include "base/pool.h"
#include "recording/calls_layout.h"

#define CALLS_LONGEST (INT64_MAX / 2) /* ns: longer than anything has run */

struct calls_map {
	uint64_t start, end, offset;
	as_object object;
};

struct calls_file {
	struct as_build *b;
	const struct as_alloc *al; /* a pool's */
	struct as_calls_told *told;
	struct as_calls_head *head;
	uint8_t *bytes;
	AS_VEC(struct as_calls_block *) block;
	AS_VEC(struct calls_map) map;
	uint64_t end;       /* when the counting ended */
	uint64_t ns, ticks; /* a time in ticks times the first by the second are ns */
};

/* ---- blocks ---- */

static bool calls_find_blocks(struct calls_file *f, size_t size)
{
	size_t at = AS_CALLS_PAGE;

	while (size - at >= sizeof(struct as_calls_block)) {
		struct as_calls_block *b = (void *)(f->bytes + at);

		if (!b->kind)
			return true; /* room for it is all that there was */
		if (b->kind > AS_CALLS_MAPS || b->bytes < sizeof(*b) || b->bytes > size - at ||
			b->bytes % AS_CALLS_PAGE || b->used > b->bytes - sizeof(*b)) {
			f->told->damaged = true;
			return true;
		}
		if (!as_vec_push(f->al, &f->block, b))
			return false;
		at += b->bytes;
	}
	return true;
}

/* The bytes at P of the program; NULL: they are in no block of that kind. */
static void *calls_at(
	const struct calls_file *f, enum as_calls_kind kind, const void *p, size_t size)
{
	uint64_t addr = (uint64_t)(uintptr_t)p;

	for (size_t i = 0; i < f->block.n; i++) {
		struct as_calls_block *b = f->block.p[i];
		uint64_t from = addr - b->base;

		if (b->kind == kind && from >= sizeof(*b) && from <= b->bytes - size &&
			(from - sizeof(*b)) % size == 0)
			return (uint8_t *)b + from;
	}
	return NULL;
}

/* ---- where code is ---- */

static enum as_code calls_add_map(struct calls_file *f, struct as_slice line)
{
	struct as_slice word[4];
	struct as_map map = {.exec = true};
	struct calls_map m;
	bool ok = true;

	for (int i = 0; i < 4; i++)
		ok &= as_slice_cut(&line, ' ', &word[i]);
	if (!ok || !as_slice_hex(word[0], &m.start) || !as_slice_hex(word[1], &m.end) ||
		!as_slice_hex(word[2], &m.offset) || m.end <= m.start) {
		f->told->damaged = true;
		return AS_OK;
	}
	AS_TRY(as_build_object(f->b, line, word[3], &m.object));
	f->b->prof->object.p[m.object.i].addr_kind = AS_ADDR_FILE_OFFSET;
	map.start = m.start;
	map.limit = m.end;
	map.offset = m.offset;
	map.object = m.object;
	map.part = f->b->whole;
	AS_TRY(as_build_map(f->b, &map));
	return as_vec_push(f->al, &f->map, m) ? AS_OK : AS_E_NOMEM;
}

static enum as_code calls_add_maps(struct calls_file *f)
{
	for (size_t i = 0; i < f->block.n; i++) {
		const struct as_calls_block *b = f->block.p[i];
		struct as_slice text = {(const char *)(b + 1), b->used}, line;

		while (b->kind == AS_CALLS_MAPS && as_slice_line(&text, false, &line))
			AS_TRY(calls_add_map(f, line));
	}
	return AS_OK;
}

/* The last one that was there: libraries come and go. */
static const struct calls_map *calls_map_of(struct calls_file *f, uint64_t addr)
{
	const struct calls_map *found = NULL;
	uint64_t line = (addr & ~AS_CALLS_GONE) >> AS_CALLS_GONE_BITS;

	if (addr & AS_CALLS_GONE)
		return line < f->map.n ? &f->map.p[line] : NULL;
	for (size_t i = f->map.n; i-- > 0;) {
		const struct calls_map *m = &f->map.p[i];

		if (addr - m->start >= m->end - m->start)
			continue;
		if (found && found->object.i != m->object.i) {
			f->told->unsure++;
			break;
		}
		found = found ? found : m;
	}
	return found;
}

static enum as_code calls_read_push(struct calls_file *f, uint64_t addr, as_node *node)
{
	const struct calls_map *m = calls_map_of(f, addr);
	uint64_t within = (UINT64_C(1) << AS_CALLS_GONE_BITS) - 1;
	struct as_pos pos = {.addr = addr};
	as_object o = {0};
	as_place place;

	if (m) {
		o = m->object;
		pos.addr = m->offset + (addr & AS_CALLS_GONE ? addr & within : addr - m->start);
	}
	AS_TRY(as_build_func(f->b, as_slice_of(""), o, pos.file, pos.addr, &pos.func));
	AS_TRY(as_build_place(f->b, &pos, &place));
	return as_build_push(f->b, *node, place, node);
}

/* ---- threads ---- */

static struct as_calls_thread_row *calls_thread(struct as_calls_block *b)
{
	return (void *)(b + 1);
}

/* The frames that THREAD has open, the first one of which is none; the top one's number. */
static struct as_calls_frame *calls_stack(
	const struct calls_file *f, const struct as_calls_block *thread, uint64_t *top)
{
	struct as_calls_block *last = NULL;
	uint64_t at = (uint64_t)(uintptr_t)calls_thread((void *)(uintptr_t)thread)->top;

	for (size_t i = 0; i < f->block.n; i++)
		if (f->block.p[i]->kind == AS_CALLS_STACK &&
			f->block.p[i]->thread == thread->thread)
			last = f->block.p[i];
	*top = 0;
	if (!last)
		return NULL;
	at -= last->base + sizeof(*last);
	if (at / sizeof(struct as_calls_frame) <
		(last->bytes - sizeof(*last)) / sizeof(struct as_calls_frame))
		*top = at / sizeof(struct as_calls_frame);
	return (void *)(last + 1);
}

/* A process that did not end as usual counted at least until then. */
static void calls_find_end(struct calls_file *f)
{
	f->end = f->head->last_tsc;
	for (size_t i = 0; i < f->block.n; i++) {
		struct as_calls_frame *frame;
		uint64_t top;

		if (f->block.p[i]->kind != AS_CALLS_THREAD)
			continue;
		frame = calls_stack(f, f->block.p[i], &top);
		for (uint64_t k = 1; k <= top; k++)
			if (frame[k].start + frame[k].children > f->end)
				f->end = frame[k].start + frame[k].children;
	}
}

/* What is open ends with the process. */
static void calls_close(struct calls_file *f, const struct as_calls_block *thread)
{
	uint64_t top;
	struct as_calls_frame *frame = calls_stack(f, thread, &top);

	for (; top; top--) {
		struct as_calls_edge *e = calls_at(f, AS_CALLS_EDGES, frame[top].edge, sizeof(*e));
		uint64_t took = f->end > frame[top].start ? f->end - frame[top].start : 0;

		if (!e)
			continue; /* the one for what can't be counted */
		e->inclusive += took;
		e->self += took - (frame[top].children < took ? frame[top].children : took);
		frame[top - 1].children += took;
		f->told->open++;
	}
}

/* In nanoseconds. */
static as_val calls_time(const struct calls_file *f, uint64_t ticks)
{
	as_val ns = (as_val)ticks * (as_val)f->ns / (as_val)f->ticks;

	if (ns <= CALLS_LONGEST)
		return ns;
	f->told->damaged = true;
	return 0;
}

static enum as_code calls_add_edge(
	struct calls_file *f, uint32_t part, const struct as_calls_edge *e)
{
	as_val cost[AS_CALLS_EVENTS] = {
		(as_val)e->calls, calls_time(f, e->inclusive), calls_time(f, e->self)};
	as_node node = {0};

	if (e->caller)
		AS_TRY(calls_read_push(f, e->caller, &node));
	AS_TRY(calls_read_push(f, e->site ? e->site - 1 : 0, &node));
	AS_TRY(calls_read_push(f, e->fn, &node));
	f->told->calls += e->calls;
	return as_build_sample(f->b, part, node, cost);
}

static enum as_code calls_add_edges(
	struct calls_file *f, uint32_t part, const struct as_calls_block *thread)
{
	for (size_t i = 0; i < f->block.n; i++) {
		const struct as_calls_block *b = f->block.p[i];
		const struct as_calls_edge *e = (const void *)(b + 1);
		size_t n = (b->bytes - sizeof(*b)) / sizeof(*e);

		if (b->kind != AS_CALLS_EDGES || b->thread != thread->thread)
			continue;
		for (size_t k = 0; k < n; k++)
			if (e[k].fn)
				AS_TRY(calls_add_edge(f, part, &e[k]));
	}
	return AS_OK;
}

static enum as_code calls_read_part(
	struct calls_file *f, const struct as_calls_thread_row *row, uint32_t *out)
{
	size_t n = f->head->command_size;
	struct as_part *part;

	AS_TRY(as_build_part(f->b, out));
	part = &f->b->prof->part.p[*out];
	AS_TRY(as_build_str(f->b,
		(struct as_slice){f->head->command, n < AS_CALLS_COMMAND ? n : AS_CALLS_COMMAND},
		&part->command));
	AS_TRY(as_build_str(f->b, (struct as_slice){row->name, strnlen(row->name, AS_CALLS_NAME)},
		&part->thread));
	part->pid = f->head->pid;
	part->tid = row->tid;
	part->has_pid = part->has_tid = true;
	part->positions = AS_POS_LINE;
	return AS_OK;
}

static enum as_code calls_add_thread(struct calls_file *f, struct as_calls_block *thread)
{
	const struct as_calls_thread_row *row = calls_thread(thread);
	uint32_t part;

	AS_TRY(calls_read_part(f, row, &part));
	if (!f->map.n)
		AS_TRY(calls_add_maps(f));
	f->told->threads += row->threads;
	f->told->left += row->left;
	f->told->unmatched += row->unmatched;
	calls_close(f, thread);
	return calls_add_edges(f, part, thread);
}

static enum as_code calls_read_all(struct calls_file *f, size_t size)
{
	const struct as_calls_head *h = f->head;

	f->told->forked += (h->flags & AS_CALLS_FORKED) != 0;
	f->told->unfinished += !(h->flags & AS_CALLS_FINISHED);
	f->told->unsteady |= (h->flags & AS_CALLS_UNSTEADY) != 0;
	f->told->full |= (h->flags & AS_CALLS_FULL) != 0;
	f->told->missed += h->missed;
	f->ns = h->last_ns - h->first_ns;
	f->ticks = h->last_tsc - h->first_tsc;
	if (!f->ticks || f->ns > CALLS_LONGEST) {
		f->told->damaged = true;
		f->ns = 0;
		f->ticks = 1;
	}
	AS_TRY(as_memory(calls_find_blocks(f, size)));
	calls_find_end(f);
	for (size_t i = 0; i < f->block.n; i++)
		if (f->block.p[i]->kind == AS_CALLS_THREAD)
			AS_TRY(calls_add_thread(f, f->block.p[i]));
	return AS_OK;
}

enum as_code as_calls_read(
	struct as_build *b, uint8_t *bytes, size_t size, struct as_calls_told *told)
{
	struct calls_file f = {.b = b, .told = told, .head = (void *)bytes};
	struct as_pool pool;
	enum as_code rc;

	if (size < AS_CALLS_PAGE || f.head->magic != AS_CALLS_MAGIC) {
		told->damaged = true;
		return AS_OK;
	}
	as_pool_init(&pool, b->prof->al);
	f.al = &pool.al;
	f.bytes = bytes;
	rc = calls_read_all(&f, size);
	as_pool_release(&pool);
	return rc;
}
