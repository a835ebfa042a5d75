/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and functions become places. docs/formats/llvmcov.md, "Mapping". */
#include "base/sort.h"
#include "formats/llvmcov/llvmcov.h"

/* The functions that a line is in, from the outermost to the innermost: numbers of rows. */
struct lv_open {
	uint32_t *func; /* by file and place */
	size_t next;
	AS_VEC(uint32_t) open;
};

/* By file, then as they begin; one that encloses another comes before it. */
static int llvmcov_func_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct lv_func *x = (const struct lv_func *)ctx + a;
	const struct lv_func *y = (const struct lv_func *)ctx + b;
	int by = as_cmp_u64(x->file.i, y->file.i);

	if (!by)
		by = as_cmp_u64(x->line, y->line);
	if (!by)
		by = as_cmp_u64(x->column, y->column);
	if (!by)
		by = as_cmp_u64(y->end_line, x->end_line);
	return by ? by : as_cmp_u64(y->end_column, x->end_column);
}

static int llvmcov_line_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct lv_line *x = (const struct lv_line *)ctx + a;
	const struct lv_line *y = (const struct lv_line *)ctx + b;
	int by = as_cmp_u64(x->file.i, y->file.i);

	return by ? by : as_cmp_u64(x->number, y->number);
}

/* The innermost function that LINE is in; none where several were made of the same lines. */
static bool llvmcov_innermost(
	struct as_lv *lv, struct lv_open *o, const struct lv_line *line, as_func *func)
{
	const struct lv_func *all = lv->func.p, *f, *twin;

	for (; o->next < lv->func.n; o->next++) {
		f = &all[o->func[o->next]];
		if (f->file.i > line->file.i ||
			(f->file.i == line->file.i && f->line > line->number))
			break;
		if (f->has_place && !as_vec_push(lv->al, &o->open, o->func[o->next]))
			return false;
	}
	while (o->open.n) {
		f = &all[o->open.p[o->open.n - 1]];
		if (f->file.i == line->file.i && f->end_line >= line->number)
			break;
		o->open.n--;
	}
	*func = (as_func){0};
	if (!o->open.n)
		return true;
	*func = f->func;
	for (size_t i = o->open.n - 1; i-- > 0;) {
		twin = &all[o->open.p[i]];
		if (llvmcov_func_cmp(all, o->open.p[i], o->open.p[i + 1]) != 0)
			break;
		if (twin->func.i != f->func.i)
			*func = (as_func){0};
	}
	return true;
}

static enum as_code llvmcov_put_lines(struct as_lv *lv, uint32_t part)
{
	uint32_t *row = as_sorted_rows(lv->al, lv->line.n, llvmcov_line_cmp, lv->line.p);
	struct lv_open open = {
		.func = as_sorted_rows(lv->al, lv->func.n, llvmcov_func_cmp, lv->func.p)};

	AS_TRY(as_err_memory(lv->rd->err, row && open.func));
	for (size_t i = 0; i < lv->line.n; i++) {
		const struct lv_line *l = &lv->line.p[row[i]];
		struct as_pos pos = {.file = l->file, .line = l->number};
		as_val cost = (as_val)l->count;

		AS_TRY(as_err_memory(lv->rd->err, llvmcov_innermost(lv, &open, l, &pos.func)));
		AS_TRY(as_build_self(lv->rd->out, part, &pos, &cost, 1));
	}
	return AS_OK;
}

enum as_code as_lv_put(struct as_lv *lv)
{
	static const char *const name[AS_LV_EVENTS] = {"executions", "calls"};
	struct as_build *b = lv->rd->out;
	uint32_t event, part;

	AS_TRY(as_rd_part(lv->rd, "llvmcov", &part));
	for (int i = 0; i < AS_LV_EVENTS; i++)
		AS_TRY(as_build_event(b, as_slice_of(name[i]), as_slice_of("count"), &event));
	AS_TRY(as_build_part_all_events(b, part));
	AS_TRY(llvmcov_put_lines(lv, part));
	for (size_t i = 0; i < lv->func.n; i++) {
		const struct lv_func *f = &lv->func.p[i];
		struct as_pos pos = {.func = f->func, .file = f->file, .line = f->line};
		as_val cost[AS_LV_EVENTS] = {0, (as_val)f->calls};

		AS_TRY(as_build_self(b, part, &pos, cost, AS_LV_EVENTS));
	}
	return AS_OK;
}
