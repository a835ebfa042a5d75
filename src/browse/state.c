/* SPDX-License-Identifier: Apache-2.0 */
/* Steps, each of which can be undone. */
#include "browse/browse_impl.h"

const char *as_browse_keep(struct as_browse *b, struct as_slice text)
{
	struct as_slice s = as_arena_dup(&b->arena, text);

	return s.p ? s.p : "";
}

struct as_listing_id as_browse_keep_id(struct as_browse *b, const struct as_listing_id *id)
{
	struct as_listing_id kept = *id;

	kept.name = as_arena_dup(&b->arena, id->name);
	kept.file = as_arena_dup(&b->arena, id->file);
	kept.object = as_arena_dup(&b->arena, id->object);
	return kept;
}

bool as_browse_same_id(const struct as_listing_id *a, const struct as_listing_id *b)
{
	return as_slice_eq(a->name, b->name) && as_slice_eq(a->file, b->file) &&
	       as_slice_eq(a->object, b->object) && a->addr == b->addr;
}

/* Only where one stands differs. */
static bool state_is_same_place(const struct as_browse_state *a, const struct as_browse_state *b)
{
	return a->view == b->view && a->event == b->event && a->inclusive == b->inclusive &&
	       a->bottom_up == b->bottom_up && a->by == b->by && a->words == b->words &&
	       a->folds == b->folds && a->zoom == b->zoom && a->search == b->search &&
	       as_browse_same_id(&a->func, &b->func);
}

void as_browse_step(struct as_browse *b, const struct as_browse_state *next)
{
	if (state_is_same_place(&b->st, next)) {
		b->st = *next;
		return;
	}
	b->history.p[b->now] = b->st;
	b->history.n = b->now + 1;
	if (!as_vec_push(b->al, &b->history, *next)) {
		as_browse_say(b, "out of memory: that step cannot be done");
		return;
	}
	b->now++;
	b->st = *next;
	as_browse_make(b);
}

static void state_go(struct as_browse *b, size_t to)
{
	b->history.p[b->now] = b->st;
	b->now = to;
	b->st = b->history.p[to];
	as_browse_make(b);
}

void as_browse_undo(struct as_browse *b)
{
	if (b->now)
		state_go(b, b->now - 1);
	else
		as_browse_say(b, "this is where it began; q quits");
}

void as_browse_redo(struct as_browse *b)
{
	if (b->now + 1 < b->history.n)
		state_go(b, b->now + 1);
	else
		as_browse_say(b, "nothing was undone");
}
