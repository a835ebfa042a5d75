/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of self cost as samples of one location each: in the order, and so in the bytes, of a
 * profile in which each is a path, but without its nodes and places. One order is that of samples
 * and of locations.
 */
#include "base/sort.h"
#include "formats/pprof/pprof_write.h"

enum { WIDE_MAX = (8 * sizeof(as_val) + 6) / 7 }; /* bytes of any value */
enum { SHORT_HEAD = 2, SHORT_MAX = 127, VALUES_MAX = 96 };

static const struct as_pb_row *pb_rows_at(const struct as_pb_write *w, size_t i)
{
	return &w->rows.row.p[w->row_order[i]];
}

/* Whether nothing is known of a row but its address. */
static bool pb_rows_is_bare(const struct as_pb_write *w, const struct as_pb_row *row)
{
	const struct as_pb_run *run = &w->run[row->run];

	return run->nothing && !row->line && !run->file.i;
}

/* As frames are, in paths_plan.c. */
static int pb_rows_cmp(
	const struct as_pb_write *w, const struct as_pb_row *x, const struct as_pb_row *y)
{
	int c = as_cmp_u64(x->map, y->map);

	c = c ? c : as_cmp_u64(x->addr, y->addr);
	c = c ? c : as_cmp_u64(w->run[x->run].rank, w->run[y->run].rank);
	c = c ? c : as_cmp_u64(x->line, y->line);
	return c || x->run == y->run
		       ? c
		       : as_file_cmp(w->prof, w->run[x->run].file.i, w->run[y->run].file.i);
}

static int pb_rows_cmp_all(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pb_write *w = ctx;

	return pb_rows_cmp(w, &w->rows.row.p[a], &w->rows.row.p[b]);
}

static int pb_rows_cmp_group(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pb_write *w = ctx;

	return pb_rows_cmp(w, &w->group.row.p[a], &w->group.row.p[b]);
}

