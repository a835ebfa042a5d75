/* SPDX-License-Identifier: Apache-2.0 */
/* tagroot, tagleaf: what labels of samples say, as frames of their stacks. And frames that a
 * profile calls uninteresting, which pprof leaves out. */
#include "change/filter/frames.h"
#include "change/filter/pprof_labels.h"
#include "change/filter/pprof_value.h"
#include "session/filters.h"
#include "table/label_table.h"

/* ---- names of labels ---- */

/* "(no KEY)" where there is none: that may be much, and should not be taken for unknown code. */
static struct as_slice own_name(struct as_arena *ar, const struct as_profile *prof,
	struct as_slice key, const struct as_label *label, uint32_t n, const void *ctx)
{
	(void)ctx;
	if (!n)
		return as_arena_printf(ar, "(no %.*s)", AS_SLICE_FMT(key));
	return as_label_text(ar, prof, label, n, false);
}

/* ---- as pprof has them ---- */

struct text {
	const struct as_alloc *al;
	AS_VEC(char) byte;
	size_t n; /* values */
};

static bool filters_frames_add(struct text *t, struct as_slice s)
{
	if (!as_vec_reserve(t->al, &t->byte, t->byte.n + s.len + 1))
		return false;
	if (s.len)
		memcpy(t->byte.p + t->byte.n, s.p, s.len);
	t->byte.n += s.len;
	return true;
}

static bool filters_frames_add_value(struct text *t, struct as_slice value, struct as_slice unit)
{
	return filters_frames_add(t, as_slice_of(t->n++ ? "," : "")) &&
	       filters_frames_add(t, value) && filters_frames_add(t, unit);
}

static bool add_numbers(struct text *t, const struct as_profile *prof, const struct as_label *label,
	uint32_t n, const char *unit)
{
	struct as_pprof_value value;
	bool fine = true, any = false;

	for (uint32_t i = 0; i < n; i++)
		any |= as_pprof_is_number(&label[i]) && label[i].unit.i;
	for (uint32_t i = 0; fine && i < n; i++) {
		if (!as_pprof_is_number(&label[i]))
			continue;
		as_pprof_format(&value, label[i].number, as_str_get(prof, label[i].unit),
			as_slice_of(any ? unit : ""));
		fine = filters_frames_add_value(t, as_slice_of(value.number), value.unit);
	}
	return fine;
}

/* Texts, then numbers in UNIT; nothing where there is none, which is unknown code. */
static struct as_slice pprof_name(struct as_arena *ar, const struct as_profile *prof,
	struct as_slice key, const struct as_label *label, uint32_t n, const void *unit)
{
	struct text t = {.al = ar->al};
	struct as_slice name = {NULL, 0};
	bool fine = true;

	(void)key;
	for (uint32_t i = 0; fine && i < n; i++)
		if (as_pprof_is_text(&label[i]))
			fine = filters_frames_add_value(
				&t, as_str_get(prof, label[i].text), as_slice_of(""));
	fine = fine && add_numbers(&t, prof, label, n, unit) &&
	       filters_frames_add(&t, as_slice_of(""));
	if (fine)
		name = as_arena_dup(ar, (struct as_slice){t.byte.p, t.byte.n});
	as_vec_free(t.al, &t.byte);
	return name;
}

/* ---- labels as frames ---- */

static bool has_key(const struct as_profile *prof, struct as_slice key)
{
	for (size_t i = 0; i < prof->label.n; i++)
		if (!prof->label.p[i].opaque &&
			as_slice_eq(as_str_get(prof, prof->label.p[i].key), key))
			return true;
	return false;
}

/* Keys that no sample has are left out, but pprof has frames of them as well. */
static enum as_code add_tag_frames(
	struct as_filters *f, struct as_profile **prof, const char *unit, struct as_err *err)
{
	struct as_slice *key = as_alloc_new(f->arena.al, (2 * f->item.n + 1) * sizeof(*key));
	struct as_tag_frames how = {.root = key,
		.leaf = as_at(key, f->item.n),
		.name = f->ask.compat ? pprof_name : own_name,
		.ctx = unit ? unit : "minimum"};
	struct as_profile *out = NULL;
	enum as_code rc = AS_OK;

