/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks to paths, methods to functions. Each is looked at once, however often
 * it is named. */
#include "formats/jfr/jfr.h"

/* What a type of frames says. */
enum { FRAME_OTHER, FRAME_INLINED, FRAME_KERNEL };

/* ---- names ---- */

static bool jfr_stacks_is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool jfr_stacks_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* How long S is without digits at its end; with HEX, without "0x" and
 * hexadecimal ones. */
static size_t jfr_stacks_before_number(struct as_slice s, bool hex)
{
	size_t n = s.len;

	while (n && (hex ? jfr_stacks_is_hex(s.p[n - 1]) : jfr_stacks_is_digit(s.p[n - 1])))
		n--;
	if (n == s.len || !hex)
		return n;
	return n >= 2 && s.p[n - 1] == 'x' && s.p[n - 2] == '0' ? n - 2 : s.len;
}

/* A hidden class has numbers behind its name that are others in each run:
 * "+0x00007f7e/18142608", of a lambda "$89" before them; its last '/' may have
 * become '.' already. */
static struct as_slice jfr_stacks_cut_hidden(struct as_slice name)
{
	struct as_slice s = name;
	size_t n;

	for (int hex = 0; hex < 2; hex++) {
		n = jfr_stacks_before_number(s, hex);
		if (n > 1 && n < s.len && (s.p[n - 1] == '.' || s.p[n - 1] == '/'))
			s.len = n - 1;
	}
	n = jfr_stacks_before_number(s, true);
	if (n > 1 && n < s.len && s.p[n - 1] == '+')
		s.len = n - 1;
	n = jfr_stacks_before_number(s, false);
	if (n > 1 && n < s.len && s.p[n - 1] == '$' &&
		as_slice_ends((struct as_slice){s.p, n - 1}, "$$Lambda"))
		s.len = n - 1;
	return s;
}

/* CLASS with dots, "." and METHOD; p == NULL if out of memory. */
static struct as_slice jfr_stacks_join(
	struct as_jfr_chunk *c, struct as_slice class, struct as_slice method, struct as_slice more)
{
	size_t dot = class.len && method.len, n = class.len + dot + method.len + more.len;
	char *text = as_arena_get(&c->arena, n + 1), *p = text;

	if (!text)
		return (struct as_slice){NULL, 0};
	for (size_t i = 0; i < class.len; i++)
		*p++ = (char)(class.p[i] == '/' ? '.' : class.p[i]);
	if (dot)
		*p++ = '.';
	if (method.len)
		memcpy(p, method.p, method.len);
	if (more.len)
		memcpy(p + method.len, more.p, more.len);
	return (struct as_slice){text, n};
}

/* ---- methods ---- */

/* async-profiler writes native code as methods, whose classes are libraries,
 * with this for a descriptor: no method has such a one. */
static bool jfr_stacks_is_native(struct as_slice descriptor)
{
	return as_slice_is(descriptor, "()L;");
}

static enum as_code jfr_stacks_native(struct as_jfr_chunk *c, struct as_slice library,
	struct as_slice name, bool kernel, as_func *out)
{
	struct as_build *b = c->r->rd->out;
	as_object object;

	if (!library.len && kernel)
		library = as_slice_of("[kernel]");
	if (!name.len) {
		name = library;
		library.len = 0;
	}
	AS_TRY(as_build_object(b, library, (struct as_slice){NULL, 0}, &object));
	return as_build_func(b, name, object, (as_file){0}, 0, out);
}

/* Methods of one name are told apart by what they take: that is in the linkage
 * name, and so are the numbers of a hidden class. */
static enum as_code jfr_stacks_java(struct as_jfr_chunk *c, struct as_slice class,
	struct as_slice method, struct as_slice descriptor, as_func *out)
{
	struct as_build *b = c->r->rd->out;
	struct as_slice none = {NULL, 0};
	struct as_slice name = jfr_stacks_join(c, jfr_stacks_cut_hidden(class), method, none);
	struct as_slice system = jfr_stacks_join(c, class, method, descriptor);
	struct as_func_row row = {0};