static unsigned pb_rows_bits(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* w->key becomes the rows of w->group: what tells their places apart, and ITEM_BITS for the row.
 * False: that may need more than 64 bits. */
static bool pb_rows_make_keys(struct as_pb_write *w, unsigned *item_bits)
{
	const struct as_pb_row *row = w->group.row.p;
	uint64_t line = 0, addr = 0, map = 0; /* the bits in which they differ */
	size_t n = w->group.row.n;
	unsigned addr_bits, line_bits;

	for (size_t i = 1; i < n; i++) {
		line |= row[i].line ^ row->line;
		addr |= row[i].addr ^ row->addr;
		map |= row[i].map ^ row->map;
	}
	*item_bits = pb_rows_bits(n);
	line_bits = pb_rows_bits(line);
	addr_bits = pb_rows_bits(addr);
	if (map || *item_bits + line_bits + addr_bits > 63)
		return false;
	line = (UINT64_C(1) << line_bits) - 1;
	addr = (UINT64_C(1) << addr_bits) - 1;
	for (size_t i = 0; i < n; i++) {
		uint64_t place = (row[i].addr & addr) << line_bits | (row[i].line & line);

		w->key.p[i] = place << *item_bits | i;
	}
	return true;
}

/* w->at becomes the order of the rows of w->group. */
static bool pb_rows_order(struct as_pb_write *w)
{
	size_t n = w->group.row.n, end;
	unsigned item_bits;
	uint64_t *key;
	bool ok = true;

	if (!as_vec_reserve(w->al, &w->key, 2 * n) || !as_vec_reserve(w->al, &w->at, n))
		return false;
	key = w->key.p;
	if (!pb_rows_make_keys(w, &item_bits)) {
		for (size_t i = 0; i < n; i++)
			w->at.p[i] = (uint32_t)i;
		return as_sort_rows(w->al, w->at.p, n, pb_rows_cmp_group, w);
	}
	as_sort_numbers(key, n, key + n, item_bits);
	for (size_t i = 0; i < n; i++)
		w->at.p[i] = (uint32_t)(key[i] & ((UINT64_C(1) << item_bits) - 1));
	for (size_t i = 0; ok && i < n; i = end) { /* rows of several files at one place */
		for (end = i + 1; end < n && key[end] >> item_bits == key[i] >> item_bits;)
			end++;
		ok = end == i + 1 ||
		     as_sort_rows(w->al, w->at.p + i, end - i, pb_rows_cmp_group, w);
	}
	return ok;
}

/* V at P: a number of 64 bits as fields have it, others in more bytes. */
static char *pb_rows_put(struct as_pb_write *w, char *p, as_val v)
{
	as_uval x = (as_uval)v;

	if (AS_LIKELY(v >= INT64_MIN && v <= INT64_MAX))
		return as_pb_put_varint(p, (uint64_t)v);
	w->wide = true;
	for (unsigned i = 1; i < WIDE_MAX; i++, x >>= 7)
		*p++ = (char)(x | 0x80);
	*p++ = (char)x;
	return p;
}

/* ROW, whose values are V, to ROWS: most are small. */
static bool pb_rows_keep(struct as_pb_write *w, struct as_pb_rows *rows,
	const struct as_pb_row *row, const as_val *v)
{
	size_t e = w->prof->event.n;
	char *end;

	if (!as_vec_push(w->al, &rows->row, *row) ||
		!as_vec_reserve(w->al, &rows->cost, rows->cost.n + e * WIDE_MAX + 1))
		return false;
	rows->row.p[rows->row.n - 1].cost = rows->cost.n & (UINT64_MAX >> 1);
	end = rows->cost.p + rows->cost.n;
	for (size_t k = 0; k < e; k++) {
		if (AS_LIKELY(v[k] >= 0 && v[k] < 0x80))
			*end++ = (char)v[k];
		else
			end = pb_rows_put(w, end, v[k]);
	}
	rows->cost.n = (size_t)(end - rows->cost.p);
	return true;
}

/* The values of ROW as they stand in rows->cost: where nothing is to be added, that is the field.
 */
static struct as_slice pb_rows_values(const struct as_pb_rows *rows, const struct as_pb_row *row)
{
	size_t end = row + 1 < rows->row.p + rows->row.n ? row[1].cost : rows->cost.n;

	return (struct as_slice){rows->cost.p + row->cost, end - row->cost};
}

/* The values of ROW, one of ROWS, added to w->sum. */
static void pb_rows_add(
	struct as_pb_write *w, const struct as_pb_rows *rows, const struct as_pb_row *row)
{
	const char *p = rows->cost.p + row->cost;

	for (size_t k = 0; k < w->prof->event.n; k++) {
		as_uval v = 0;
		unsigned shift = 0;

		for (; *p & 0x80; shift += 7)
			v |= (as_uval)(*p++ & 0x7f) << shift;
		v |= (as_uval)*p++ << shift;
		w->sum[k] += shift < 7 * AS_PB_VARINT_MAX ? (int64_t)v : (as_val)v;
	}
}

static bool pb_rows_load_run(struct as_pb_write *w, uint32_t r, as_val *v)
{
	const struct as_run *run = &w->prof->self.run.p[r];
	as_object object = w->prof->func.object.p[run->func.i];
	struct as_pb_row row = {.run = r};
	struct as_rows_cur cur;

	as_rows_begin(&cur, &w->prof->self, run, v);
	while (as_rows_next(&cur)) {
		row.line = cur.line;
		row.addr = cur.addr;
		row.map = as_plan_locate(&w->plan, object, &row.addr);
		if (!pb_rows_keep(w, &w->group, &row, v))
			return false;
	}
	return true;
}

/* The rows I up to END of the order of w->group, which are one, to w->rows. */
static bool pb_rows_put_one(struct as_pb_write *w, size_t i, size_t end)
{
	const struct as_pb_row *first = &w->group.row.p[w->at.p[i]];
	struct as_slice values = pb_rows_values(&w->group, first);
	struct as_pb_row row = *first;

	if (end == i + 1) {
		row.cost = w->rows.cost.n & (UINT64_MAX >> 1);
		return as_vec_push(w->al, &w->rows.row, row) &&
		       as_vec_append(w->al, &w->rows.cost, values.p, values.len);
	}
	memset(w->sum, 0, w->prof->event.n * sizeof(*w->sum));
	for (size_t k = i; k < end; k++)
		pb_rows_add(w, &w->group, &w->group.row.p[w->at.p[k]]);
	return pb_rows_keep(w, &w->rows, &row, w->sum);
}

/* The rows of w->group to w->rows, in order, each place once. */
static bool pb_rows_put_group(struct as_pb_write *w)
{
	size_t n = w->group.row.n;

	if (!pb_rows_order(w))
		return false;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !pb_rows_cmp_group(w, w->at.p[i], w->at.p[end]);)
			end++;
		if (!pb_rows_put_one(w, i, end))
			return false;
	}
	w->group.row.n = w->group.cost.n = 0;
	return true;
}

