/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: building a profile. What the caller gives is checked before anything changes. */
#include "lib/lib_impl.h"

/* Values below it, and fewer than 2^31 of them, cannot overflow a sum. */
#define VALUE_MAX ((as_val)1 << 96)

enum { LABELS_MAX = 1 << 16 };

struct assay_builder {
	const struct as_alloc *al;
	struct as_build b;
	struct as_err err;
	struct assay_error last;
	bool ended;   /* finished, or failed halfway */
	as_val *cost; /* scratch: a value per event */
	size_t n_cost;
};

enum assay_code assay_builder_new(
	const struct assay_allocator *allocator, struct assay_builder **out)
{
	const struct as_alloc *al = as_lib_alloc(allocator);
	struct assay_builder *b;
	enum as_code rc;

	if (!out)
		return ASSAY_E_ARG;
	*out = NULL;
	b = as_alloc_new(al, sizeof(*b));
	if (!b)
		return ASSAY_E_NOMEM;
	b->al = al;
	as_err_clear(&b->err);
	(void)as_lib_end(AS_OK, &b->err, &b->last);
	rc = as_build_init(&b->b, al, &b->err);
	if (rc != AS_OK) {
		as_alloc_free(al, b, sizeof(*b));
		return (enum assay_code)rc;
	}
	*out = b;
	return ASSAY_OK;
}

void assay_builder_free(struct assay_builder *b)
{
	if (!b)
		return;
	as_build_free(&b->b);
	as_alloc_free(b->al, b->cost, b->n_cost * sizeof(*b->cost));
	as_alloc_free(b->al, b, sizeof(*b));
}

const struct assay_error *assay_builder_error(const struct assay_builder *b)
{
	return b ? &b->last : NULL;
}

/* How a call on B ends. What failed halfway must not be gone on with: columns may differ in
 * length. */
static enum assay_code lib_build_end(struct assay_builder *b, enum as_code rc)
{
	if (rc == AS_OK)
		return ASSAY_OK;
	b->ended |= rc != AS_E_ARG;
	return as_lib_end(rc, &b->err, &b->last);
}

static enum as_code lib_build_misuse(struct assay_builder *b, const char *what)
{
	(void)as_err_set(&b->err, AS_E_ARG, "%s", what);
	return AS_E_ARG;
}

/* The beginning of every call: take GIVEN, unless the builder has ended. */
static enum as_code lib_build_begin(
	struct assay_builder *b, void *own, size_t known, const void *given)
{
	if (b->ended)
		return lib_build_misuse(
			b, "the builder has ended: it was finished, or has failed before");
	if (!given || !as_lib_take(own, known, given))
		return lib_build_misuse(
			b, "a struct has no size, or says what this version does not know");
	return AS_OK;
}

static void give_number(uint32_t *to, uint32_t i)
{
	if (to)
		*to = i;
}

/* ---- tables ---- */

static enum as_code add_event(struct assay_builder *b, const struct assay_event *given, uint32_t *i)
{
	struct as_profile *prof = b->b.prof;
	struct assay_event own;
	as_str title, unit;
	uint32_t n, at;

	AS_TRY(lib_build_begin(b, &own, sizeof(own), given));
	n = as_n_events(prof);
	if (!as_lib_text(own.name).len)
		return lib_build_misuse(b, "an event has no name");
	AS_TRY(as_build_str(&b->b, as_lib_text(own.title), &title));
	AS_TRY(as_build_str(&b->b, as_lib_text(own.period_unit), &unit));
	AS_TRY(as_build_event(&b->b, as_lib_text(own.name), as_lib_text(own.unit), &at));
	as_assert(at <= n);
	if (at == n) {
		prof->event.p[at].title = title;
		prof->event.p[at].period = own.period;
		prof->event.p[at].period_unit = unit;
	}
	give_number(i, at);
	return AS_OK;
}

enum assay_code assay_builder_event(
	struct assay_builder *b, const struct assay_event *p, uint32_t *i)
{
	return b ? lib_build_end(b, add_event(b, p, i)) : ASSAY_E_ARG;
}

