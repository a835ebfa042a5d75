/* SPDX-License-Identifier: Apache-2.0 */
/* The pools: values that events, and other values, name by keys. */
#include "formats/jfr/jfr.h"

enum { TEXT_NEST_MAX = 8 };

static uint64_t jfr_consts_hash(uint32_t class, uint64_t key)
{
	return as_hash_mix(key, class);
}

struct as_jfr_const *as_jfr_find_const(struct as_jfr_chunk *c, uint32_t class, uint64_t key)
{
	uint64_t pos = AS_INDEX_START, hash = jfr_consts_hash(class, key);
	uint32_t row;

	while (as_index_find(&c->consts, hash, &pos, &row)) {
		struct as_jfr_const *have = &c->r->cons.p[row];

		if (have->key == key && have->class == class)
			return have;
	}
	return NULL;
}

enum as_code as_jfr_want_const(
	struct as_jfr_chunk *c, uint32_t class, uint64_t key, struct as_jfr_const **out)
{
	struct as_slice name = {"?", 1};

	*out = as_jfr_find_const(c, class, key);
	if (*out || !key)
		return AS_OK;
	if (class != UINT32_MAX)
		name = c->class.p[class].name;
	return as_rd_find(c->r->rd, AS_F_JFR_CONSTANT_MISSING, c->off, 0,
		"no pool of the chunk has %.*s number %" PRIu64, AS_SLICE_FMT(name), key);
}

static bool jfr_consts_put(struct as_jfr_chunk *c, struct as_jfr_const value)
{
	struct as_jfr_const *have = as_jfr_find_const(c, value.class, value.key);

	if (have) {
		have->p = value.p;
		return true;
	}
	return c->r->cons.n < UINT32_MAX - 1 && as_vec_push(c->r->al, &c->r->cons, value) &&
	       as_index_add(&c->consts, jfr_consts_hash(value.class, value.key),
		       (uint32_t)c->r->cons.n - 1);
}

static enum as_code jfr_consts_read_pool(struct as_jfr_chunk *c, struct as_jfr_cur *cur)
{
	struct as_jfr_const value = {0};
	uint64_t id, n;
	uint32_t class;

	if (!as_jfr_number(cur, JFR_LONG, &id) || !as_jfr_number(cur, JFR_INT, &n))
		return AS_E_FORMAT;
	class = as_jfr_class_row(c, id);
	value.class = class & (JFR_CLASSES - 1);
	if (class == UINT32_MAX || n > as_jfr_left(cur))
		return AS_E_FORMAT;
	while (n--) {
		if (!as_jfr_number(cur, JFR_LONG, &value.key))
			return AS_E_FORMAT;
		value.p = cur->p;
		if (!as_jfr_skip_value(c, cur, value.class))
			return AS_E_FORMAT;
		AS_TRY(as_err_memory(c->r->rd->err, jfr_consts_put(c, value)));
	}
	return AS_OK;
}

enum as_code as_jfr_read_checkpoint(struct as_jfr_chunk *c, struct as_jfr_cur body)
{
	uint64_t start, duration, before, flags, n;

	if (!as_jfr_number(&body, JFR_LONG, &start) || !as_jfr_number(&body, JFR_LONG, &duration) ||
		!as_jfr_number(&body, JFR_LONG, &before) || !as_jfr_big(&body, 1, &flags) ||
		!as_jfr_number(&body, JFR_INT, &n) || n > as_jfr_left(&body))
		return AS_E_FORMAT;
	while (n--)
		AS_TRY(jfr_consts_read_pool(c, &body));
	return AS_OK;
}

/* ---- fields of a value ---- */

static enum as_code jfr_consts_text(struct as_jfr_chunk *c, uint32_t row, struct as_jfr_cur cur,
	unsigned nest, struct as_slice *text);

/* The text that field F is, at CUR. */
static enum as_code jfr_consts_field_text(struct as_jfr_chunk *c, const struct as_jfr_field *f,
	struct as_jfr_cur cur, unsigned nest, struct as_slice *text)
{
	struct as_jfr_const *have;
	uint64_t key;

	*text = (struct as_slice){NULL, 0};
	if (f->array || f->class == UINT32_MAX || nest > TEXT_NEST_MAX)
		return AS_OK;
	if (!f->pool)
		return jfr_consts_text(c, f->class, cur, nest + 1, text);
	if (!as_jfr_number(&cur, JFR_LONG, &key))
		return AS_E_FORMAT;
	AS_TRY(as_jfr_want_const(c, f->class, key, &have));
	if (!have)
		return AS_OK;
	return jfr_consts_text(c, f->class, as_jfr_at(c, have->p), nest + 1, text);
}

static enum as_code jfr_consts_text(struct as_jfr_chunk *c, uint32_t row, struct as_jfr_cur cur,
	unsigned nest, struct as_slice *text)
{
	const struct as_jfr_class *class = &c->class.p[row];

	as_assert(row < c->class.n);
	*text = (struct as_slice){NULL, 0};
	if (class->form == JFR_FORM_TEXT)
		return as_jfr_text(c, &cur, text);
	if (class->form != JFR_FORM_STRUCT || !class->n)
		return AS_OK;
	return jfr_consts_field_text(c, &c->field.p[class->first], cur, nest, text);
}

enum as_code as_jfr_value_text(
	struct as_jfr_chunk *c, uint32_t class, struct as_jfr_cur cur, struct as_slice *text)
{
	return jfr_consts_text(c, class, cur, 0, text);
}

/* A number, or a key; of anything else 0. */
static bool jfr_consts_number(const struct as_jfr_chunk *c, const struct as_jfr_field *f,
	struct as_jfr_cur cur, uint64_t *v)
{
	static const uint8_t width[] = {
		[JFR_FORM_CHAR] = 2,
		[JFR_FORM_SHORT] = 2,
		[JFR_FORM_INT] = JFR_INT,
		[JFR_FORM_LONG] = JFR_LONG,
	};
	enum as_jfr_form form =
		f->class == UINT32_MAX ? JFR_FORM_STRUCT : c->class.p[f->class].form;

	*v = 0;
	if (f->array)
		return true;
	if (f->pool)
		return as_jfr_number(&cur, JFR_LONG, v);
	if (form == JFR_FORM_BOOLEAN || form == JFR_FORM_BYTE)
		return as_jfr_big(&cur, 1, v);
	if ((size_t)form >= sizeof(width) || !width[form])
		return true;
	return as_jfr_number(&cur, width[form], v);
}

enum as_code as_jfr_gather(struct as_jfr_chunk *c, uint32_t row, struct as_jfr_cur cur,
	struct as_jfr_got *got, size_t n)
{
	const struct as_jfr_class *class = &c->class.p[row];

	as_assert(row < c->class.n);
	for (size_t k = 0; k < n; k++) {
		got[k].class = UINT32_MAX;
		got[k].number = 0;
		got[k].text = (struct as_slice){NULL, 0};
	}
	for (uint32_t i = class->first; i < class->first + class->n; i++) {
		const struct as_jfr_field *f = &c->field.p[i];

		for (size_t k = 0; k < n && f->word; k++) {
			if (got[k].word != f->word)
				continue;
			got[k].class = f->class;
			if (!got[k].is_text && !jfr_consts_number(c, f, cur, &got[k].number))
				return AS_E_FORMAT;
			if (got[k].is_text)
				AS_TRY(jfr_consts_field_text(c, f, cur, 0, &got[k].text));
		}
		if (!as_jfr_skip_field(c, &cur, f))
			return AS_E_FORMAT;
	}
	return AS_OK;
}