static int pb_rows_cmp_run(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pb_run *x = &((const struct as_pb_run *)ctx)[a];
	const struct as_pb_run *y = &((const struct as_pb_run *)ctx)[b];
	int c = as_cmp_u64(x->map, y->map);

	c = c ? c : as_cmp_u64(x->addr, y->addr);
	return c ? c : as_cmp_u64(x->rank, y->rank);
}

static void pb_rows_look_at_runs(struct as_pb_write *w, as_val *v)
{
	const struct as_rows *rows = &w->prof->self;
	struct as_rows_cur cur;

	for (size_t r = 0; r < rows->run.n; r++) {
		struct as_pb_run *run = &w->run[r];

		as_rows_begin(&cur, rows, &rows->run.p[r], v);
		if (as_rows_next(&cur))
			run->addr = cur.addr;
		run->rank = w->plan.func_order.rank[w->plan.run_func[r]];
		run->map = as_plan_locate(
			&w->plan, w->prof->func.object.p[rows->run.p[r].func.i], &run->addr);
		run->nothing = as_plan_is_nothing(&w->plan.func.p[w->plan.run_func[r]]);
		if (rows->run.p[r].file.i != w->prof->func.file.p[rows->run.p[r].func.i].i)
			run->file = rows->run.p[r].file;
	}
}

/* The runs in the order of AT; those of one function together. */
static bool pb_rows_load_all(struct as_pb_write *w, const uint32_t *at, as_val *v)
{
	size_t n = w->prof->self.run.n;

	for (size_t i = 0; i < n; i++) {
		if (!pb_rows_load_run(w, at[i], v))
			return false;
		if (i + 1 < n && w->run[at[i]].rank == w->run[at[i + 1]].rank)
			continue;
		if (!pb_rows_put_group(w))
			return false;
	}
	return true;
}

/* Which rows are one with the one before. Returns whether their order is right. */
static bool pb_rows_mark(struct as_pb_write *w)
{
	bool ascend = true;

	for (size_t i = 0; i < w->rows.row.n; i++) {
		int c = i ? pb_rows_cmp_all(w, w->row_order[i - 1], w->row_order[i]) : -1;

		w->rows.row.p[w->row_order[i]].again = !c;
		ascend = ascend && c <= 0;
	}
	return ascend;
}

/* The order of all rows: that in which they stand, where functions are not mixed by address. */
static bool pb_rows_order_all(struct as_pb_write *w)
{
	size_t n = w->rows.row.n;

	if (!as_alloc_array(w->al, &w->row_order, n))
		return false;
	for (size_t i = 0; i < n; i++)
		w->row_order[i] = (uint32_t)i;
	return pb_rows_mark(w) ||
	       (as_sort_rows(w->al, w->row_order, n, pb_rows_cmp_all, w) && pb_rows_mark(w));
}

