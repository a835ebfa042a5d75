/* SPDX-License-Identifier: Apache-2.0 */
/* A recording without an end: it goes on in another profile, and forgets what has ended. */
#include "record/perf_track.h"

enum { ENDED_MAX = 4096 }; /* rows of threads that have ended are kept until they are so many */

#define DROPPED UINT32_MAX

struct compaction {
	struct as_perf_track *t;
	struct as_arena arena;           /* of the texts that stay */
	uint32_t *proc, *thread, *image; /* new rows of the old ones; DROPPED */
	size_t n_proc, n_thread, n_image;
};

static void perf_turn_keep_text(struct compaction *c, struct as_slice *text)
{
	if (text->p)
		*text = as_arena_dup(&c->arena, *text);
}

/* ---- which rows stay ---- */

/* A thread that ended last on a processor may yet have a sample there. */
static void perf_turn_mark(struct compaction *c)
{
	const struct as_perf_track *t = c->t;

	memset(c->proc, 0xff, c->n_proc * sizeof(*c->proc));
	memset(c->thread, 0xff, c->n_thread * sizeof(*c->thread));
	for (size_t i = 0; i < t->thread.n; i++)
		if (!t->thread.p[i].ended)
			c->thread[i] = 0;
	for (size_t i = 0; i < t->ended.n; i++)
		if (t->ended.p[i])
			c->thread[t->ended.p[i] - 1] = 0;
	for (size_t i = 0; i < t->thread.n; i++)
		if (c->thread[i] != DROPPED)
			c->proc[t->thread.p[i].proc] = 0;
	for (size_t i = 0; i < t->proc.n; i++)
		if (t->proc.p[i].starting)
			c->proc[i] = 0;
}

/* The rows that stay get their new numbers; the others' memory is given back. */
static void perf_turn_move_procs(struct compaction *c)
{
	struct as_perf_track *t = c->t;
	uint32_t n = 0;

	for (size_t i = 0; i < c->n_proc; i++) {
		struct as_perf_proc *proc = &t->proc.p[i];

		if (c->proc[i] == DROPPED) {
			as_unwind_free(proc->unwind);
			as_vec_free(t->al, &proc->map);
			continue;
		}
		perf_turn_keep_text(c, &proc->command);
		perf_turn_keep_text(c, &proc->program);
		perf_turn_keep_text(c, &proc->label);
		c->proc[i] = n;
		t->proc.p[n++] = *proc;
	}
	t->proc.n = n;
}

static void perf_turn_move_threads(struct compaction *c)
{
	struct as_perf_track *t = c->t;
	uint32_t n = 0;

	for (size_t i = 0; i < c->n_thread; i++) {
		struct as_perf_thread *thread = &t->thread.p[i];

		if (c->thread[i] == DROPPED)
			continue;
		as_assert(c->proc[thread->proc] != DROPPED);
		perf_turn_keep_text(c, &thread->name);
		thread->proc = c->proc[thread->proc];
		c->thread[i] = n;
		t->thread.p[n++] = *thread;
	}
	t->thread.n = n;
	for (size_t i = 0; i < t->ended.n; i++)
		if (t->ended.p[i])
			t->ended.p[i] = c->thread[t->ended.p[i] - 1] + 1;
}

static void perf_turn_move_images(struct compaction *c)
{
	struct as_perf_track *t = c->t;
	uint32_t n = 0;

	memset(c->image, 0xff, c->n_image * sizeof(*c->image));
	for (size_t i = 0; i < t->proc.n; i++)
		for (size_t k = 0; k < t->proc.p[i].map.n; k++)
			c->image[t->proc.p[i].map.p[k].image] = 0;
	for (size_t i = 0; i < c->n_image; i++) {
		struct as_perf_image *image = &t->image.p[i];

		if (c->image[i] == DROPPED && !image->object.i)
			continue;
		perf_turn_keep_text(c, &image->path);
		perf_turn_keep_text(c, &image->id);
		c->image[i] = n;
		t->image.p[n++] = *image;
	}
	t->image.n = n;
	for (size_t i = 0; i < t->proc.n; i++)
		for (size_t k = 0; k < t->proc.p[i].map.n; k++) {
			struct as_perf_mapping *m = &t->proc.p[i].map.p[k];

			m->image = c->image[m->image];
			m->range.path = t->image.p[m->image].path;
		}
}

/* ---- what is found by ---- */

static bool perf_turn_index(struct as_perf_track *t)
{
	bool ok = true;

	as_index_release(&t->procs);
	as_index_release(&t->threads);
	as_index_release(&t->images);
	for (size_t i = 0; i < t->proc.n && ok; i++)
		ok = as_index_add(&t->procs, as_perf_hash_id(t->proc.p[i].pid), (uint32_t)i);
	for (size_t i = 0; i < t->thread.n && ok; i++)
		ok = as_index_add(&t->threads, as_perf_hash_id(t->thread.p[i].tid), (uint32_t)i);
	for (size_t i = 0; i < t->image.n && ok; i++)
		ok = as_index_add(&t->images,
			as_perf_hash_image(t->image.p[i].path, t->image.p[i].id), (uint32_t)i);
	return ok;
}

static bool perf_turn_compact(struct compaction *c)
{
	struct as_perf_track *t = c->t;
	struct as_arena old = t->arena;

	perf_turn_mark(c);
	perf_turn_move_procs(c);
	perf_turn_move_threads(c);
	perf_turn_move_images(c);
	as_assert(t->proc.n <= c->n_proc && t->thread.n <= c->n_thread && t->image.n <= c->n_image);
	t->arena = c->arena;
	t->n_ended = 0;
	c->arena = old;
	return !t->arena.failed && perf_turn_index(t);
}

enum as_code as_perf_track_compact(struct as_perf_track *t)
{
	struct compaction c = {
		.t = t, .n_proc = t->proc.n, .n_thread = t->thread.n, .n_image = t->image.n};
	bool ok;

	as_assert(t->machine); /* others ask at the end how long each thread ran */
	if (t->n_ended < ENDED_MAX)
		return AS_OK;
	as_arena_init(&c.arena, t->al);
	ok = as_arena_array(&t->arena, &c.proc, c.n_proc) &&
	     as_arena_array(&t->arena, &c.thread, c.n_thread) &&
	     as_arena_array(&t->arena, &c.image, c.n_image) && perf_turn_compact(&c);
	as_arena_release(&c.arena);
	return ok ? AS_OK : as_err_no_memory(t->err);
}

/* ---- the next profile ---- */

void as_perf_track_turn(struct as_perf_track *t, struct as_build *out)
{
	as_assert(t->machine && t->life.n == 1);
	t->out = out;
	t->sample.n = t->part.n = 0;
	as_index_release(&t->samples);
	as_index_release(&t->parts);
	t->life.p[0] = (struct as_perf_life){0};
	as_perf_places_forget(t);
	t->n_samples = t->lost = t->untold = t->throttled = t->cut = t->broken = t->damaged = 0;
	t->unknown = 0;
	t->kernel_changed = false;
	memset(t->tally, 0, sizeof(t->tally));
	for (size_t i = 0; i < t->image.n; i++)
		t->image.p[i].object.i = 0;
	for (size_t i = 0; i < t->proc.n; i++) {
		struct as_perf_proc *proc = &t->proc.p[i];

		proc->part = proc->kernel_part = AS_PERF_NO_PART;
		proc->listed = proc->made = false;
		for (size_t k = 0; k < proc->map.n; k++)
			proc->map.p[k].listed = false;
	}
	for (size_t i = 0; i < t->thread.n; i++)
		t->thread.p[i].part = AS_PERF_NO_PART;
}
