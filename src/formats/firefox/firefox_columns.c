/* SPDX-License-Identifier: Apache-2.0 */
/* Columns, and tables of them. docs/formats/firefox.md §2. */
#include "formats/firefox/firefox.h"

/* ---- values ---- */

enum as_code as_fx_text(struct fx *fx, struct as_slice *text)
{
	enum as_pull_kind kind = as_pull_peek(fx->js);
	struct as_slice s = {"", 0};

	if (kind == AS_PULL_TEXT)
		as_pull_text(fx->js, &s);
	else if (kind == AS_PULL_NUMBER)
		as_pull_number(fx->js, &s);
	else
		as_pull_skip(fx->js);
	*text = as_arena_dup(&fx->arena, s);
	return as_err_memory(fx->rd->err, text->p);
}

static void columns_bad(struct fx *fx)
{
	if (!fx->odd.number++)
		fx->bad_off = as_json_in_off(&fx->in);
}

/* A number with the decimals that it needs, from *EXPONENT up to MAX. */
static int64_t columns_scaled(struct fx *fx, unsigned *exponent, unsigned max)
{
	struct as_slice text;
	bool exact, ok;
	int64_t v;

	if (!as_pull_number(fx->js, &text))
		return FX_NONE;
	while ((ok = as_pull_scaled(text, (int)*exponent, &v, &exact)) && !exact && *exponent < max)
		++*exponent;
	if (!ok) {
		columns_bad(fx);
		return FX_NONE;
	}
	fx->odd.rounded += !exact;
	return v;
}

/* Whatever stands there, as a number. */
static int64_t columns_value(struct fx *fx, unsigned *exponent, unsigned max)
{
	switch (as_pull_peek(fx->js)) {
	case AS_PULL_NUMBER:
		return columns_scaled(fx, exponent, max);
	case AS_PULL_NULL:
		break;
	default:
		columns_bad(fx);
		break;
	}
	as_pull_skip(fx->js);
	return FX_NONE;
}

enum as_code as_fx_number(struct fx *fx, int exponent, int64_t *v)
{
	unsigned same = (unsigned)exponent;

	*v = columns_value(fx, &same, same);
	return AS_OK;
}

/* ---- columns ---- */

bool as_fx_is_column(struct fx *fx)
{
	if (as_pull_peek(fx->js) == AS_PULL_ARRAY)
		return as_pull_array(fx->js);
	as_pull_skip(fx->js);
	return false;
}

enum as_code as_fx_run(struct fx *fx, struct fx_run *run)
{
	uint64_t *rounded = run->exponent < run->max ? NULL : &fx->odd.rounded;

	run->n = as_pull_numbers(fx->js, run->exponent, run->v, AS_ARRAY_LEN(run->v), rounded);
	if (!run->n && as_pull_item(fx->js)) {
		run->v[0] = columns_value(fx, &run->exponent, run->max);
		run->n = 1;
	}
	return as_json_in_end(&fx->in);
}

/* The numbers that are there become those with more decimals. */
static enum as_code columns_rescale(struct fx *fx, struct fx_col *col, unsigned decimals)
{
	size_t n = as_fx_n(col);
	int64_t factor = 1;

	while (col->decimals < decimals) {
		factor *= 10;
		col->decimals++;
	}
	if (factor == 1 || !n)
		return AS_OK;
	AS_TRY(as_err_memory(fx->rd->err, as_vec_reserve(fx->al, &col->wide, n)));
	for (size_t i = 0; i < n; i++) {
		int64_t v = as_fx_at(col, i);

		if (v != FX_NONE && (v > INT64_MAX / factor || v < -(INT64_MAX / factor)))
			return as_rd_fail(fx->rd, AS_E_LIMIT, as_json_in_off(&fx->in), 0,
				"numbers of a column are too far apart: one has decimals, one is "
				"beyond 64 bits with as many");
		col->wide.p[i] = v == FX_NONE ? v : v * factor;
	}
	col->wide.n = n;
	as_vec_free(fx->al, &col->few);
	return AS_OK;
}

