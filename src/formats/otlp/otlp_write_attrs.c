/* SPDX-License-Identifier: Apache-2.0 */
/* Strings, attributes and links to write; what resources, scopes and profiles say. */
#include <stdlib.h>

#include "formats/otlp/otlp_write.h"
#include "formats/run_lines.h"

uint64_t as_otlp_str_of(struct as_otlp_write *w, struct as_slice text)
{
	as_str s = {0};

	if (!as_strings_add(&w->str, text, &s))
		w->no_memory = true;
	return s.i;
}

struct as_slice as_otlp_meta(const struct as_otlp_write *w, const char *key)
{
	for (size_t i = 0; i < w->prof->meta.n; i++)
		if (as_slice_is(as_str_get(w->prof, w->prof->meta.p[i].key), key))
			return as_str_get(w->prof, w->prof->meta.p[i].text);
	return (struct as_slice){NULL, 0};
}

/* ---- values ---- */

static bool attrs_put_json(struct as_otlp_write *w, struct as_pull *j, unsigned depth);

static bool attrs_put_array(struct as_otlp_write *w, struct as_pull *j, unsigned depth)
{
	as_otlp_put_begin(&w->put, AS_OTLP_F_ARRAY);
	as_otlp_put_list(&w->put, AS_OTLP_F_VALUE);
	as_pull_array(j);
	while (as_pull_item(j)) {
		as_otlp_put_begin(&w->put, AS_OTLP_F_VALUE);
		attrs_put_json(w, j, depth + 1);
		as_otlp_put_end(&w->put);
	}
	as_otlp_put_list_end(&w->put);
	as_otlp_put_end(&w->put);
	return !j->why;
}

static bool attrs_put_object(struct as_otlp_write *w, struct as_pull *j, unsigned depth)
{
	struct as_slice key;

	as_otlp_put_begin(&w->put, AS_OTLP_F_KVLIST);
	as_otlp_put_list(&w->put, AS_OTLP_F_ATTRIBUTES);
	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		as_otlp_put_begin(&w->put, AS_OTLP_F_ATTRIBUTES);
		as_otlp_put_text(&w->put, AS_OTLP_F_KEY, key);
		as_otlp_put_begin(&w->put, AS_OTLP_F_VALUE);
		attrs_put_json(w, j, depth + 1);
		as_otlp_put_end(&w->put);
		as_otlp_put_end(&w->put);
	}
	as_otlp_put_list_end(&w->put);
	as_otlp_put_end(&w->put);
	return !j->why;
}

static bool attrs_put_json_number(struct as_otlp_write *w, struct as_pull *j)
{
	struct as_slice text;
	bool negative;
	char buf[64];
	uint64_t v;

	if (!as_pull_number(j, &text))
		return false;
	if (as_pull_integer(text, &v, &negative) && (negative || v <= INT64_MAX) &&
		!as_slice_has(text, '.') && !as_slice_has(text, 'e')) {
		as_otlp_put_number_always(&w->put, AS_OTLP_F_INT, v);
		return true;
	}
	snprintf(buf, sizeof(buf), "%.*s", (int)(text.len < 63 ? text.len : 63), text.p);
	as_otlp_put_real(&w->put, AS_OTLP_F_DOUBLE, strtod(buf, NULL));
	return true;
}

/* The value that comes next in J, which is all right. */
static bool attrs_put_json(struct as_otlp_write *w, struct as_pull *j, unsigned depth)
{
	struct as_slice text;
	bool yes;

	switch (as_pull_peek(j)) {
	case AS_PULL_ARRAY:
		return depth < 2 ? attrs_put_array(w, j, depth) : as_pull_skip(j);
	case AS_PULL_OBJECT:
		return depth < 2 ? attrs_put_object(w, j, depth) : as_pull_skip(j);
	case AS_PULL_TRUE:
	case AS_PULL_FALSE:
		if (as_pull_bool(j, &yes))
			as_otlp_put_number_always(&w->put, AS_OTLP_F_BOOL, yes);
		return !j->why;
	case AS_PULL_NUMBER:
		return attrs_put_json_number(w, j);
	case AS_PULL_TEXT:
		if (as_pull_text(j, &text))
			as_otlp_put_text_always(&w->put, AS_OTLP_F_STRING, text);
		return !j->why;
	default:
		return as_pull_skip(j);
	}
}

