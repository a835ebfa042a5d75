/* SPDX-License-Identifier: Apache-2.0 */
/* A flame graph as bytes for a page: a head in JSON, and a column for each field of its boxes. */
#include <math.h>

#include "base/index.h"
#include "model/strings.h"
#include "picture/flame_impl.h"
#include "report/kit/json.h"

enum { ALIGN = 8 };
enum { ESTIMATED = 1, RECURSIVE = 2, NEW = 4, GONE = 8 };

/* A function of the picture, by one of its boxes. */
struct named {
	size_t box;
	as_str file, object;
};

/* Which functions are in the picture: only those are named. */
struct names {
	const struct as_flame *f;
	uint64_t id;
	struct as_arena ar;
	struct as_strings file, object; /* handle = place in the list + 1 */
	uint32_t *place;                /* of each function + 1; 0 = not there */
	size_t size;
	AS_VEC(struct named) func;
};

static bool has_func(const struct as_flame_box *b)
{
	return b->kind == AS_FLAME_FUNC || b->kind == AS_FLAME_GROUP;
}

static enum as_code name_box(struct names *n, size_t box)
{
	const struct as_flame *f = n->f;
	uint32_t no = f->words->func_no(f, box);
	struct named named = {.box = box};
	struct as_flame_func func;

	if (n->place[no])
		return AS_OK;
	func = f->words->func(f, box);
	if (!as_strings_add(&n->file, func.file, &named.file) ||
		!as_strings_add(&n->object, func.object, &named.object) ||
		!as_vec_push(f->al, &n->func, named))
		return AS_E_NOMEM;
	n->place[no] = (uint32_t)n->func.n;
	return AS_OK;
}

static enum as_code names_make(struct names *n, const struct as_flame *f)
{
	uint32_t last = 0;
	bool fine;

	*n = (struct names){.f = f};
	as_arena_init(&n->ar, f->al);
	fine = as_strings_init(&n->file, &n->ar);
	AS_TRY(as_memory(as_strings_init(&n->object, &n->ar) && fine));
	for (size_t i = 0; i < f->box.n; i++)
		if (has_func(&f->box.p[i]) && f->words->func_no(f, i) > last)
			last = f->words->func_no(f, i);
	n->size = ((size_t)last + 1) * sizeof(*n->place);
	n->place = as_alloc_new(f->al, n->size);
	AS_TRY(as_memory(n->place));
	for (size_t i = 0; i < f->box.n; i++)
		if (has_func(&f->box.p[i]))
			AS_TRY(name_box(n, i));
	return AS_OK;
}

static void names_release(struct names *n)
{
	as_alloc_free(n->f->al, n->place, n->size);
	as_vec_free(n->f->al, &n->func);
	as_strings_release(&n->file);
	as_strings_release(&n->object);
	as_arena_release(&n->ar);
}

/* ---- the head ---- */

static void say_functions(struct as_json *j, const struct names *n)
{
	const struct as_flame *f = n->f;

	as_json_array(j, "function");
	for (size_t i = 0; i < n->func.n; i++)
		as_json_text(j, NULL, f->words->func(f, n->func.p[i].box).name);
	as_json_array_end(j);
	as_json_array(j, "file");
	for (size_t i = 0; i < n->func.n; i++)
		as_json_val(j, NULL, (as_val)n->func.p[i].file.i - 1);
	as_json_array_end(j);
	as_json_array(j, "object");
	for (size_t i = 0; i < n->func.n; i++)
		as_json_val(j, NULL, (as_val)n->func.p[i].object.i - 1);
	as_json_array_end(j);
	as_json_array(j, "address");
	for (size_t i = 0; i < n->func.n; i++) {
		struct as_flame_func func = f->words->func(f, n->func.p[i].box);

		if (func.has_addr)
			as_json_addr(j, NULL, func.addr);
		else
			as_json_null(j, NULL);
	}
	as_json_array_end(j);
}

