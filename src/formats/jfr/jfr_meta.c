/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metadata event: a table of texts and a tree of elements, each with
 * attributes. Those of classes, their fields and the fields' annotations are
 * what values are read by.
 */
#include "formats/jfr/jfr.h"

enum { DEPTH_MAX = 16, NEST_MAX = 64, LEAST_MAX = 1 << 24 };
enum { UNSEEN, ENTERED, KNOWN };

/* An annotation of a field; what its class is called is known in the end. */
struct note {
	uint32_t field;
	uint64_t class_id;
	struct as_slice value;
};

struct meta {
	struct as_jfr_chunk *c;
	struct as_jfr_cur cur;
	uint32_t class, field; /* that the element is inside of; UINT32_MAX: none */
	AS_VEC(struct note) note;
};

struct element {
	struct as_slice tag, id, name, class, pool, dimension, value;
};

/* ---- the tree ---- */

static enum as_code jfr_meta_str(struct meta *m, struct as_slice *text)
{
	uint64_t i;

	if (!as_jfr_number(&m->cur, JFR_INT, &i) || i >= m->c->str.n)
		return AS_E_FORMAT;
	*text = m->c->str.p[i];
	return AS_OK;
}

static enum as_code jfr_meta_attributes(struct meta *m, struct element *e)
{
	struct as_slice key, value;
	uint64_t n;

	if (!as_jfr_number(&m->cur, JFR_INT, &n))
		return AS_E_FORMAT;
	while (n--) {
		AS_TRY(jfr_meta_str(m, &key));
		AS_TRY(jfr_meta_str(m, &value));
		if (as_slice_is(key, "id"))
			e->id = value;
		else if (as_slice_is(key, "name"))
			e->name = value;
		else if (as_slice_is(key, "class"))
			e->class = value;
		else if (as_slice_is(key, "constantPool"))
			e->pool = value;
		else if (as_slice_is(key, "dimension"))
			e->dimension = value;
		else if (as_slice_is(key, "value") || as_slice_is(key, "value-0"))
			e->value = value;
	}
	return AS_OK;
}

static enum as_code jfr_meta_class(struct meta *m, const struct element *e)
{
	struct as_jfr_class class = {.name = e->name, .first = (uint32_t)m->c->field.n};

	if (!as_slice_dec(e->id, &class.id) || m->c->class.n >= JFR_CLASSES - 1)
		return AS_E_FORMAT;
	m->class = (uint32_t)m->c->class.n;
	return as_err_memory(m->c->r->rd->err, as_vec_push(m->c->al, &m->c->class, class));
}

static enum as_jfr_word jfr_meta_word(struct as_slice name)
{
	static const char *const words[] = {
#define X(id, name) [JFR_W_##id] = name,
		AS_JFR_WORDS(X)
#undef X
	};

	for (uint32_t i = 1; i < AS_ARRAY_LEN(words); i++)
		if (as_slice_is(name, words[i]))
			return (enum as_jfr_word)i;
	return JFR_W_OTHER;
}

static enum as_code jfr_meta_field(struct meta *m, const struct element *e)
{
	struct as_jfr_chunk *c = m->c;
	struct as_jfr_field field = {.name = e->name,
		.word = jfr_meta_word(e->name),
		.pool = as_slice_is(e->pool, "true"),
		.array = e->dimension.len && !as_slice_is(e->dimension, "0")};

	if (!as_slice_dec(e->class, &field.class_id))
		return AS_E_FORMAT;
	m->field = (uint32_t)c->field.n;
	c->class.p[m->class].n++;
	return as_err_memory(c->r->rd->err, as_vec_push(c->al, &c->field, field));
}

static enum as_code jfr_meta_note(struct meta *m, const struct element *e)
{
	struct note note = {.field = m->field, .value = e->value};

	if (!as_slice_dec(e->class, &note.class_id))
		return AS_OK;
	return as_err_memory(m->c->r->rd->err, as_vec_push(m->c->al, &m->note, note));
}

/* What the element says, before those inside of it. */
static enum as_code jfr_meta_enter(struct meta *m, const struct element *e)
{
	bool in_class = m->class != UINT32_MAX, in_field = m->field != UINT32_MAX;

	if (!in_class && as_slice_is(e->tag, "class"))
		return jfr_meta_class(m, e);
	if (in_class && !in_field && as_slice_is(e->tag, "field"))
		return jfr_meta_field(m, e);
	if (in_field && as_slice_is(e->tag, "annotation"))
		return jfr_meta_note(m, e);
	return AS_OK;
}