/* Whether TEXT is a value of JSON which is no text and no integer, and is not nested deeper than
 * what is written. */
static bool attrs_is_json(struct as_otlp_write *w, struct as_slice text)
{
	struct as_pull j;
	unsigned depth = 0, most = 0;
	enum as_pull_kind kind;

	as_pull_init(&j, text, &w->arena);
	kind = as_pull_peek(&j);
	if (kind == AS_PULL_TEXT || kind == AS_PULL_NULL || !as_pull_skip(&j) ||
		as_pull_peek(&j) != AS_PULL_END)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		depth += text.p[i] == '[' || text.p[i] == '{';
		most = depth > most ? depth : most;
		depth -= depth && (text.p[i] == ']' || text.p[i] == '}');
	}
	return most <= 2;
}

void as_otlp_put_any(struct as_otlp_write *w, struct as_slice text, bool is_json)
{
	struct as_pull j;

	as_pull_init(&j, text, &w->arena);
	if (is_json)
		attrs_put_json(w, &j, 0);
	else
		as_otlp_put_text_always(&w->put, AS_OTLP_F_STRING, text);
}

/* ---- rows ---- */

static bool attrs_same(const struct as_otlp_out_attr *a, const struct as_otlp_out_attr *b)
{
	return a->key == b->key && a->unit == b->unit && a->is_number == b->is_number &&
	       a->is_json == b->is_json && a->number == b->number && as_slice_eq(a->text, b->text);
}

static uint64_t attrs_row(struct as_otlp_write *w, const struct as_otlp_out_attr *a)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(a->key, a->unit);
	uint32_t row;

	hash = as_hash_mix(hash, (uint64_t)a->number);
	hash = as_hash_mix(hash, as_hash_bytes(a->text.p ? a->text.p : "", a->text.len));
	while (as_index_find(&w->attrs, hash, &pos, &row))
		if (attrs_same(&w->attr.p[row], a))
			return (uint64_t)row + 1;
	if (!as_vec_push(w->al, &w->attr, *a) ||
		!as_index_add(&w->attrs, hash, (uint32_t)w->attr.n - 1))
		w->no_memory = true;
	return w->attr.n;
}

uint64_t as_otlp_attr_text(struct as_otlp_write *w, struct as_slice key, struct as_slice text)
{
	struct as_otlp_out_attr a = {.key = as_otlp_str_of(w, key), .text = text};

	return attrs_row(w, &a);
}

uint64_t as_otlp_attr_json(struct as_otlp_write *w, struct as_slice key, struct as_slice json)
{
	struct as_otlp_out_attr a = {.key = as_otlp_str_of(w, key), .text = json, .is_json = true};

	return attrs_row(w, &a);
}

uint64_t as_otlp_attr_number(
	struct as_otlp_write *w, struct as_slice key, int64_t number, struct as_slice unit)
{
	struct as_otlp_out_attr a = {.key = as_otlp_str_of(w, key),
		.unit = as_otlp_str_of(w, unit),
		.number = number,
		.is_number = true};

	return attrs_row(w, &a);
}

/* ---- labels ---- */

