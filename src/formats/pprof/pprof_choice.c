/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples that nobody asks for are not built, but what they cost is a part of the whole. Where they
 * are not even there, the front of the file has that sum.
 */
#include "formats/pprof/pprof.h"

enum { NOT_ASKED, WANTED, UNWANTED };

enum as_code as_pb_read_front(
	struct as_pb_read *r, const struct as_pb_cur *all, const struct as_pb_field *f)
{
	struct as_pb_cur list = f->data;
	uint64_t v;

	if (f->number == PB_OWN_FRONT) {
		r->has_front = true;
		r->front_end = f->v < (uint64_t)(all->end - all->p) ? all->p + f->v : all->end;
		return AS_OK;
	}
	if (f->number == PB_OWN_SECTION)
		return as_err_memory(r->rd->err, as_vec_push(r->al, &r->sections, f->data));
	while (list.p < list.end) {
		if (!as_pb_varint(&list.p, list.end, &v))
			return as_pb_fail(r, AS_E_FORMAT, list.p, NULL,
				"a number of the list of totals is damaged");
		AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->front_total, (int64_t)v)));
	}
	return AS_OK;
}

/* The other samples are in sections that are not there. */
static bool choice_is_of_front(const struct as_pb_read *r)
{
	return r->rd->sections && r->front_total.n == r->type.n;
}

/* Each mapping is asked of, be there samples in it or not, as where the file is in sections. */
static void choice_ask(struct as_pb_read *r)
{
	for (size_t i = 0; i <= r->map.n; i++)
		(void)as_pb_wants_map(r, i);
}

enum as_code as_pb_begin_choice(struct as_pb_read *r)
{
	if (!r->rd->choice && !r->front_total.n)
		return AS_OK;
	if (!r->rd->sections)
		choice_ask(r);
	return as_err_memory(
		r->rd->err, as_alloc_array(r->al, &r->whole, as_n_events(r->rd->out->prof)));
}

/* What the samples cost is what the front said. */
static enum as_code choice_check_front(const struct as_pb_read *r)
{
	struct as_pb_at at = {"sample_type", 0, NULL};

	if (r->front_total.n != r->type.n)
		return as_pb_find(r, AS_F_PB_FRONT, 0, NULL,
			"the front has %zu total%s for %zu sample type%s", r->front_total.n,
			r->front_total.n == 1 ? "" : "s", r->type.n, r->type.n == 1 ? "" : "s");
	for (size_t k = 0; k < r->type.n; k++) {
		as_val sum = r->whole[r->event.p[k]];
		char text[AS_VAL_TEXT];

		at.n = k + 1;
		if (sum != r->front_total.p[k])
			AS_TRY(as_pb_find(r, AS_F_PB_FRONT, 0, &at,
				"the front says %" PRId64 ", the samples have %s",
				r->front_total.p[k], as_val_text(sum, text)));
	}
	return AS_OK;
}

enum as_code as_pb_end_choice(struct as_pb_read *r)
{
	struct as_build *b = r->rd->out;

	if (!r->whole)
		return AS_OK;
	if (choice_is_of_front(r)) {
		for (size_t k = 0; k < r->type.n; k++)
			r->whole[r->event.p[k]] = r->front_total.p[k];
	} else if (r->front_total.n) {
		AS_TRY(choice_check_front(r));
	}
	if (!r->rd->choice)
		return AS_OK;
	b->prof->whole = as_build_values(b, r->whole, as_n_events(b->prof));
	return as_err_memory(r->rd->err, b->prof->whole);
}

bool as_pb_wants_map(struct as_pb_read *r, uint64_t map)
{
	const struct as_rd_choice *c = r->rd->choice;
	uint64_t file = map && map <= r->map.n ? r->map.p[map - 1].file : 0;
	struct as_slice path = {"", 0};
	uint8_t unknown = NOT_ASKED, *known = &unknown;

	if (!c || !c->object)
		return true;
	if (map <= r->map.n) {
		while (r->map_choice.n <= r->map.n)
			if (!as_vec_push(r->al, &r->map_choice, NOT_ASKED))
				break;
		known = map < r->map_choice.n ? &r->map_choice.p[map] : known;
	}
	if (*known == NOT_ASKED) {
		path = file && file < r->str.n ? r->str.p[file] : path;
		*known = c->object(c->ctx, path) ? WANTED : UNWANTED;
	}
	return *known == WANTED;
}

bool as_pb_wants_code(struct as_pb_read *r, uint64_t leaf)
{
	uint32_t loc = as_pb_row(&r->locs, leaf);
	uint64_t map = loc ? r->loc.p[loc - 1].map : 0;

	return as_pb_wants_map(r, map ? as_pb_row(&r->maps, map) : 0);
}

enum as_code as_pb_wants_part(struct as_pb_read *r, uint32_t part, bool *wants)
{
	const struct as_rd_choice *c = r->rd->choice;
	uint8_t *known;

	*wants = true;
	if (!c || !c->part)
		return AS_OK;
	while (r->part_choice.n <= part)
		AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->part_choice, NOT_ASKED)));
	known = &r->part_choice.p[part];
	if (*known == NOT_ASKED)
		*known = c->part(c->ctx, r->rd->out->prof, part) ? WANTED : UNWANTED;
	*wants = *known == WANTED;
	return AS_OK;
}