static enum as_code pb_rows_load(struct as_pb_write *w)
{
	size_t n = w->prof->self.n, runs = w->prof->self.run.n;
	uint32_t *at;

	if (n >= UINT32_MAX - 1)
		return as_err_set(w->wr->err, AS_E_LIMIT, "more than 2^32 call paths");
	if (!as_alloc_array(w->al, &w->row_v, w->prof->self.width) ||
		!as_alloc_array(w->al, &w->run, runs) ||
		!as_alloc_array(w->al, &w->sum, w->prof->event.n))
		return as_err_no_memory(w->wr->err);
	pb_rows_look_at_runs(w, w->row_v);
	at = as_sorted_rows(w->al, runs, pb_rows_cmp_run, w->run);
	AS_TRY(as_err_memory(w->wr->err, at));
	if (as_pb_takes_bare(w, at)) {
		w->bare = at;
		return AS_OK;
	}
	return as_err_memory(w->wr->err, pb_rows_load_all(w, at, w->row_v) && pb_rows_order_all(w));
}

enum as_code as_pb_plan_rows(struct as_pb_write *w)
{
	bool own = as_profile_is_from(w->prof, "pprof"); /* which has said what mappings have */

	AS_TRY(as_plan_make_rows(&w->plan));
	AS_TRY(pb_rows_load(w));
	AS_TRY(as_pb_plan_has(w));
	for (size_t i = 0; i < w->rows.row.n; i++) {
		const struct as_pb_row *row = pb_rows_at(w, i);
		uint32_t f = w->plan.run_func[row->run];
		const struct as_func_row *func = &w->plan.func.p[f];

		if (!pb_rows_is_bare(w, row))
			w->plan.func_id[f] = 1;
		if (row->map && !own)
			w->has[row->map - 1] |= (func->name.i ? AS_MAP_HAS_FUNCS : 0) |
						(func->file.i ? AS_MAP_HAS_FILES : 0) |
						(row->line ? AS_MAP_HAS_LINES : 0);
	}
	as_plan_number_funcs(&w->plan);
	return AS_OK;
}

/* Rows from I on are one: what told them apart is not in the file. */
static size_t pb_rows_end_of_one(const struct as_pb_write *w, size_t i)
{
	size_t end = i + 1;

	while (end < w->rows.row.n && pb_rows_at(w, end)->again)
		end++;
	return end;
}

/* What the rows from FIRST up to END cost, to w->list. */
static enum as_code pb_rows_sum(struct as_pb_write *w, size_t first, size_t end)
{
	size_t e = w->prof->event.n;

	memset(w->sum, 0, e * sizeof(*w->sum));
	for (size_t i = first; i < end; i++)
		pb_rows_add(w, &w->rows, pb_rows_at(w, i));
	w->list.n = 0;
	for (size_t k = 0; k < e; k++)
		AS_TRY(as_pb_add_value(w, w->sum[as_event_in_column(w->prof, (uint32_t)k)]));
	return w->scale ? as_pb_add_value(w, w->sum[0] * (as_val)w->scale) : AS_OK;
}

/* ---- messages of less than 128 bytes, which are made where they go ---- */

/* Room for one; its fields begin SHORT_HEAD bytes behind. */
static char *pb_rows_begin(const struct as_pb_write *w)
{
	return as_out_room(w->wr->out, SHORT_HEAD + SHORT_MAX);
}

/* The message NUMBER, at P, has its fields up to END. Returns that. */
static char *pb_rows_end(char *p, char *end, unsigned number)
{
	as_assert(end - p <= SHORT_HEAD + SHORT_MAX);
	p[0] = (char)(number << 3 | AS_PB_BYTES);
	p[1] = (char)(end - p - SHORT_HEAD);
	return end;
}

static void pb_rows_emit(const struct as_pb_write *w, char *p, char *end, unsigned number)
{
	w->wr->out->n += (size_t)(pb_rows_end(p, end, number) - p);
}