/* Whether the resource of the part WHOLE says the same. */
static bool attrs_is_of_resource(
	const struct as_otlp_write *w, const struct as_label *l, uint32_t whole)
{
	const struct as_profile *prof = w->prof;
	const struct as_part *p = &prof->part.p[whole];
	struct as_slice key = as_str_get(prof, l->key), text;

	if (as_slice_is(key, AS_OTLP_PID) && p->has_pid && !l->text.i)
		return (uint64_t)l->number == p->pid;
	if (as_slice_is(key, AS_OTLP_COMMAND) && l->text.i)
		return l->text.i == p->command.i;
	for (size_t i = 0; i < prof->meta.n; i++) {
		text = as_str_get(prof, prof->meta.p[i].key);
		if (prof->meta.p[i].part == whole && as_slice_starts(text, AS_OTLP_META_RESOURCE) &&
			as_slice_eq(as_slice_skip(text, strlen(AS_OTLP_META_RESOURCE)), key) &&
			prof->meta.p[i].text.i == l->text.i)
			return true;
	}
	return false;
}

static uint64_t attrs_label(struct as_otlp_write *w, const struct as_label *l)
{
	struct as_slice key = as_str_get(w->prof, l->key), text = as_str_get(w->prof, l->text);

	if (!l->text.i)
		return as_otlp_attr_number(w, key, l->number, as_str_get(w->prof, l->unit));
	if (w->own && attrs_is_json(w, text))
		return as_otlp_attr_json(w, key, text);
	return as_otlp_attr_text(w, key, text);
}

static bool attrs_is_id(struct as_slice text, size_t digits)
{
	return text.len == digits && as_slice_is_hex(text);
}

/* The row of the link; the ids are labels of ours. */
static uint32_t attrs_link(struct as_otlp_write *w, const struct as_otlp_out_link *link)
{
	if (!link->trace.len && !link->span.len)
		return 0;
	for (size_t i = w->link.n; i-- > 0 && w->link.n - i < 64;)
		if (as_slice_eq(w->link.p[i].trace, link->trace) &&
			as_slice_eq(w->link.p[i].span, link->span))
			return (uint32_t)i + 1;
	if (!as_vec_push(w->al, &w->link, *link))
		w->no_memory = true;
	return (uint32_t)w->link.n;
}

const struct as_otlp_out_set *as_otlp_set_of(struct as_otlp_write *w, uint32_t part, uint32_t whole)
{
	struct as_otlp_out_set *set = &w->set[part];
	const struct as_part *p = &w->prof->part.p[part];
	struct as_otlp_out_link link = {{NULL, 0}, {NULL, 0}};

	as_assert(part < w->prof->part.n);
	if (set->done)
		return set;
	set->done = true;
	set->first = (uint32_t)w->set_list.n;
	for (uint32_t i = 0; i < p->n_labels; i++) {
		const struct as_label *l =
			&w->prof->label.p[w->plan.labels.label[p->first_label + i]];
		struct as_slice key = as_str_get(w->prof, l->key);
		struct as_slice text = as_str_get(w->prof, l->text);

		if (l->opaque || attrs_is_of_resource(w, l, whole))
			continue;
		if (as_slice_is(key, AS_OTLP_TRACE) && attrs_is_id(text, 32))
			link.trace = text;
		else if (as_slice_is(key, AS_OTLP_SPAN) && attrs_is_id(text, 16))
			link.span = text;
		else if (!as_vec_push(w->al, &w->set_list, attrs_label(w, l)))
			w->no_memory = true;
	}
	set->n = (uint32_t)w->set_list.n - set->first;
	set->link = attrs_link(w, &link);
	return set;
}

/* ---- resources and scopes ---- */

static void attrs_begin(struct as_otlp_write *w, struct as_slice key)
{
	as_otlp_put_begin(&w->put, AS_OTLP_F_ATTRIBUTES);
	as_otlp_put_text(&w->put, AS_OTLP_F_KEY, key);
	as_otlp_put_begin(&w->put, AS_OTLP_F_VALUE);
}

static void attrs_end(struct as_otlp_write *w)
{
	as_otlp_put_end(&w->put);
	as_otlp_put_end(&w->put);
}

static void attrs_put_number(struct as_otlp_write *w, const char *key, uint64_t v)
{
	attrs_begin(w, as_slice_of(key));
	as_otlp_put_number_always(&w->put, AS_OTLP_F_INT, v);
	attrs_end(w);
}