	AS_TRY(as_err_memory(c->r->rd->err, name.p && system.p));
	AS_TRY(as_build_str(b, name, &row.name));
	AS_TRY(as_build_str(b, system, &row.system));
	return as_build_func_row(b, &row, out);
}

static enum as_code jfr_stacks_class_name(
	struct as_jfr_chunk *c, uint32_t class, uint64_t key, struct as_slice *name)
{
	struct as_jfr_got got[] = {{.word = JFR_W_NAME, .is_text = true}};
	struct as_jfr_const *have;

	*name = (struct as_slice){NULL, 0};
	AS_TRY(as_jfr_want_const(c, class, key, &have));
	if (!have)
		return AS_OK;
	AS_TRY(as_jfr_gather(c, class, as_jfr_at(c, have->p), got, AS_ARRAY_LEN(got)));
	*name = got[0].text;
	return AS_OK;
}

static enum as_code jfr_stacks_func(
	struct as_jfr_chunk *c, uint32_t class, uint64_t key, bool kernel, as_func *out)
{
	struct as_jfr_got got[] = {
		{.word = JFR_W_TYPE},
		{.word = JFR_W_NAME, .is_text = true},
		{.word = JFR_W_DESCRIPTOR, .is_text = true},
	};
	struct as_slice type, method, descriptor;
	struct as_jfr_const *have;

	out->i = 0;
	AS_TRY(as_jfr_want_const(c, class, key, &have));
	if (!have)
		return AS_OK;
	if (as_jfr_made(have, JFR_USE_METHOD, &out->i))
		return AS_OK;
	out->i = 0;
	AS_TRY(as_jfr_gather(c, class, as_jfr_at(c, have->p), got, AS_ARRAY_LEN(got)));
	AS_TRY(jfr_stacks_class_name(c, got[0].class, got[0].number, &type));
	method = got[1].text;
	descriptor = got[2].text;
	if (jfr_stacks_is_native(descriptor))
		AS_TRY(jfr_stacks_native(c, type, method, kernel, out));
	else
		AS_TRY(jfr_stacks_java(c, type, method, descriptor, out));
	as_jfr_make(have, JFR_USE_METHOD, out->i);
	return AS_OK;
}

/* ---- frames ---- */

static enum as_code jfr_stacks_frame_type(
	struct as_jfr_chunk *c, uint32_t class, uint64_t key, uint32_t *what)
{
	struct as_jfr_const *have;
	struct as_slice text;

	*what = FRAME_OTHER;
	AS_TRY(as_jfr_want_const(c, class, key, &have));
	if (!have)
		return AS_OK;
	if (as_jfr_made(have, JFR_USE_FRAME_TYPE, what))
		return AS_OK;
	AS_TRY(as_jfr_value_text(c, class, as_jfr_at(c, have->p), &text));
	*what = as_slice_is(text, "Inlined")  ? FRAME_INLINED
		: as_slice_is(text, "Kernel") ? FRAME_KERNEL
					      : FRAME_OTHER;
	as_jfr_make(have, JFR_USE_FRAME_TYPE, *what);
	return AS_OK;
}

struct frame {
	uint32_t method_class, type_class;
	uint64_t method, type, line;
};

static bool jfr_stacks_read_frame(
	struct as_jfr_chunk *c, uint32_t class, struct as_jfr_cur *cur, struct frame *frame)
{
	const struct as_jfr_class *k = &c->class.p[class];