static enum as_code add_part(struct assay_builder *b, const struct assay_part *given, uint32_t *i)
{
	struct assay_part own;
	struct as_part part = {0};
	uint32_t at;

	AS_TRY(lib_build_begin(b, &own, sizeof(own), given));
	AS_TRY(as_build_str(&b->b, as_lib_text(own.name), &part.name));
	AS_TRY(as_build_str(&b->b, as_lib_text(own.command), &part.command));
	AS_TRY(as_build_str(&b->b, as_lib_text(own.creator), &part.creator));
	AS_TRY(as_build_str(&b->b, as_lib_text(own.thread), &part.thread));
	part.pid = own.pid;
	part.tid = own.tid;
	part.number = own.number;
	part.has_pid = own.has_pid;
	part.has_tid = own.has_tid;
	part.has_number = own.has_number;
	AS_TRY(as_build_part(&b->b, &at));
	b->b.prof->part.p[at] = part;
	give_number(i, at);
	return AS_OK;
}

enum assay_code assay_builder_part(
	struct assay_builder *b, const struct assay_part *part, uint32_t *i)
{
	return b ? lib_build_end(b, add_part(b, part, i)) : ASSAY_E_ARG;
}

static enum as_code lib_build_take_label(
	struct assay_builder *b, const struct assay_label *given, struct as_label *label)
{
	struct assay_label own;

	AS_TRY(lib_build_begin(b, &own, sizeof(own), given));
	*label = (struct as_label){.number = as_lib_text(own.text).len ? 0 : own.number};
	AS_TRY(as_build_str(&b->b, as_lib_text(own.key), &label->key));
	AS_TRY(as_build_str(&b->b, as_lib_text(own.text), &label->text));
	if (as_lib_text(own.text).len)
		return AS_OK;
	return as_build_str(&b->b, as_lib_text(own.unit), &label->unit);
}

static enum as_code take_labels(struct assay_builder *b, const struct assay_label *const *given,
	struct as_label *label, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		AS_TRY(lib_build_take_label(b, given[i], &label[i]));
	return AS_OK;
}

static enum as_code add_labelled(
	struct assay_builder *b, const struct assay_label *const *given, size_t n, uint32_t *i)
{
	struct as_label *label;
	uint32_t at = 0;
	enum as_code rc;

	if (b->ended)
		return lib_build_misuse(
			b, "the builder has ended: it was finished, or has failed before");
	if ((n && !given) || n > LABELS_MAX)
		return lib_build_misuse(
			b, "labels are counted, but not given, or are more than 65536");
	label = as_alloc_new(b->al, n * sizeof(*label) + 1);
	AS_TRY(as_err_memory(&b->err, label));
	rc = take_labels(b, given, label, (uint32_t)n);
	if (rc == AS_OK && !b->b.prof->part.n)
		rc = as_build_part(&b->b, &at);
	AS_THEN(rc, as_build_labelled(&b->b, label, (uint32_t)n, &at));
	as_alloc_free(b->al, label, n * sizeof(*label) + 1);
	if (rc == AS_OK)
		give_number(i, at);
	return rc;
}

enum assay_code assay_builder_labelled(
	struct assay_builder *b, const struct assay_label *const *labels, size_t n, uint32_t *i)
{
	return b ? lib_build_end(b, add_labelled(b, labels, n, i)) : ASSAY_E_ARG;
}

static enum as_code add_object(
	struct assay_builder *b, const struct assay_object *given, uint32_t *i)
{
	struct as_profile *prof = b->b.prof;
	struct assay_object own;
	as_object at;
	size_t n;

	AS_TRY(lib_build_begin(b, &own, sizeof(own), given));
	n = prof->object.n;
	if ((unsigned)own.address_kind > ASSAY_ADDRESS_ABSOLUTE)
		return lib_build_misuse(b, "an object has addresses of an unknown kind");
	AS_TRY(as_build_object(&b->b, as_lib_text(own.path), as_lib_text(own.id), &at));
	if (at.i == n) {
		prof->object.p[at.i].text_start = own.text_start;
		prof->object.p[at.i].text_size = own.text_size;
		prof->object.p[at.i].addr_kind = (enum as_addr_kind)own.address_kind;
	}
	give_number(i, at.i);
	return AS_OK;
}