static void attrs_put_text(struct as_otlp_write *w, const char *key, as_str text)
{
	if (!text.i)
		return;
	attrs_begin(w, as_slice_of(key));
	as_otlp_put_any(w, as_str_get(w->prof, text), false);
	attrs_end(w);
}

/* A line of metadata that was an attribute of the resource. */
static void attrs_put_meta(struct as_otlp_write *w, const struct as_meta *m)
{
	struct as_slice key = as_str_get(w->prof, m->key), text = as_str_get(w->prof, m->text);
	bool number, negative;
	uint64_t v;

	key = as_slice_skip(key, strlen(AS_OTLP_META_RESOURCE));
	number = as_slice_ends(key, AS_OTLP_META_NUMBER) && as_pull_integer(text, &v, &negative);
	if (number)
		key.len -= strlen(AS_OTLP_META_NUMBER);
	attrs_begin(w, key);
	if (number)
		as_otlp_put_number_always(&w->put, AS_OTLP_F_INT, v);
	else
		as_otlp_put_any(w, text, w->own && attrs_is_json(w, text));
	attrs_end(w);
}

void as_otlp_put_resource(struct as_otlp_write *w, uint32_t whole)
{
	const struct as_part *p = &w->prof->part.p[whole];

	as_assert(whole < w->prof->part.n);
	as_otlp_put_begin(&w->put, AS_OTLP_F_RESOURCE);
	as_otlp_put_list(&w->put, AS_OTLP_F_ATTRIBUTES);
	for (size_t i = 0; i < w->prof->meta.n; i++) {
		const struct as_meta *m = &w->prof->meta.p[i];

		if (m->part == whole &&
			as_slice_starts(as_str_get(w->prof, m->key), AS_OTLP_META_RESOURCE))
			attrs_put_meta(w, m);
	}
	if (p->has_pid)
		attrs_put_number(w, AS_OTLP_PID, p->pid);
	attrs_put_text(w, AS_OTLP_COMMAND, p->command);
	if (p->has_tid)
		attrs_put_number(w, AS_OTLP_TID, p->tid);
	attrs_put_text(w, AS_OTLP_THREAD, p->thread);
	if (p->has_number)
		attrs_put_number(w, AS_OTLP_PART, p->number);
	as_otlp_put_list_end(&w->put);
	as_otlp_put_end(&w->put);
}

/* "NAME VERSION", as it was read; what is shown first unasked, where that is not the first. */
void as_otlp_put_scope(struct as_otlp_write *w, uint32_t whole)
{
	struct as_slice text = as_str_get(w->prof, w->prof->part.p[whole].creator), name = text;
	size_t n = as_slice_up_to_last(text, ' ');
	uint32_t events = as_n_events(w->prof);

	as_assert(whole < w->prof->part.n);
	as_otlp_put_begin(&w->put, AS_OTLP_F_SCOPE);
	if (w->own && n > 1)
		name.len = n - 1;
	as_otlp_put_text(&w->put, AS_OTLP_F_NAME, name);
	if (name.len < text.len)
		as_otlp_put_text(&w->put, AS_OTLP_F_VERSION, as_slice_skip(text, n));
	if (events > 1 && as_event_in_column(w->prof, 0)) {
		as_otlp_put_list(&w->put, AS_OTLP_F_ATTRIBUTES);
		attrs_put_text(w, AS_OTLP_DEFAULT, w->prof->event.p[0].name);
		as_otlp_put_list_end(&w->put);
	}
	as_otlp_put_end(&w->put);
}

/* ---- profiles ---- */

/* Texts that are a value of JSON, an array: "[" ... "]". */
struct comments {
	struct as_otlp_write *w;
	AS_VEC(char) text;
};

static void comments_add(struct comments *c, const char *p, size_t n)
{
	if (!as_vec_append(c->w->al, &c->text, p, n))
		c->w->no_memory = true;
}