	AS_TRY(as_err_memory(err, key));
	for (size_t i = 0; i < f->item.n; i++) {
		struct as_filter_item *it = &f->item.p[i];

		if (it->kind > AS_WORD_TAGLEAF)
			continue;
		it->matched = has_key(*prof, it->key);
		if (!it->matched && !f->ask.compat)
			continue;
		if (it->kind == AS_WORD_TAGROOT)
			key[how.n_root++] = it->key;
		else
			key[f->item.n + how.n_leaf++] = it->key;
	}
	if (how.n_root || how.n_leaf)
		rc = as_tag_frames(*prof, &how, &out, err);
	as_alloc_free(f->arena.al, key, (2 * f->item.n + 1) * sizeof(*key));
	as_profile_replace(prof, out);
	return rc;
}

/* ---- what a profile calls uninteresting ---- */

struct patterns {
	bool handlers;     /* frames of the profiler itself go */
	void *drop, *keep; /* NULL: there is none */
	const struct as_regexes *regex;
};

/* A gperftools profile cannot say what shall go; pprof knows. */
static bool filters_frames_is_handler(struct as_slice name)
{
	static const char *const known[] = {"ProfileData::Add", "ProfileData::prof_handler",
		"CpuProfiler::prof_handler", "__pthread_sighandler", "__restore"};

	return as_slice_is_one_of(name, known);
}

static bool filters_frames_match(const void *ctx, struct as_slice name)
{
	const struct patterns *p = ctx;

	if (p->handlers && filters_frames_is_handler(name))
		return true;
	return p->drop && p->regex->match(p->drop, name) &&
	       !(p->keep && p->regex->match(p->keep, name));
}

/* The pattern is of whole names. */
static enum as_code filters_frames_compile(struct as_filters *f, const char *key,
	struct as_slice text, void **re, struct as_err *remark)
{
	struct as_arena arena;
	struct as_slice whole;
	size_t place;
	enum as_code rc;
	struct as_err err = AS_ERR_NONE;

	if (!text.len)
		return AS_OK;
	as_arena_init(&arena, f->arena.al);
	whole = as_arena_printf(&arena, "^(%.*s)$", AS_SLICE_FMT(text));
	rc = whole.p ? f->ask.regex.make(f->ask.regex.ctx, whole, false, re, &place, &err)
		     : AS_E_NOMEM;
	as_arena_release(&arena);
	if (rc != AS_OK && rc != AS_E_NOMEM)
		(void)as_err_set(
			remark, rc, "%s of the profile cannot be applied: %s", key, err.msg);
	return rc == AS_E_NOMEM ? rc : AS_OK;
}

static enum as_code open_patterns(struct as_filters *f, const struct as_profile *prof,
	struct patterns *p, struct as_err *remark)
{
	static const char drop_key[] = "drop_frames", keep_key[] = "keep_frames";
	struct as_slice drop = as_pprof_meta(prof, drop_key);

	p->handlers = !drop.len && as_format_of(prof)->legacy;
	AS_TRY(filters_frames_compile(f, drop_key, drop, &p->drop, remark));
	return p->drop ? filters_frames_compile(
				 f, keep_key, as_pprof_meta(prof, keep_key), &p->keep, remark)
		       : AS_OK;
}

static enum as_code filters_frames_drop(
	struct as_filters *f, struct as_profile **prof, struct as_err *remark, struct as_err *err)
{
	const struct as_regexes *regex = &f->ask.regex;
	struct patterns p = {.regex = regex};
	struct as_drop how = {filters_frames_match, &p};
	struct as_profile *out = NULL;
	enum as_code rc = open_patterns(f, *prof, &p, remark);

	if (rc == AS_E_NOMEM)
		(void)as_err_no_memory(err);
	else if (p.drop || p.handlers)
		rc = as_drop_frames(*prof, &how, &out, err);
	if (regex->release && p.drop)
		regex->release(p.drop);
	if (regex->release && p.keep)
		regex->release(p.keep);
	as_profile_replace(prof, out);
	return rc;
}

enum as_code as_filters_frames(struct as_filters *f, struct as_profile **prof, const char *unit,
	struct as_err *remark, struct as_err *err)
{
	as_err_clear(remark);
	if (f->ask.compat && (*prof)->sample.node.n)
		AS_TRY(filters_frames_drop(f, prof, remark, err));
	return add_tag_frames(f, prof, unit, err);
}