static enum as_code columns_widen(struct fx *fx, struct fx_col *col)
{
	size_t n = col->few.n;

	AS_TRY(as_err_memory(fx->rd->err, as_vec_reserve(fx->al, &col->wide, n + 1)));
	for (size_t i = 0; i < n; i++)
		col->wide.p[i] = as_fx_at(col, i);
	col->wide.n = n;
	as_vec_free(fx->al, &col->few);
	return AS_OK;
}

/* What of N numbers fits into four bytes each is put so; how many. */
static size_t columns_few(struct fx_col *col, const int64_t *v, size_t n)
{
	int32_t *to = as_at(col->few.p, col->few.n);

	for (size_t i = 0; i < n; i++) {
		if (v[i] != FX_NONE && (v[i] > INT32_MAX || v[i] <= INT32_MIN)) {
			n = i;
			break;
		}
		to[i] = v[i] == FX_NONE ? INT32_MIN : (int32_t)v[i];
	}
	col->few.n += n;
	return n;
}

static enum as_code columns_append(struct fx *fx, struct fx_col *col, const int64_t *v, size_t n)
{
	size_t done = 0;

	if (!col->wide.n) {
		AS_TRY(as_err_memory(
			fx->rd->err, as_vec_reserve(fx->al, &col->few, col->few.n + n)));
		done = columns_few(col, v, n);
		if (done < n)
			AS_TRY(columns_widen(fx, col));
	}
	return as_err_memory(
		fx->rd->err, done == n || as_vec_append(fx->al, &col->wide, v + done, n - done));
}

enum as_code as_fx_push(struct fx *fx, struct fx_col *col, int64_t v)
{
	return columns_append(fx, col, &v, 1);
}

enum as_code as_fx_column(struct fx *fx, struct fx_col *col, unsigned decimals)
{
	struct fx_run run = {.max = decimals};

	if (!as_fx_is_column(fx))
		return AS_OK;
	*col = (struct fx_col){.decimals = 0};
	while (true) {
		AS_TRY(as_fx_run(fx, &run));
		if (!run.n)
			return AS_OK;
		if (run.exponent > col->decimals)
			AS_TRY(columns_rescale(fx, col, run.exponent));
		AS_TRY(columns_append(fx, col, run.v, run.n));
	}
}

/* ---- Gecko's rows ---- */

enum as_code as_fx_schema(struct fx *fx, int64_t *at, const struct fx_rows *rows)
{
	struct as_slice key;

	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key)) {
		size_t i = 0;

		while (i < rows->n && !as_slice_is(key, rows->name[i]))
			i++;
		if (i < rows->n)
			AS_TRY(as_fx_number(fx, 0, &at[i]));
		else
			as_pull_skip(fx->js);
	}
	return as_json_in_end(&fx->in);
}

/* What stands where row J's columns are; short rows lack the last ones. */
static void columns_row(struct fx *fx, const int64_t *at, const struct fx_rows *rows, int64_t *v)
{
	for (size_t i = 0; i < rows->n; i++)
		v[i] = FX_NONE;
	if (!as_fx_is_column(fx))
		return;
	for (int64_t k = 0; as_pull_item(fx->js); k++) {
		unsigned exponent = rows->decimals;
		size_t i = 0;

		while (i < rows->n && at[i] != k)
			i++;
		if (i < rows->n)
			v[i] = columns_value(fx, &exponent, exponent);
		else
			as_pull_skip(fx->js);
	}
}

enum as_code as_fx_rows(struct fx *fx, const int64_t *at, const struct fx_rows *rows)
{
	int64_t v[FX_ROWS_MAX];

	if (!as_fx_is_column(fx))
		return AS_OK;
	while (as_pull_item(fx->js)) {
		columns_row(fx, at, rows, v);
		AS_TRY(as_json_in_end(&fx->in));
		AS_TRY(rows->put(fx, rows->ctx, v));
	}
	return as_json_in_end(&fx->in);
}

/* ---- tables ---- */

struct columns_table {
	const char *name;
	enum fx_col_id first;
	size_t n;
	const char *column[9]; /* as they are numbered */
};