static void comments_add_one(struct comments *c, struct as_slice s)
{
	char escape[8];

	comments_add(c, c->text.n ? ",\"" : "[\"", 2);
	for (size_t i = 0; i < s.len; i++) {
		unsigned char b = (unsigned char)s.p[i];

		if (b >= 0x20 && b != '"' && b != '\\')
			comments_add(c, s.p + i, 1);
		else
			comments_add(
				c, escape, (size_t)snprintf(escape, sizeof(escape), "\\u%04x", b));
	}
	comments_add(c, "\"", 1);
}

/* What is said of the run comes first: should a comment of the source's say so, too, it is not
 * that one that holds. */
static bool attrs_comments(struct as_otlp_write *w, struct comments *c)
{
	unsigned kinds = AS_RUN_UTF8;
	struct as_run_lines run;
	bool ok;

	for (size_t i = 0; i < w->prof->event.n; i++)
		if (w->prof->event.p[i].active)
			kinds |= AS_RUN_EVENTS;
	ok = as_run_lines_make(&run, w->prof, kinds);
	for (size_t i = 0; ok && i < run.line.n; i++)
		comments_add_one(c, run.line.p[i]);
	as_run_lines_release(&run, w->prof->al);
	for (size_t i = 0; ok && i < w->prof->meta.n; i++) {
		const struct as_meta *m = &w->prof->meta.p[i];

		if (as_slice_is(as_str_get(w->prof, m->key), AS_OTLP_META_COMMENT))
			comments_add_one(c, as_str_get(w->prof, m->text));
	}
	if (c->text.n)
		comments_add(c, "]", 1);
	return ok && !w->no_memory;
}

static bool attrs_known_meta(struct as_slice key)
{
	static const char *const known[] = {AS_OTLP_META_COMMENT, AS_OTLP_META_PERIOD,
		AS_OTLP_META_PERIOD_TYPE, AS_OTLP_META_PERIOD_UNIT, "profile_id", "schema_url",
		"default_sample_type"};

	return as_slice_is_one_of(key, known) || as_slice_starts(key, AS_OTLP_META_RESOURCE) ||
	       as_run_is_key(key);
}

static void attrs_profile(struct as_otlp_write *w, uint64_t row)
{
	if (!as_vec_push(w->al, &w->profile_attrs, row))
		w->no_memory = true;
}

/* A line of metadata as an attribute of profiles, if it is one. */
static bool attrs_profile_meta(struct as_otlp_write *w, struct as_slice key, struct as_slice text)
{
	static const char *const known[] = {"doc_url", "drop_frames", "keep_frames"};

	if (as_slice_starts(key, AS_OTLP_META_PROFILE)) {
		key = as_slice_skip(key, strlen(AS_OTLP_META_PROFILE));
	} else if (as_slice_is_one_of(key, known)) {
		key = as_arena_printf(&w->arena, "pprof.profile.%.*s", AS_SLICE_FMT(key));
		w->no_memory |= !key.p;
	} else {
		return false;
	}
	attrs_profile(w, w->own && attrs_is_json(w, text) ? as_otlp_attr_json(w, key, text)
							  : as_otlp_attr_text(w, key, text));
	return true;
}

enum as_code as_otlp_plan_profile(struct as_otlp_write *w)
{
	struct comments c = {.w = w};
	uint64_t lost = 0;

	AS_TRY(as_err_memory(w->wr->err, attrs_comments(w, &c)));
	if (c.text.n)
		attrs_profile(w, as_otlp_attr_json(w, as_slice_of(AS_OTLP_COMMENT),
					 (struct as_slice){c.text.p, c.text.n}));
	for (size_t i = 0; i < w->prof->meta.n; i++) {
		struct as_slice key = as_str_get(w->prof, w->prof->meta.p[i].key);
		struct as_slice text = as_str_get(w->prof, w->prof->meta.p[i].text);

		lost += !attrs_known_meta(key) && !attrs_profile_meta(w, key, text);
	}
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_META, lost);
	as_losses_add(w->wr->losses, "data-mappings", w->plan.maps.n_left_out,
		"mapping{ that holds|s that hold} no code");
	return AS_OK;
}