static enum as_code jfr_meta_element(struct meta *m, unsigned depth)
{
	uint32_t class = m->class, field = m->field;
	struct element e = {.name = {"", 0}};
	uint64_t n;

	if (depth > DEPTH_MAX)
		return AS_E_FORMAT;
	AS_TRY(jfr_meta_str(m, &e.tag));
	AS_TRY(jfr_meta_attributes(m, &e));
	AS_TRY(jfr_meta_enter(m, &e));
	if (!as_jfr_number(&m->cur, JFR_INT, &n))
		return AS_E_FORMAT;
	while (n--)
		AS_TRY(jfr_meta_element(m, depth + 1));
	m->class = class;
	m->field = field;
	return AS_OK;
}

static enum as_code jfr_meta_strings(struct meta *m)
{
	struct as_jfr_chunk *c = m->c;
	struct as_slice text;
	uint64_t n;

	if (!as_jfr_number(&m->cur, JFR_INT, &n) || n > as_jfr_left(&m->cur))
		return AS_E_FORMAT;
	while (n--) {
		AS_TRY(as_jfr_text(c, &m->cur, &text));
		if (!text.p)
			text = as_slice_of("");
		AS_TRY(as_err_memory(c->r->rd->err, as_vec_push(c->al, &c->str, text)));
	}
	return AS_OK;
}

/* ---- what it means ---- */

uint32_t as_jfr_class_row(const struct as_jfr_chunk *c, uint64_t id)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&c->classes, as_hash_mix(id, 1), &pos, &row))
		if (c->class.p[row].id == id)
			return row;
	return UINT32_MAX;
}

static enum as_jfr_form jfr_meta_form(struct as_slice name)
{
	static const char *const forms[] = {
		[JFR_FORM_BOOLEAN] = "boolean",
		[JFR_FORM_BYTE] = "byte",
		[JFR_FORM_CHAR] = "char",
		[JFR_FORM_SHORT] = "short",
		[JFR_FORM_INT] = "int",
		[JFR_FORM_LONG] = "long",
		[JFR_FORM_FLOAT] = "float",
		[JFR_FORM_DOUBLE] = "double",
		[JFR_FORM_TEXT] = "java.lang.String",
	};

	for (uint32_t i = 1; i < AS_ARRAY_LEN(forms); i++)
		if (as_slice_is(name, forms[i]))
			return (enum as_jfr_form)i;
	return JFR_FORM_STRUCT;
}

static enum as_jfr_unit jfr_meta_unit(struct as_slice value)
{
	static const struct {
		const char *name;
		enum as_jfr_unit unit;
	} units[] = {
		{"BYTES", JFR_UNIT_BYTES},
		{"BITS", JFR_UNIT_BITS},
		{"NANOSECONDS", JFR_UNIT_NANOS},
		{"MICROSECONDS", JFR_UNIT_MICROS},
		{"MILLISECONDS", JFR_UNIT_MILLIS},
		{"SECONDS", JFR_UNIT_SECONDS},
		{"TICKS", JFR_UNIT_TICKS},
	};

	for (size_t i = 0; i < AS_ARRAY_LEN(units); i++)
		if (as_slice_is(value, units[i].name))
			return units[i].unit;
	return JFR_UNIT_NONE;
}

static enum as_code jfr_meta_number_classes(struct as_jfr_chunk *c)
{
	c->text_class = UINT32_MAX;
	for (uint32_t i = 0; i < c->class.n; i++) {
		struct as_jfr_class *class = &c->class.p[i];

		class->form = jfr_meta_form(class->name);
		if (class->form == JFR_FORM_TEXT && c->text_class == UINT32_MAX)
			c->text_class = i;
		if (as_jfr_class_row(c, class->id) == UINT32_MAX &&
			!as_index_add(&c->classes, as_hash_mix(class->id, 1), i))
			return as_err_no_memory(c->r->rd->err);
	}
	for (size_t i = 0; i < c->field.n; i++)
		c->field.p[i].class = as_jfr_class_row(c, c->field.p[i].class_id);
	return AS_OK;
}

static void jfr_meta_apply_notes(struct meta *m)
{
	for (size_t i = 0; i < m->note.n; i++) {
		const struct note *note = &m->note.p[i];
		uint32_t row = as_jfr_class_row(m->c, note->class_id);
		struct as_jfr_field *f = &m->c->field.p[note->field];
		struct as_slice name;

		if (row == UINT32_MAX)
			continue;
		name = m->c->class.p[row].name;
		if (as_slice_ends(name, ".Timespan") || as_slice_ends(name, ".DataAmount"))
			f->unit = jfr_meta_unit(note->value);
		f->is_unsigned |= as_slice_ends(name, ".Unsigned");
	}
}