	*frame = (struct frame){.method_class = UINT32_MAX, .type_class = UINT32_MAX};
	if (k->form != JFR_FORM_STRUCT || k->bad)
		return false;
	for (uint32_t i = k->first; i < k->first + k->n; i++) {
		const struct as_jfr_field *f = &c->field.p[i];
		bool key = f->pool && !f->array, ok;

		if (key && f->word == JFR_W_METHOD) {
			frame->method_class = f->class;
			ok = as_jfr_number(cur, JFR_LONG, &frame->method);
		} else if (key && f->word == JFR_W_TYPE) {
			frame->type_class = f->class;
			ok = as_jfr_number(cur, JFR_LONG, &frame->type);
		} else if (f->word == JFR_W_LINE && !f->pool && !f->array &&
			   f->class != UINT32_MAX && c->class.p[f->class].form == JFR_FORM_INT) {
			ok = as_jfr_number(cur, JFR_INT, &frame->line);
		} else {
			ok = as_jfr_skip_field(c, cur, f);
		}
		if (!ok)
			return false;
	}
	return true;
}

static AS_NOINLINE enum as_code jfr_stacks_place(
	struct as_jfr_chunk *c, const struct frame *frame, as_place *place)
{
	struct as_rd *rd = c->r->rd;
	struct as_pos pos = {0};
	uint32_t what;

	AS_TRY(jfr_stacks_frame_type(c, frame->type_class, frame->type, &what));
	AS_TRY(jfr_stacks_func(
		c, frame->method_class, frame->method, what == FRAME_KERNEL, &pos.func));
	pos.inlined = what == FRAME_INLINED;
	if (rd->detail != AS_DETAIL_FUNC && (int32_t)(uint32_t)frame->line > 0)
		pos.line = frame->line & INT32_MAX;
	return as_build_place(rd->out, &pos, place);
}

/* Stacks lead through the same few thousand places. */
static enum as_code jfr_stacks_add_frame(
	struct as_jfr_chunk *c, uint32_t class, struct as_jfr_cur *cur)
{
	struct as_jfr_hot *hot;
	struct frame frame;

	if (!jfr_stacks_read_frame(c, class, cur, &frame))
		return AS_E_FORMAT;
	hot = &c->hot[as_hash_mix(frame.method, frame.line << 8 ^ frame.type) % JFR_HOT];
	if (hot->method != frame.method || hot->type != frame.type || hot->line != frame.line ||
		hot->class != class + 1) {
		AS_TRY(jfr_stacks_place(c, &frame, &hot->place));
		hot->method = frame.method;
		hot->type = frame.type;
		hot->line = frame.line;
		hot->class = class + 1;
	}
	return as_err_memory(c->r->rd->err, as_vec_push(c->al, &c->stack, hot->place));
}

static enum as_code jfr_stacks_add_frames(
	struct as_jfr_chunk *c, const struct as_jfr_field *f, struct as_jfr_cur *cur)
{
	uint64_t n;

	if (f->pool || !f->array || f->class == UINT32_MAX)
		return as_jfr_skip_field(c, cur, f) ? AS_OK : AS_E_FORMAT;
	if (!as_jfr_number(cur, JFR_INT, &n) || n > as_jfr_left(cur))
		return AS_E_FORMAT;
	if (c->r->rd->lim.depth && n > c->r->rd->lim.depth)
		return as_rd_fail(c->r->rd, AS_E_LIMIT, as_jfr_off(c, cur->p), 0,
			"a stack of %" PRIu64 " frames; the limit is %" PRIu64, n,
			c->r->rd->lim.depth);
	while (n--)
		AS_TRY(jfr_stacks_add_frame(c, f->class, cur));
	return AS_OK;
}

/* ---- stacks ---- */

static enum as_code jfr_stacks_truncated(struct as_jfr_chunk *c, const uint8_t *p)
{
	struct as_jfr_read *r = c->r;
	struct as_slice text = as_slice_of(AS_JFR_TRUNCATED);
	struct as_pos pos = {0};
	as_object object;

	if (!r->n_truncated++)
		r->truncated_off = as_jfr_off(c, p);
	if (!r->truncated.i) {
		AS_TRY(as_build_object(r->rd->out, text, (struct as_slice){NULL, 0}, &object));
		AS_TRY(as_build_func(r->rd->out, text, object, (as_file){0}, 0, &pos.func));
		AS_TRY(as_build_place(r->rd->out, &pos, &r->truncated));
	}
	return as_err_memory(r->rd->err, as_vec_push(c->al, &c->stack, r->truncated));
}