enum assay_code assay_builder_object(
	struct assay_builder *b, const struct assay_object *p, uint32_t *i)
{
	return b ? lib_build_end(b, add_object(b, p, i)) : ASSAY_E_ARG;
}

static enum as_code lib_build_add_file(
	struct assay_builder *b, struct assay_slice path, uint32_t *i)
{
	as_file at;

	if (b->ended)
		return lib_build_misuse(
			b, "the builder has ended: it was finished, or has failed before");
	AS_TRY(as_build_file(&b->b, as_lib_text(path), &at));
	give_number(i, at.i);
	return AS_OK;
}

enum assay_code assay_builder_file(struct assay_builder *b, struct assay_slice path, uint32_t *i)
{
	return b ? lib_build_end(b, lib_build_add_file(b, path, i)) : ASSAY_E_ARG;
}

static enum as_code add_function(
	struct assay_builder *b, const struct assay_function *given, uint32_t *i)
{
	const struct as_profile *prof = b->b.prof;
	struct assay_function own;
	as_func at;

	AS_TRY(lib_build_begin(b, &own, sizeof(own), given));
	if (own.object >= prof->object.n || own.file >= prof->file.n)
		return lib_build_misuse(
			b, "a function lies in an object or file that there is not");
	AS_TRY(as_build_func(&b->b, as_lib_text(own.name), (as_object){own.object},
		(as_file){own.file}, own.address, &at));
	give_number(i, at.i);
	return AS_OK;
}

enum assay_code assay_builder_function(
	struct assay_builder *b, const struct assay_function *p, uint32_t *i)
{
	return b ? lib_build_end(b, add_function(b, p, i)) : ASSAY_E_ARG;
}

/* ---- facts ---- */

static bool is_position(const struct as_profile *prof, const struct assay_position *pos)
{
	return pos->function < prof->func.name.n && pos->file < prof->file.n;
}

static bool is_value(struct assay_value v)
{
	return as_lib_val(v) < VALUE_MAX && as_lib_val(v) > -VALUE_MAX;
}

static struct as_pos pos_of(const struct assay_position *pos)
{
	return (struct as_pos){{pos->function}, {pos->file}, pos->line, pos->address, false};
}

static enum as_code check_costs(struct assay_builder *b, const struct assay_fact *f)
{
	if (f->n_costs > as_n_events(b->b.prof))
		return lib_build_misuse(b, "a fact has more costs than there are events");
	if (f->n_costs && !f->costs)
		return lib_build_misuse(b, "costs are counted, but not given");
	for (uint32_t k = 0; k < f->n_costs; k++)
		if (!is_value(f->costs[k]))
			return lib_build_misuse(b, "a cost is beyond 2^96");
	if (!is_value(f->count) || !is_value(f->followed))
		return lib_build_misuse(b, "a count is beyond 2^96");
	return AS_OK;
}

static enum as_code check_fact(struct assay_builder *b, const struct assay_fact *f)
{
	const struct as_profile *prof = b->b.prof;

	if ((unsigned)f->kind > ASSAY_SAMPLE)
		return lib_build_misuse(b, "a fact is of an unknown kind");
	if (f->part && f->part >= prof->part.n)
		return lib_build_misuse(b, "a fact belongs to a part that there is not");
	if (!is_position(prof, &f->at) || !is_position(prof, &f->to))
		return lib_build_misuse(b, "a fact is about a function or file that there is not");
	if (f->kind == ASSAY_SAMPLE && f->n_frames && !f->frames)
		return lib_build_misuse(b, "frames are counted, but not given");
	for (size_t i = 0; f->kind == ASSAY_SAMPLE && i < f->n_frames; i++)
		if (!is_position(prof, &f->frames[i]))
			return lib_build_misuse(
				b, "a frame is of a function or file that there is not");
	return check_costs(b, f);
}

/* The costs of a fact, one for every event. */
static enum as_code take_costs(struct assay_builder *b, const struct assay_fact *f)
{
	size_t n = b->b.prof->event.n;