/* Nothing if V is 0. */
static inline char *pb_rows_number(char *p, unsigned number, uint64_t v)
{
	if (!v)
		return p;
	*p++ = (char)(number << 3 | AS_PB_VARINT);
	return as_pb_put_varint(p, v);
}

static void pb_rows_put_sample(const struct as_pb_write *w, uint64_t id, struct as_slice values)
{
	bool list = w->prof->event.n > 1;
	char *p = pb_rows_begin(w);
	char *end = pb_rows_number(p + SHORT_HEAD, PB_SAMPLE_LOCATION, id);

	*end++ = (char)(PB_SAMPLE_VALUE << 3 | (list ? AS_PB_BYTES : AS_PB_VARINT));
	if (list)
		*end++ = (char)values.len;
	memcpy(end, values.p, values.len);
	pb_rows_emit(w, p, end + values.len, PB_SAMPLE);
}

/* Of a line in its function's file, or of none. */
static void pb_rows_put_location(
	const struct as_pb_write *w, uint64_t id, const struct as_pb_row *row)
{
	char *p = pb_rows_begin(w);
	char *end = pb_rows_number(p + SHORT_HEAD, PB_LOC_ID, id), *line;

	end = pb_rows_number(end, PB_LOC_MAP, row->map);
	end = line = pb_rows_number(end, PB_LOC_ADDR, row->addr);
	if (!pb_rows_is_bare(w, row)) {
		uint32_t func = w->plan.func_id[w->plan.run_func[row->run]];

		end = pb_rows_number(line + SHORT_HEAD, PB_LINE_FUNC, func);
		end = pb_rows_number(end, PB_LINE_LINE, row->line);
		end = pb_rows_end(line, end, PB_LOC_LINE);
	}
	pb_rows_emit(w, p, end, PB_LOCATION);
}

/* ---- samples and locations ---- */

enum as_code as_pb_write_row_samples(struct as_pb_write *w)
{
	size_t e = w->prof->event.n;
	/* Values stand in w->rows as in the field. */
	bool as_are = e && e != 2 && !w->wide && !w->scale && !as_event_in_column(w->prof, 0);
	uint64_t id = 0;

	if (w->bare)
		return as_pb_write_bare_samples(w);
	for (size_t i = 0, end; e && i < w->rows.row.n; i = end) {
		struct as_slice values = pb_rows_values(&w->rows, pb_rows_at(w, i));

		end = pb_rows_end_of_one(w, i);
		id++;
		if (as_are && end == i + 1 && values.len <= VALUES_MAX) {
			pb_rows_put_sample(w, id, values);
			continue;
		}
		as_pb_put_list(&w->msg, PB_SAMPLE_LOCATION, &id, 1);
		AS_TRY(pb_rows_sum(w, i, end));
		as_pb_put_list(&w->msg, PB_SAMPLE_VALUE, w->list.p, w->list.n);
		AS_TRY(as_pb_emit(w, PB_SAMPLE));
	}
	return AS_OK;
}

enum as_code as_pb_write_row_locations(struct as_pb_write *w)
{
	uint64_t id = 0;

	if (w->bare)
		as_pb_write_bare_locations(w);
	for (size_t i = 0; i < w->rows.row.n; i = pb_rows_end_of_one(w, i)) {
		const struct as_pb_row *row = pb_rows_at(w, i);
		struct as_plan_frame f = {.func = w->plan.run_func[row->run],
			.line = row->line,
			.file = w->run[row->run].file};

		id++;
		if (!f.file.i) {
			pb_rows_put_location(w, id, row);
			continue;
		}
		as_pb_put_number(&w->msg, PB_LOC_ID, id);
		as_pb_put_number(&w->msg, PB_LOC_MAP, row->map);
		as_pb_put_number(&w->msg, PB_LOC_ADDR, row->addr);
		as_pb_put_line(w, &f);
		AS_TRY(as_pb_emit(w, PB_LOCATION));
	}
	return AS_OK;
}
