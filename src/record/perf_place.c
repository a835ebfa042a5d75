/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where code stands in the profile. Stacks lead through the same few thousand places, whatever
 * process they are of, so a place that was asked for not long ago is found in one step.
 */
#include "record/perf_track.h"

enum { HOT = 1 << 13 };

/* ---- places that stand for no code ---- */

/*
 * The addresses, and the names of the mappings that they are in, are those of the in-process
 * sampler; no program has code there.
 */
static enum as_code perf_place_pseudo(
	struct as_perf_track *t, enum as_perf_pseudo which, as_place *out)
{
	static const char *const names[] = {
		"[truncated]", "[lost]", "[unsampled]", "[kernel]", "[unknown]"};
	enum { SIZE = 0x1000 };
	struct as_map map = {
		.start = UINT64_C(0x1fffffff0000) + (uint64_t)which * SIZE, .exec = true};
	struct as_pos pos = {.addr = map.start + 0x10};
	const struct as_slice none = {NULL, 0};

	AS_TRY(as_build_object(t->out, as_slice_of(names[which]), none, &map.object));
	t->out->prof->object.p[map.object.i].addr_kind = AS_ADDR_ABSOLUTE;
	map.limit = map.start + SIZE;
	AS_TRY(as_build_map(t->out, &map));
	AS_TRY(as_build_func(
		t->out, as_slice_of(names[which]), map.object, (as_file){0}, 0, &pos.func));
	return as_build_place(t->out, &pos, out);
}

enum as_code as_perf_track_pseudo(struct as_perf_track *t, enum as_perf_pseudo which, as_place *out)
{
	as_assert(which < AS_PSEUDO_KINDS);
	if (!t->pseudo[which].i)
		AS_TRY(perf_place_pseudo(t, which, &t->pseudo[which]));
	*out = t->pseudo[which];
	return AS_OK;
}

/* ---- code ---- */

/* ADDR as the profile has it. */
static enum as_code perf_place_code(
	struct as_perf_track *t, as_object object, uint64_t addr, as_place *out)
{
	struct as_perf_hot *hot = &t->hot[as_hash_mix(addr, object.i) % HOT];
	struct as_pos pos = {.addr = addr};

	if (hot->place.i && hot->addr == addr && hot->object.i == object.i) {
		*out = hot->place;
		return AS_OK;
	}
	AS_TRY(as_build_func(t->out, as_slice_of(""), object, (as_file){0}, addr, &pos.func));
	AS_TRY(as_build_place(t->out, &pos, out));
	*hot = (struct as_perf_hot){addr, object, *out};
	return AS_OK;
}

enum as_code as_perf_place_user(
	struct as_perf_track *t, const struct as_perf_mapping *m, uint64_t pc, as_place *out)
{
	as_object object = {0};

	if (!m && t->machine)
		return as_perf_track_pseudo(t, AS_PSEUDO_UNKNOWN, out);
	if (m)
		AS_TRY(as_perf_image_object(t, m->image, &object));
	if (object.i && t->out->prof->object.p[object.i].addr_kind == AS_ADDR_FILE_OFFSET)
		pc = pc - m->range.start + m->range.offset;
	return perf_place_code(t, object, pc, out);
}

enum as_code as_perf_place_kernel(struct as_perf_track *t, uint64_t pc, as_place *out)
{
	as_assert(t->kernel_object.i);
	return perf_place_code(t, t->kernel_object, pc, out);
}

/* ---- the tables ---- */

bool as_perf_places_init(struct as_perf_track *t)
{
	t->hot = as_alloc_new(t->al, HOT * sizeof(*t->hot));
	return t->hot;
}

void as_perf_places_forget(struct as_perf_track *t)
{
	memset(t->hot, 0, HOT * sizeof(*t->hot));
	memset(t->pseudo, 0, sizeof(t->pseudo));
	t->kernel_object.i = 0;
}

void as_perf_places_release(struct as_perf_track *t)
{
	as_alloc_free(t->al, t->hot, HOT * sizeof(*t->hot));
	t->hot = NULL;
}