	if (n > b->n_cost) {
		as_val *fresh = as_alloc_new(b->al, n * sizeof(*fresh));

		AS_TRY(as_err_memory(&b->err, fresh));
		as_alloc_free(b->al, b->cost, b->n_cost * sizeof(*b->cost));
		b->cost = fresh;
		b->n_cost = n;
	}
	for (size_t k = 0; k < n; k++)
		b->cost[k] = k < f->n_costs ? as_lib_val(f->costs[k]) : 0;
	return AS_OK;
}

static enum as_code add_call(struct assay_builder *b, const struct assay_fact *f)
{
	struct as_pos site = pos_of(&f->at);
	struct as_call call = {
		.callee = {f->to.function},
		.line = f->to.line,
		.addr = f->to.address,
		.count = as_lib_val(f->count),
	};

	return as_build_call(&b->b, f->part, &site, &call, b->cost, as_n_events(b->b.prof));
}

static enum as_code add_jump(struct assay_builder *b, const struct assay_fact *f)
{
	struct as_pos from = pos_of(&f->at);
	struct as_jump jump = {
		.conditional = f->conditional,
		.func = {f->to.function == f->at.function ? 0 : f->to.function},
		.other_file = f->to.file != f->at.file,
		.file = {f->to.file},
		.line = f->to.line,
		.addr = f->to.address,
		.executed = as_lib_val(f->count),
		.followed = as_lib_val(f->conditional ? f->followed : f->count),
	};

	return as_build_jump(&b->b, f->part, &from, &jump);
}

static enum as_code add_sample(struct assay_builder *b, const struct assay_fact *f)
{
	as_node node = {0};

	for (size_t i = 0; i < f->n_frames; i++) {
		struct as_pos pos = pos_of(&f->frames[i]);
		as_place place;

		AS_TRY(as_build_place(&b->b, &pos, &place));
		AS_TRY(as_build_push(&b->b, node, place, &node));
	}
	return as_build_sample(&b->b, f->part, node, b->cost);
}

static enum as_code add_fact(struct assay_builder *b, const struct assay_fact *given)
{
	struct assay_fact own;
	struct as_pos at;
	uint32_t part;

	AS_TRY(lib_build_begin(b, &own, sizeof(own), given));
	AS_TRY(check_fact(b, &own));
	if (!b->b.prof->part.n)
		AS_TRY(as_build_part(&b->b, &part));
	AS_TRY(take_costs(b, &own));
	switch (own.kind) {
	case ASSAY_CALL:
		return add_call(b, &own);
	case ASSAY_JUMP:
		return add_jump(b, &own);
	case ASSAY_SAMPLE:
		return add_sample(b, &own);
	case ASSAY_SELF:
		break;
	}
	at = pos_of(&own.at);
	return as_build_self(&b->b, own.part, &at, b->cost, as_n_events(b->b.prof));
}

enum assay_code assay_builder_add(struct assay_builder *b, const struct assay_fact *fact)
{
	return b ? lib_build_end(b, add_fact(b, fact)) : ASSAY_E_ARG;
}

/* ---- the end ---- */

/* Every part has measured every event. */
static enum as_code lib_build_list_events(struct assay_builder *b)
{
	for (uint32_t i = 0; i < b->b.prof->part.n; i++)
		AS_TRY(as_build_part_all_events(&b->b, i));
	return AS_OK;
}

static enum as_code lib_build_finish(struct assay_builder *b, struct as_profile **prof)
{
	if (b->ended)
		return lib_build_misuse(
			b, "the builder has ended: it was finished, or has failed before");
	b->ended = true;
	AS_TRY(lib_build_list_events(b));
	return as_build_finish(&b->b, prof);
}

enum assay_code assay_builder_finish(struct assay_builder *b, struct assay_profile **out)
{
	struct as_profile *prof = NULL;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!b || !out)
		return ASSAY_E_ARG;
	rc = lib_build_finish(b, &prof);
	*out = as_lib_give_profile(prof);
	return lib_build_end(b, rc);
}
