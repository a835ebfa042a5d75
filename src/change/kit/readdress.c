/* SPDX-License-Identifier: Apache-2.0 */
#include "change/kit/readdress.h"

#include <stdio.h>

bool as_segments_find(const struct as_segment *segment, uint64_t offset, uint64_t *addr)
{
	for (const struct as_segment *s = segment; s->object.i == segment->object.i; s++)
		if (offset >= s->from && offset < s->limit) {
			*addr = s->to + (offset - s->from);
			return true;
		}
	return false;
}

/* ---- which objects ---- */

/* An address that would be lost, or be 0, which means none, keeps its object where it is. */
static void readdress_look_at(struct as_remap *r, as_func func, uint64_t addr)
{
	const struct as_segment **segment = &r->moves[r->src->func.object.p[func.i].i];
	uint64_t moved;

	if (addr && *segment && (!as_segments_find(*segment, addr, &moved) || !moved))
		*segment = NULL;
}

static void look_at_rows(struct as_remap *r, const struct as_rows *rows)
{
	const struct as_profile *src = r->src;
	struct as_rows_cur cur;
	as_func target;

	for (size_t i = 0; i < rows->run.n; i++) {
		as_func func = rows->run.p[i].func;

		as_rows_begin(&cur, rows, &rows->run.p[i], r->in);
		while (as_rows_next(&cur)) {
			readdress_look_at(r, func, cur.addr);
			if (rows == &src->call) {
				target.i = (uint32_t)r->in[AS_CALL_FUNC];
				readdress_look_at(r, target, (uint64_t)r->in[AS_CALL_ADDR]);
			} else if (rows == &src->jump) {
				target.i = (uint32_t)r->in[AS_JUMP_FUNC];
				readdress_look_at(
					r, target.i ? target : func, (uint64_t)r->in[AS_JUMP_ADDR]);
			}
		}
	}
}

static void readdress_look_at_all(struct as_remap *r)
{
	const struct as_profile *src = r->src;
	struct as_slice level;
	uint64_t addr;

	for (uint32_t f = 1; f < src->func.name.n; f++) {
		readdress_look_at(r, (as_func){f}, src->func.addr.p[f]);
		if (as_name_is_address(
			    as_name_cut_level(as_func_name(src, (as_func){f}), &level), &addr))
			readdress_look_at(r, (as_func){f}, addr);
	}
	for (size_t i = 1; i < src->place.func.n; i++)
		readdress_look_at(r, src->place.func.p[i], src->place.addr.p[i]);
	look_at_rows(r, &src->self);
	look_at_rows(r, &src->call);
	look_at_rows(r, &src->jump);
}

/* ---- moving ---- */

/* Objects that had been told apart by what their addresses are. */
static void readdress_unite(struct as_remap *r, uint32_t o)
{
	struct as_profile *dst = r->b->prof;
	const struct as_object_row *row = &dst->object.p[r->object[o]];

	for (uint32_t i = 1; i < r->src->object.n; i++) {
		const struct as_object_row *other = &dst->object.p[r->object[i]];

		if (i != o && other->path.i == row->path.i && other->id.i == row->id.i &&
			other->addr_kind == AS_ADDR_VIRTUAL) {
			r->object[o] = r->object[i];
			return;
		}
	}
}

enum as_code as_readdress_funcs(struct as_remap *r)
{
	const struct as_profile *src = r->src;

	for (uint32_t f = 1; f < src->func.name.n; f++) {
		struct as_slice level;
		struct as_slice old = as_name_cut_level(as_func_name(src, (as_func){f}), &level);
		as_object object = {r->object[src->func.object.p[f].i]};
		char name[64];
		uint64_t addr;
		as_file file;
		as_func func;

		if (r->func[f] || !r->moves || !r->moves[src->func.object.p[f].i] ||
			!as_name_is_address(old, &addr))
			continue;
		snprintf(name, sizeof(name), "0x%0*" PRIx64 "%.*s", (int)old.len - 2,
			as_readdress(r, (as_func){f}, addr), level.len < 32 ? (int)level.len : 0,
			level.p);
		AS_TRY(as_remap_file(r, src->func.file.p[f], &file));
		AS_TRY(as_build_func(r->b, as_slice_of(name), object, file, 0, &func));
		r->func[f] = func.i + 1;
	}
	return AS_OK;
}

static void take_segments(struct as_remap *r, const struct as_chains *chains)
{
	for (size_t i = 0; i < chains->segment.n; i++) {
		const struct as_segment *s = &chains->segment.p[i];

		as_assert(s->object.i < r->src->object.n);
		if (!r->moves[s->object.i] &&
			r->src->object.p[s->object.i].addr_kind == AS_ADDR_FILE_OFFSET)
			r->moves[s->object.i] = s;
	}
}

enum as_code as_readdress_init(struct as_remap *r, const struct as_chains *chains)
{
	if (!chains->segment.n)
		return AS_OK;
	AS_TRY(as_err_memory(r->b->err, as_alloc_array(r->al, &r->moves, r->src->object.n)));
	take_segments(r, chains);
	readdress_look_at_all(r);
	for (uint32_t o = 1; o < r->src->object.n; o++)
		if (r->moves[o]) {
			readdress_unite(r, o);
			r->b->prof->object.p[r->object[o]].addr_kind = AS_ADDR_VIRTUAL;
		}
	return AS_OK;
}
