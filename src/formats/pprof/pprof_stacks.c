/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples to stacks, each kept once with what it costs, for a caller who makes a table of functions
 * when code has names. Two values stand in a row; one of them, mostly a count, must be below 2^32.
 */
#include "formats/pprof/pprof.h"

/* What the samples of the file have, before one of them is built. */
struct look {
	uint64_t *most;     /* of each type */
	uint64_t locations; /* of one sample, as far as their bytes tell */
};

static bool stacks_look_at_value(const struct as_pb_read *r, struct look *l, size_t k, uint64_t v)
{
	if (k >= r->type.n || v > INT64_MAX)
		return false;
	l->most[k] = v > l->most[k] ? v : l->most[k];
	return true;
}

/* A list of values, or one of them; *K is which one comes next. */
static bool stacks_look_at_values(
	const struct as_pb_read *r, struct look *l, const struct as_pb_field *f, size_t *k)
{
	struct as_pb_cur list = f->data;
	uint64_t v;

	if (f->type == AS_PB_VARINT)
		return stacks_look_at_value(r, l, (*k)++, f->v);
	if (f->type != AS_PB_BYTES)
		return false;
	while (list.p < list.end)
		if (!as_pb_varint(&list.p, list.end, &v) || !stacks_look_at_value(r, l, (*k)++, v))
			return false;
	return true;
}

static bool stacks_look_at_sample(const struct as_pb_read *r, struct look *l, struct as_pb_cur msg)
{
	uint64_t locations = 0;
	struct as_pb_field f;
	const char *why;
	enum as_code rc;
	size_t k = 0;

	while ((rc = as_pb_next(&msg, &f, &why)) == AS_OK) {
		if (f.number == PB_SAMPLE_LOCATION)
			locations += f.type == AS_PB_BYTES ? (uint64_t)(f.data.end - f.data.p) : 1;
		else if (f.number == PB_SAMPLE_VALUE && !stacks_look_at_values(r, l, &f, &k))
			return false;
	}
	l->locations = locations > l->locations ? locations : l->locations;
	return rc == AS_END;
}

static bool stacks_look(const struct as_pb_read *r, struct look *l)
{
	for (size_t i = 0; i < r->stretch.row.n; i++) {
		struct as_pb_cur cur = r->stretch.row.p[i].bytes;
		struct as_pb_field f;
		const char *why;

		while (as_pb_next(&cur, &f, &why) == AS_OK)
			if (!stacks_look_at_sample(r, l, f.data))
				return false;
	}
	return true;
}

/* How many frames a stack may have. */
static uint64_t stacks_deepest(const struct as_pb_read *r, const struct look *l)
{
	uint32_t lines = 1;

	for (size_t i = 0; i < r->loc.n; i++)
		lines = r->loc.p[i].n > lines ? r->loc.p[i].n : lines;
	return l->locations > AS_STACKS_DEEPEST ? UINT64_MAX : l->locations * lines;
}

static enum as_code stacks_add_kind(struct as_pb_read *r, uint32_t value, uint32_t times)
{
	struct as_pb_kind kind = {value, times};
	const uint32_t none = AS_STACK_NO_EVENT;

	if (!as_vec_push(r->al, &r->kind, kind) ||
		!as_stacks_kind(&r->rd->out->prof->stacks, value == none ? none : r->event.p[value],
			times == none ? none : r->event.p[times]))
		return as_err_no_memory(r->rd->err);
	return AS_OK;
}

/* Types in pairs, where one of them is small enough to be the number of times. */
static enum as_code stacks_add_kinds(struct as_pb_read *r, const struct look *l)
{
	uint32_t n = (uint32_t)r->type.n;

	for (uint32_t k = 0; k < n;) {
		bool pair = k + 1 < n, first = l->most[k] <= UINT32_MAX;

		if (pair && (first || l->most[k + 1] <= UINT32_MAX)) {
			AS_TRY(stacks_add_kind(r, first ? k + 1 : k, first ? k : k + 1));
			k += 2;
		} else {
			AS_TRY(stacks_add_kind(r, k++, AS_STACK_NO_EVENT));
		}
	}
	return AS_OK;
}

enum as_code as_pb_begin_stacks(struct as_pb_read *r, bool *will_do)
{
	struct look l = {.locations = 0};

	*will_do = false;
	if (!as_rd_takes_stacks(r->rd) || !r->n_samples)
		return AS_OK;
	AS_TRY(as_err_memory(r->rd->err, as_alloc_array(r->al, &l.most, r->type.n)));
	if (!stacks_look(r, &l) || stacks_deepest(r, &l) > AS_STACKS_DEEPEST)
		return AS_OK;
	*will_do = true;
	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->class, r->loc.n)));
	if (r->loc.n)
		memset(r->class.p, 0, r->loc.n * sizeof(*r->class.p));
	r->class.n = r->loc.n;
	return stacks_add_kinds(r, &l);
}

/* The places of location ROW. A function that is inlined into itself does not call itself: of those
 * the outermost stays. */
static AS_NOINLINE enum as_code stacks_new_location(struct as_pb_read *r, uint32_t row)
{
	const struct as_pb_loc *loc = &r->loc.p[row];
	const as_func *func;
	size_t end;

	AS_TRY(as_pb_make_places(r, row));
	func = r->rd->out->prof->place.func.p;
	end = loc->place + (size_t)1;
	for (size_t i = end; i < r->place.n; i++)
		if (func[r->place.p[i].i].i != func[r->place.p[end - 1].i].i)
			r->place.p[end++] = r->place.p[i];
	r->place.n = end;
	r->class.p[row] = (struct as_pb_class){loc->place, (uint32_t)(end - loc->place)};
	return AS_OK;
}

static enum as_code stacks_push_location(struct as_pb_read *r, uint32_t row)
{
	struct as_pb_class c = r->class.p[row];

	if (AS_UNLIKELY(!c.n)) {
		AS_TRY(stacks_new_location(r, row));
		c = r->class.p[row];
	}
	for (uint32_t i = 0; i < c.n; i++)
		if (!as_vec_push(r->al, &r->path, r->place.p[c.first + i]))
			return as_err_no_memory(r->rd->err);
	return AS_OK;
}

static bool stacks_add_of(struct as_pb_read *r, uint32_t kind, const int64_t *v)
{
	const struct as_pb_kind *of = &r->kind.p[kind];
	uint64_t value = of->value == AS_STACK_NO_EVENT ? 0 : (uint64_t)v[of->value];
	uint32_t times = of->times == AS_STACK_NO_EVENT ? 0 : (uint32_t)v[of->times];

	/* what costs nothing stands in the table, too */
	if (kind && !value && !times)
		return true;
	return as_stacks_add(
		&r->rd->out->prof->stacks, kind, r->path.p, (uint32_t)r->path.n, value, times);
}

enum as_code as_pb_add_stack(struct as_pb_read *r)
{
	const as_place none = {0};

	r->path.n = 0;
	for (size_t i = r->stack.n; i-- > 0;) {
		if (AS_LIKELY(r->stack.p[i] > 1))
			AS_TRY(stacks_push_location(r, r->stack.p[i] - 2));
		else if (!as_vec_push(r->al, &r->path, none))
			return as_err_no_memory(r->rd->err);
	}
	for (uint32_t k = 0; k < r->kind.n; k++)
		if (!stacks_add_of(r, k, r->values.p))
			return as_err_no_memory(r->rd->err);
	return AS_OK;
}
