/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Costs by image and address. What a DCPI profile says of an image's text must be the same in all
 * segments, or they could not be added: so it is what the profile says of the object, and where
 * that is nothing, the 4 GiB that an offset can reach. Code that lies in no file at an address that
 * means something, as what a process generates, stands as one row at the begin of its object.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/date.h"
#include "store/store_impl.h"

#define REACH (UINT64_C(1) << 32)
#define KERNEL (UINT64_MAX - REACH + 1) /* where x86-64 and others have kernel and modules */

struct flat {
	const struct as_profile *src;
	struct as_build b;
	AS_VEC(as_object) object; /* of the result, for each of the source */
	AS_VEC(as_func) func;     /* its code */
	as_val *v;
};

static bool flat_is_kernel(struct as_slice path)
{
	return as_slice_starts(path, "[kernel") || as_slice_ends(path, ".ko");
}

static enum as_code flat_object(struct flat *f, uint32_t i)
{
	const struct as_object_row *from = &f->src->object.p[i];
	struct as_slice path = as_str_get(f->src, from->path);
	struct as_object_row *row;
	as_object object;
	as_func func;

	as_assert(i < f->src->object.n);
	AS_TRY(as_build_object(&f->b, i && path.len ? path : as_slice_of("[unknown]"),
		as_str_get(f->src, from->id), &object));
	AS_TRY(as_build_func(&f->b, (struct as_slice){NULL, 0}, object, (as_file){0}, 0, &func));
	row = &f->b.prof->object.p[object.i];
	row->addr_kind = from->addr_kind;
	row->text_start = from->text_start;
	row->text_size = from->text_size;
	if (!row->text_size) {
		row->text_start = flat_is_kernel(path) ? KERNEL : 0;
		row->text_size = REACH;
	}
	return as_err_memory(f->b.err, as_vec_push(f->src->al, &f->object, object) &&
					       as_vec_push(f->src->al, &f->func, func));
}

static enum as_code flat_objects(struct flat *f)
{
	for (uint32_t i = 0; i < f->src->object.n; i++)
		AS_TRY(flat_object(f, i));
	return AS_OK;
}

/* ADDR as the row of the object has it. */
static uint64_t flat_address(const struct as_object_row *row, uint64_t addr)
{
	if (row->addr_kind == AS_ADDR_ABSOLUTE && row->text_start != KERNEL)
		return row->text_start;
	if (addr < row->text_start || addr - row->text_start >= REACH)
		return row->text_start;
	return addr;
}

static enum as_code flat_add(struct flat *f, as_func func, uint64_t addr, const as_val *cost)
{
	uint32_t object = f->src->func.object.p[func.i].i;
	struct as_pos pos = {.func = f->func.p[object]};
	const struct as_object_row *row = &f->b.prof->object.p[f->object.p[object].i];

	if (!as_row_addr(f->src, func, addr, &addr))
		addr = row->text_start;
	pos.addr = flat_address(row, addr);
	return as_build_self(&f->b, 0, &pos, cost, as_n_events(f->src));
}

static enum as_code flat_rows(struct flat *f)
{
	const struct as_profile *src = f->src;

	for (size_t r = 0; r < src->self.run.n; r++) {
		struct as_rows_cur cur;

		as_rows_begin(&cur, &src->self, &src->self.run.p[r], f->v);
		while (as_rows_next(&cur))
			AS_TRY(flat_add(f, src->self.run.p[r].func, cur.addr, f->v));
	}
	return AS_OK;
}

static enum as_code flat_samples(struct flat *f)
{
	const struct as_profile *src = f->src;

	for (size_t i = 0; i < src->sample.node.n; i++) {
		struct as_pos pos = as_place_pos(src, src->node.place.p[src->sample.node.p[i].i]);

		AS_TRY(flat_add(f, pos.func, pos.addr, src->sample.cost.p + i * as_n_events(src)));
	}
	return AS_OK;
}

static enum as_code flat_events(struct flat *f)
{
	for (uint32_t i = 0; i < as_n_events(f->src); i++) {
		const struct as_event *from = &f->src->event.p[i];
		struct as_event *to;
		uint32_t at;

		AS_TRY(as_build_event(&f->b, as_str_get(f->src, from->name),
			as_str_get(f->src, from->unit), &at));
		to = &f->b.prof->event.p[at];
		to->period = from->period;
		to->active = from->active;
		to->estimated = from->estimated;
		AS_TRY(as_build_str(
			&f->b, as_str_get(f->src, from->period_unit), &to->period_unit));
	}
	return AS_OK;
}

static enum as_code flat_whole(struct flat *f, const char *host, int64_t begin_ns)
{
	struct as_slice epoch = as_str_get(f->src, f->src->epoch);
	char text[AS_DATE_NANOS];
	uint32_t part;

	if (!epoch.len)
		epoch = as_slice_of(as_date_nanos_text(begin_ns, "T", "Z", text));
	AS_TRY(as_build_part(&f->b, &part));
	AS_TRY(as_build_meta(&f->b, part, as_slice_of("platform"), as_slice_of(host)));
	AS_TRY(as_build_str(&f->b, epoch, &f->b.prof->epoch));
	AS_TRY(flat_events(f));
	AS_TRY(flat_objects(f));
	AS_TRY(flat_rows(f));
	return flat_samples(f);
}

enum as_code as_store_flatten(const struct as_profile *prof, const char *host, int64_t begin_ns,
	struct as_profile **out, struct as_err *err)
{
	struct flat f = {.src = prof};
	enum as_code rc;

	AS_TRY(as_build_init(&f.b, prof->al, err));
	rc = as_err_memory(err, as_alloc_array(prof->al, &f.v, as_n_events(prof)));
	AS_THEN(rc, flat_whole(&f, host, begin_ns));
	if (rc == AS_OK)
		rc = as_build_finish(&f.b, out);
	else
		as_build_free(&f.b);
	as_alloc_free(prof->al, f.v, as_n_events(prof) * sizeof(*f.v) + 1);
	as_vec_free(prof->al, &f.object);
	as_vec_free(prof->al, &f.func);
	return rc;
}