/* Bytes that a value of each form takes at the least; where numbers are fixed,
 * exactly. */
static uint32_t jfr_meta_least_form(const struct as_jfr_chunk *c, enum as_jfr_form form)
{
	static const uint8_t fixed[] = {
		[JFR_FORM_CHAR] = 2,
		[JFR_FORM_SHORT] = 2,
		[JFR_FORM_INT] = JFR_INT,
		[JFR_FORM_LONG] = JFR_LONG,
	};

	if (form == JFR_FORM_FLOAT)
		return 4;
	if (form == JFR_FORM_DOUBLE)
		return 8;
	return c->fixed && (size_t)form < sizeof(fixed) && fixed[form] ? fixed[form] : 1;
}

static void jfr_meta_measure(struct as_jfr_chunk *c, uint32_t row, unsigned nest);

/* 0 if there is nothing to read. */
static uint32_t jfr_meta_least_field(struct as_jfr_chunk *c, struct as_jfr_class *of,
	const struct as_jfr_field *f, unsigned nest)
{
	if (f->pool || f->array)
		return 1;
	if (f->class == UINT32_MAX || nest >= NEST_MAX) {
		of->bad = true;
		return 1;
	}
	jfr_meta_measure(c, f->class, nest + 1);
	of->bad |= c->class.p[f->class].bad || c->class.p[f->class].state != KNOWN;
	return c->class.p[f->class].least;
}

/* How many numbers a value is, see as_jfr_class. */
static uint32_t jfr_meta_numbers(const struct as_jfr_chunk *c, const struct as_jfr_class *class)
{
	uint32_t sum = 0;

	if (c->fixed || class->bad)
		return 0;
	if (class->form != JFR_FORM_STRUCT)
		return class->form == JFR_FORM_CHAR || class->form == JFR_FORM_SHORT ||
		       class->form == JFR_FORM_INT || class->form == JFR_FORM_LONG;
	for (uint32_t i = class->first; i < class->first + class->n; i++) {
		const struct as_jfr_field *f = &c->field.p[i];
		uint32_t one;

		if (f->array) /* perhaps of a class that there is not */
			return 0;
		one = f->pool ? 1 : c->class.p[f->class].numbers;
		if (!one || sum > LEAST_MAX)
			return 0;
		sum += one;
	}
	return sum;
}

/* Fields that take no bytes go: a value takes as long as it has bytes. */
static void jfr_meta_measure(struct as_jfr_chunk *c, uint32_t row, unsigned nest)
{
	struct as_jfr_class *class = &c->class.p[row];
	uint32_t kept = class->first, sum = 0;

	as_assert(row < c->class.n);
	if (class->state != UNSEEN)
		return;
	class->state = ENTERED;
	for (uint32_t i = class->first; i < class->first + class->n; i++) {
		uint32_t least = jfr_meta_least_field(c, class, &c->field.p[i], nest);

		if (least)
			c->field.p[kept++] = c->field.p[i];
		sum = sum < LEAST_MAX ? sum + least : sum;
	}
	class->n = kept - class->first;
	class->least = class->form == JFR_FORM_STRUCT ? sum : jfr_meta_least_form(c, class->form);
	class->numbers = jfr_meta_numbers(c, class);
	class->state = KNOWN;
}

static void jfr_meta_clear(struct as_jfr_chunk *c)
{
	as_index_release(&c->classes);
	c->class.n = c->field.n = c->str.n = 0;
	c->text_class = UINT32_MAX;
}

enum as_code as_jfr_read_meta(struct as_jfr_chunk *c, const uint8_t *p)
{
	struct meta m = {.c = c, .cur = as_jfr_at(c, p), .class = UINT32_MAX, .field = UINT32_MAX};
	uint64_t size, type, skipped;

	jfr_meta_clear(c);
	if (!as_jfr_number(&m.cur, JFR_INT, &size) || size > (uint64_t)(c->end - p) ||
		p + size < m.cur.p)
		return AS_E_FORMAT;
	m.cur.end = p + size;
	if (!as_jfr_number(&m.cur, JFR_LONG, &type) || type != 0 ||
		!as_jfr_number(&m.cur, JFR_LONG, &skipped) || /* start, duration, id */
		!as_jfr_number(&m.cur, JFR_LONG, &skipped) ||
		!as_jfr_number(&m.cur, JFR_LONG, &skipped))
		return AS_E_FORMAT;
	AS_TRY(jfr_meta_strings(&m));
	AS_TRY(jfr_meta_element(&m, 0));
	if (!c->class.n)
		return AS_E_FORMAT;
	AS_TRY(jfr_meta_number_classes(c));
	jfr_meta_apply_notes(&m);
	for (uint32_t i = 0; i < c->class.n; i++)
		jfr_meta_measure(c, i, 0);
	return AS_OK;
}