/* The frames, the leaf first, and at last what says that there were more. */
static enum as_code jfr_stacks_read(struct as_jfr_chunk *c, uint32_t class, const uint8_t *p)
{
	const struct as_jfr_class *k = &c->class.p[class];
	struct as_jfr_cur cur = as_jfr_at(c, p);
	bool truncated = false;

	as_assert(class < c->class.n);
	c->stack.n = 0;
	if (!c->hot)
		AS_TRY(as_err_memory(c->r->rd->err, as_alloc_array(c->al, &c->hot, JFR_HOT)));
	for (uint32_t i = k->first; i < k->first + k->n; i++) {
		const struct as_jfr_field *f = &c->field.p[i];

		if (f->word == JFR_W_FRAMES) {
			AS_TRY(jfr_stacks_add_frames(c, f, &cur));
			continue;
		}
		if (f->word == JFR_W_TRUNCATED && cur.p < cur.end)
			truncated = *cur.p != 0;
		if (!as_jfr_skip_field(c, &cur, f))
			return AS_E_FORMAT;
	}
	return truncated ? jfr_stacks_truncated(c, p) : AS_OK;
}

/* The node of the stack, which has its beginning in common with the one before
 * it, or not. */
static enum as_code jfr_stacks_push(struct as_jfr_chunk *c, as_node *node)
{
	size_t n = c->stack.n, same = 0;

	while (same < n && same < c->before.n && c->before.p[same].i == c->stack.p[n - 1 - same].i)
		same++;
	c->before.n = c->node.n = same;
	if (same)
		*node = c->node.p[same - 1];
	for (size_t i = n - same; i > 0; i--) {
		AS_TRY(as_build_push(c->r->rd->out, *node, c->stack.p[i - 1], node));
		AS_TRY(as_err_memory(
			c->r->rd->err, as_vec_push(c->al, &c->before, c->stack.p[i - 1]) &&
					       as_vec_push(c->al, &c->node, *node)));
	}
	return AS_OK;
}

/* The stack, as it is. */
static enum as_code jfr_stacks_keep(struct as_jfr_chunk *c, as_node *row)
{
	struct as_jfr_read *r = c->r;
	struct as_jfr_stack none = {0, 0}, one = {r->frame.n, (uint32_t)c->stack.n};
	bool ok = as_vec_reserve(r->al, &r->frame, r->frame.n + c->stack.n) &&
		  (r->stack.n || as_vec_push(r->al, &r->stack, none)) &&
		  as_vec_push(r->al, &r->stack, one);

	if (!ok || r->stack.n > UINT32_MAX)
		return as_err_no_memory(r->rd->err);
	for (size_t i = c->stack.n; i > 0; i--)
		r->frame.p[r->frame.n++] = c->stack.p[i - 1];
	row->i = (uint32_t)r->stack.n - 1;
	return AS_OK;
}

enum as_code as_jfr_node(struct as_jfr_chunk *c, uint32_t class, uint64_t key, as_node *node)
{
	struct as_jfr_const *have;
	enum as_code rc;

	node->i = 0;
	AS_TRY(as_jfr_want_const(c, class, key, &have));
	if (!have)
		return AS_OK;
	if (as_jfr_made(have, JFR_USE_STACK, &node->i))
		return AS_OK;
	node->i = 0;
	rc = jfr_stacks_read(c, class, have->p);
	if (rc == AS_E_FORMAT) {
		c->stack.n = 0;
		rc = as_rd_find(c->r->rd, AS_F_JFR_POOL_DAMAGED, as_jfr_off(c, have->p), 0,
			"stack %" PRIu64 " cannot be read", key);
	}
	AS_TRY(rc);
	if (c->stack.n)
		AS_TRY(c->r->rd->sums ? jfr_stacks_keep(c, node) : jfr_stacks_push(c, node));
	as_jfr_make(have, JFR_USE_STACK, node->i);
	return AS_OK;
}