static const struct columns_table tables[] = {
	{"stackTable", FX_STACK_FRAME, 3, {"frame", "prefix", "prefixOffset"}},
	{"frameTable", FX_FRAME_FUNC, 9,
		{"func", "address", "line", "column", "inlineDepth", "nativeSymbol", "lib",
			"location", "assayAddress"}},
	{"funcTable", FX_FUNC_NAME, 5, {"name", "resource", "source", "fileName", "lineNumber"}},
	{"resourceTable", FX_RESOURCE_LIB, 3, {"lib", "name", "type"}},
	{"nativeSymbols", FX_NATIVE_LIB, 1, {"libIndex"}},
	{"sources", FX_SOURCE_FILE, 1, {"filename"}},
};

struct columns_put {
	struct fx_col *col;
	size_t n;
};

static enum as_code columns_put_row(struct fx *fx, void *ctx, const int64_t *v)
{
	struct columns_put *put = ctx;

	for (size_t i = 0; i < put->n; i++)
		AS_TRY(as_fx_push(fx, &put->col[i], v[i]));
	return AS_OK;
}

static enum as_code columns_member(
	struct fx *fx, const struct columns_table *def, struct fx_col *col, struct as_slice key)
{
	for (size_t i = 0; i < def->n; i++)
		if (as_slice_is(key, def->column[i]))
			return as_fx_column(fx, &col[i], 0);
	as_pull_skip(fx->js);
	return AS_OK;
}

static enum as_code columns_table(
	struct fx *fx, const struct columns_table *def, struct fx_col *col)
{
	struct columns_put put = {col, def->n};
	struct fx_rows rows = {
		.name = def->column, .n = def->n, .put = columns_put_row, .ctx = &put};
	int64_t at[FX_ROWS_MAX];
	struct as_slice key;

	for (size_t i = 0; i < FX_ROWS_MAX; i++)
		at[i] = FX_NONE;
	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key)) {
		if (as_slice_is(key, "schema"))
			AS_TRY(as_fx_schema(fx, at, &rows));
		else if (as_slice_is(key, "data"))
			AS_TRY(as_fx_rows(fx, at, &rows));
		else
			AS_TRY(columns_member(fx, def, col, key));
	}
	return as_json_in_end(&fx->in);
}

static enum as_code columns_strings(struct fx *fx, struct fx_tables *t)
{
	struct as_slice text;

	if (!as_fx_is_column(fx))
		return AS_OK;
	t->string.n = 0;
	while (as_pull_item(fx->js)) {
		AS_TRY(as_fx_text(fx, &text));
		AS_TRY(as_err_memory(fx->rd->err, as_vec_push(fx->al, &t->string, text)));
	}
	return as_json_in_end(&fx->in);
}

enum as_code as_fx_new_tables(struct fx *fx, uint32_t process, struct fx_tables **t)
{
	*t = as_arena_new(&fx->arena, sizeof(**t));
	AS_TRY(as_err_memory(fx->rd->err, *t));
	**t = (struct fx_tables){.process = process};
	return AS_OK;
}

static enum as_code columns_need(struct fx *fx, struct fx_tables **t, uint32_t process)
{
	return *t ? AS_OK : as_fx_new_tables(fx, process, t);
}

enum as_code as_fx_table(
	struct fx *fx, struct fx_tables **t, uint32_t process, struct as_slice key, bool *done)
{
	size_t i = 0;

	*done = true;
	if (as_slice_is(key, "stringArray") || as_slice_is(key, "stringTable")) {
		AS_TRY(columns_need(fx, t, process));
		return columns_strings(fx, *t);
	}
	while (i < AS_ARRAY_LEN(tables) && !as_slice_is(key, tables[i].name))
		i++;
	if (i < AS_ARRAY_LEN(tables) && as_pull_peek(fx->js) == AS_PULL_OBJECT) {
		AS_TRY(columns_need(fx, t, process));
		return columns_table(fx, &tables[i], &(*t)->col[tables[i].first]);
	}
	*done = false;
	return AS_OK;
}