static void say_list(struct as_json *j, const char *key, const struct as_strings *st)
{
	as_json_array(j, key);
	for (size_t i = 1; i < st->row.n; i++)
		as_json_text(j, NULL, st->row.p[i]);
	as_json_array_end(j);
}

static void say_groups(struct as_json *j, const struct as_flame *f)
{
	as_json_array(j, "groups");
	for (size_t i = 0; i < f->group.n; i++) {
		as_json_object(j, NULL);
		as_json_val(j, "colour", f->group.p[i].colour);
		as_json_text(j, "name", f->group.p[i].name);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void say_head(struct names *n, const struct as_flame_style *how, struct as_out *out)
{
	const struct as_flame *f = n->f;
	struct as_flame_event event = as_flame_event(f);
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.flame/1"));
	as_json_val(&j, "id", n->id);
	as_json_text(&j, "event", event.name);
	as_json_text_or_null(&j, "unit", event.unit);
	as_json_val(&j, "decimals", event.decimals);
	as_json_val(&j, "total", f->width);
	as_json_val(&j, "whole", f->total);
	as_json_text(&j, "title", f->words->title(f, &n->ar));
	as_json_text(&j, "notes", as_flame_notes(f, how, &n->ar));
	as_json_val(&j, "depth", f->depth);
	as_json_val(&j, "small", f->n_small);
	as_json_bool(&j, "estimated", f->estimated);
	as_json_val(&j, "n", f->box.n);
	as_json_bool(&j, "diff", f->words->sides != NULL);
	as_json_object(&j, "names");
	say_functions(&j, n);
	as_json_object_end(&j);
	say_list(&j, "files", &n->file);
	say_list(&j, "objects", &n->object);
	say_groups(&j, f);
	as_json_object_end(&j);
	as_json_finish(&j);
}

/* ---- columns ---- */

static double flame_wire_real(as_val v)
{
	return v == (int64_t)v ? (double)(int64_t)v : (double)v;
}

static inline void flame_wire_put(struct as_out *out, uint64_t v, size_t n)
{
	char *p = as_out_room(out, n);

#if AS_LITTLE_ENDIAN
	memcpy(p, &v, n);
#else
	for (size_t i = 0; i < n; i++)
		p[i] = (char)(v >> 8 * i);
#endif
	out->n += n;
}

static void put_real(struct as_out *out, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	flame_wire_put(out, bits, sizeof(bits));
}

static struct as_flame_sides flame_wire_sides_of(const struct as_flame *f, size_t box)
{
	struct as_flame_sides s = {.value = {0, f->box.p[box].cost}, .has = {true, true}};

	if (f->words->sides)
		f->words->sides(f, box, &s);
	if (!s.known)
		s.value[AS_NEW] = f->box.p[box].cost;
	return s;
}

static void flame_wire_put_costs(const struct as_flame *f, struct as_out *out)
{
	for (size_t i = 0; i < f->box.n; i++)
		put_real(out, flame_wire_real(f->box.p[i].at));
	for (size_t i = 0; i < f->box.n; i++)
		put_real(out, flame_wire_real(f->box.p[i].width));
	for (size_t i = 0; i < f->box.n; i++)
		put_real(out, flame_wire_real(f->box.p[i].self));
	for (size_t i = 0; i < f->box.n; i++)
		put_real(out, flame_wire_real(flame_wire_sides_of(f, i).value[AS_NEW]));
	for (size_t i = 0; i < f->box.n && f->words->sides; i++) {
		struct as_flame_sides s = flame_wire_sides_of(f, i);

		put_real(out, s.known ? flame_wire_real(s.value[AS_BASE]) : (double)NAN);
	}
}

static uint32_t flame_wire_name_of(const struct names *n, size_t box)
{
	const struct as_flame_box *b = &n->f->box.p[box];

	if (b->kind == AS_FLAME_REST)
		return b->row < UINT32_MAX ? (uint32_t)b->row : UINT32_MAX;
	return has_func(b) ? n->place[n->f->words->func_no(n->f, box)] - 1 : UINT32_MAX;
}

static unsigned flags_of(const struct as_flame *f, size_t box)
{
	const struct as_flame_box *b = &f->box.p[box];
	struct as_flame_sides s = flame_wire_sides_of(f, box);

	return (b->estimated ? ESTIMATED : 0) | (b->recursive ? RECURSIVE : 0) |
	       (s.has[AS_BASE] ? 0 : NEW) | (s.has[AS_NEW] ? 0 : GONE);
}

static void put_columns(const struct names *n, struct as_out *out)
{
	const struct as_flame *f = n->f;

	flame_wire_put_costs(f, out);
	for (size_t i = 0; i < f->box.n; i++)
		flame_wire_put(out, f->box.p[i].depth, sizeof(uint32_t));
	for (size_t i = 0; i < f->box.n; i++)
		flame_wire_put(out, flame_wire_name_of(n, i), sizeof(uint32_t));
	for (size_t i = 0; i < f->box.n; i++)
		as_out_char(out, (char)f->box.p[i].kind);
	for (size_t i = 0; i < f->box.n; i++)
		as_out_char(out, (char)f->box.p[i].colour);
	for (size_t i = 0; i < f->box.n; i++)
		as_out_char(out, (char)flags_of(f, i));
}

/* The length of the head comes before it. */
static enum as_code flame_wire_write_all(
	struct names *n, const struct as_flame_style *how, struct as_out *out)
{
	struct as_sink_mem head;
	struct as_out text;
	struct as_err err;
	enum as_code rc;

	as_err_clear(&err);
	as_sink_mem_init(&head, n->f->al);
	rc = as_out_open(&text, n->f->al, &head.sink, &err);
	if (rc == AS_OK) {
		say_head(n, how, &text);
		rc = as_out_finish(&text);
	}
	AS_THEN(rc, as_arena_code(&n->ar));
	if (rc == AS_OK && head.data.n > UINT32_MAX)
		rc = AS_E_LIMIT;
	if (rc == AS_OK) {
		flame_wire_put(out, head.data.n, sizeof(uint32_t));
		as_out_bytes(out, head.data.p, head.data.n);
		for (size_t at = sizeof(uint32_t) + head.data.n; at % ALIGN; at++)
			as_out_char(out, 0);
		put_columns(n, out);
	}
	as_sink_mem_release(&head);
	return rc;
}

enum as_code as_flame_wire(
	const struct as_flame *f, const struct as_flame_style *how, uint64_t id, struct as_out *out)
{
	struct names n;
	enum as_code rc = names_make(&n, f);

	n.id = id;
	AS_THEN(rc, flame_wire_write_all(&n, how, out));
	names_release(&n);
	return rc;
}

/* ---- facts ---- */

static enum as_code flame_wire_say_facts(
	const struct as_flame *f, size_t box, struct as_arena *ar, struct as_json *j)
{
	as_json_object(j, NULL);
	as_json_text(j, "name", as_flame_name(f, ar, box));
	as_json_text(j, "facts", f->words->facts(f, ar, box));
	as_json_text(j, "where", as_flame_place(f, ar, box));
	as_json_object_end(j);
	return as_arena_code(ar);
}

enum as_code as_flame_facts_json(
	const struct as_flame *f, const size_t *box, size_t n, struct as_out *out)
{
	enum as_code rc = AS_OK;
	struct as_arena ar;
	struct as_json j;

	as_arena_init(&ar, f->al);
	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_array(&j, "boxes");
	for (size_t i = 0; i < n && rc == AS_OK; i++)
		rc = box[i] < f->box.n ? flame_wire_say_facts(f, box[i], &ar, &j) : AS_E_ARG;
	as_json_array_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
	as_arena_release(&ar);
	return rc;
}