/* ---- values ---- */

static bool jfr_meta_skip(
	const struct as_jfr_chunk *c, struct as_jfr_cur *cur, uint32_t row, unsigned nest);

static bool jfr_meta_skip_array(
	const struct as_jfr_chunk *c, struct as_jfr_cur *cur, uint32_t class, unsigned nest)
{
	uint32_t least = c->class.p[class].least;
	uint64_t n;

	as_assert(class < c->class.n);
	if (!as_jfr_number(cur, JFR_INT, &n))
		return false;
	if (!least)
		return true;
	if (n > as_jfr_left(cur) / least)
		return false;
	if (c->class.p[class].numbers)
		return as_jfr_skip_numbers(cur, n * c->class.p[class].numbers);
	while (n--)
		if (!jfr_meta_skip(c, cur, class, nest))
			return false;
	return true;
}

static bool jfr_meta_skip_keys(struct as_jfr_cur *cur)
{
	uint64_t n, key;

	if (!as_jfr_number(cur, JFR_INT, &n) || n > as_jfr_left(cur))
		return false;
	if (!cur->fixed)
		return as_jfr_skip_numbers(cur, n);
	while (n--)
		if (!as_jfr_number(cur, JFR_LONG, &key))
			return false;
	return true;
}

static bool jfr_meta_skip_field(const struct as_jfr_chunk *c, struct as_jfr_cur *cur,
	const struct as_jfr_field *f, unsigned nest)
{
	uint64_t key;

	if (f->pool && f->array)
		return jfr_meta_skip_keys(cur);
	if (f->pool)
		return cur->fixed ? as_jfr_number(cur, JFR_LONG, &key)
				  : as_jfr_skip_numbers(cur, 1);
	if (f->class == UINT32_MAX || nest > NEST_MAX)
		return false;
	if (!f->array && c->class.p[f->class].numbers)
		return as_jfr_skip_numbers(cur, c->class.p[f->class].numbers);
	return f->array ? jfr_meta_skip_array(c, cur, f->class, nest + 1)
			: jfr_meta_skip(c, cur, f->class, nest + 1);
}

static bool jfr_meta_skip_struct(const struct as_jfr_chunk *c, struct as_jfr_cur *cur,
	const struct as_jfr_class *class, unsigned nest)
{
	if (class->bad)
		return false;
	if (class->numbers)
		return as_jfr_skip_numbers(cur, class->numbers);
	for (uint32_t i = class->first; i < class->first + class->n; i++)
		if (!jfr_meta_skip_field(c, cur, &c->field.p[i], nest))
			return false;
	return true;
}

static bool jfr_meta_skip(
	const struct as_jfr_chunk *c, struct as_jfr_cur *cur, uint32_t row, unsigned nest)
{
	const struct as_jfr_class *class = &c->class.p[row];
	uint64_t v;

	as_assert(row < c->class.n);
	switch (class->form) {
	case JFR_FORM_BOOLEAN:
	case JFR_FORM_BYTE:
		return as_jfr_jump(cur, 1);
	case JFR_FORM_CHAR:
	case JFR_FORM_SHORT:
		return as_jfr_number(cur, 2, &v);
	case JFR_FORM_INT:
		return as_jfr_number(cur, JFR_INT, &v);
	case JFR_FORM_LONG:
		return as_jfr_number(cur, JFR_LONG, &v);
	case JFR_FORM_FLOAT:
		return as_jfr_jump(cur, 4);
	case JFR_FORM_DOUBLE:
		return as_jfr_jump(cur, 8);
	case JFR_FORM_TEXT:
		return as_jfr_skip_text(cur);
	case JFR_FORM_STRUCT:
		break;
	}
	return jfr_meta_skip_struct(c, cur, class, nest);
}

bool as_jfr_skip_field(
	const struct as_jfr_chunk *c, struct as_jfr_cur *cur, const struct as_jfr_field *f)
{
	return jfr_meta_skip_field(c, cur, f, 0);
}

bool as_jfr_skip_value(const struct as_jfr_chunk *c, struct as_jfr_cur *cur, uint32_t row)
{
	return jfr_meta_skip(c, cur, row, 0);
}
