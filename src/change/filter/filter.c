/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/filter.h"

#include "change/filter/filter_impl.h"
#include "change/transform.h"

/* ---- rows of self cost: samples of one frame, of two where it is said what was inlined ---- */

/* The run as it is to be copied; false if it goes. OWN, INL: what its function and what was inlined
 * match beside the bits that all of their rows have. */
static bool filter_run(const struct as_filtering *f, const struct as_run *from, unsigned own,
	unsigned inl, struct as_run *to)
{
	bool shows, shows_inl;

	own |= as_filter_bits(f, from->func, from->inl.i ? (as_file){0} : from->file);
	inl |= from->inl.i ? as_filter_bits(f, from->inl, from->file) : 0;
	shows = as_filter_shows(f, own);
	shows_inl = from->inl.i && as_filter_shows(f, inl);
	*to = *from;
	if (!as_filter_selects(f, own | inl, own))
		return false;
	if (f->wanted & AS_FILTER_BIT(SHOW_FROM)) {
		shows_inl &= (shows && (own & AS_FILTER_BIT(SHOW_FROM))) ||
			     (inl & AS_FILTER_BIT(SHOW_FROM));
		shows &= (own & AS_FILTER_BIT(SHOW_FROM)) != 0;
	}
	if (shows && (own & AS_FILTER_BIT(PRUNE_FROM)) && !(inl & AS_FILTER_BIT(PRUNE_FROM)))
		shows_inl = false;
	if (!shows)
		to->func = from->inl;
	if (!shows || !shows_inl)
		to->inl.i = 0;
	return shows || shows_inl;
}

/* Rows of code without a name on their way through a filter. */
struct filter_code {
	struct as_filtering *f;
	const struct as_run *from;
	struct as_filter_code own, inl; /* of its function, and of what was inlined there */
	bool has_own, has_inl;
};

static enum as_code filter_address(struct filter_code *c, const struct as_rows_cur *cur)
{
	struct as_filtering *f = c->f;
	struct as_run run;

	if (!filter_run(f, c->from, c->has_own ? as_filter_address_bits(f, &c->own, cur->addr) : 0,
		    c->has_inl ? as_filter_address_bits(f, &c->inl, cur->addr) : 0, &run))
		return AS_OK;
	AS_TRY(as_remap_begin_run(&f->c.r, cur->rows, &run));
	return as_remap_row(&f->c.r, &run, cur);
}

/* Many rows at once, where none of them stands out. */
static enum as_code filter_view(struct filter_code *c, const struct as_rows_view *view)
{
	struct as_filtering *f = c->f;
	struct as_remap *r = &f->c.r;
	struct as_rows_cur cur = {.rows = &f->c.src->self, .n = 1};
	bool same = false;
	struct as_run run;
	unsigned bits;

	if (c->has_own && !c->from->inl.i && as_remap_keeps_views(r))
		AS_TRY(as_filter_view_bits(f, &c->own, view, &bits, &same));
	if (same) {
		if (!filter_run(f, c->from, bits, 0, &run))
			return AS_OK;
		AS_TRY(as_remap_begin_run(r, cur.rows, &run));
		return as_remap_view(r, view);
	}
	for (uint32_t i = 0; i < view->n; i++) {
		r->in[0] = as_view_value(view, i);
		cur.addr = view->addr + i * view->stride;
		if (r->in[0])
			AS_TRY(filter_address(c, &cur));
	}
	return AS_OK;
}

/* Each address is a function to whoever chose it. */
static enum as_code filter_addresses(struct as_filtering *f, const struct as_run *from)
{
	struct as_remap *r = &f->c.r;
	struct filter_code c = {.f = f, .from = from};
	struct as_rows_view view;
	struct as_rows_cur cur;

	if (r->part[from->part] == AS_REMAP_NONE)
		return AS_OK;
	c.has_own = as_filter_is_by_address(f, from->func);
	c.has_inl = as_filter_is_by_address(f, from->inl);
	if (c.has_inl)
		as_filter_name_code(f, from->inl, &c.inl);
	if (c.has_own)
		AS_TRY(as_filter_begin_code(f, from->func, &c.own));
	as_rows_begin(&cur, &f->c.src->self, from, r->in);
	while (as_rows_next_view(&cur, &view))
		AS_TRY(view.n ? filter_view(&c, &view) : filter_address(&c, &cur));
	return AS_OK;
}

static enum as_code filter_self(struct as_filtering *f)
{
	const struct as_rows *rows = &f->c.src->self;
	struct as_run run;

	for (size_t i = 0; i < rows->run.n; i++) {
		const struct as_run *from = &rows->run.p[i];

		if (as_filter_is_by_address(f, from->func) || as_filter_is_by_address(f, from->inl))
			AS_TRY(filter_addresses(f, from));
		else if (filter_run(f, from, 0, 0, &run))
			AS_TRY(as_remap_run(&f->c.r, rows, &run));
	}
	return AS_OK;
}

/* Jumps stay with the code that they are in. */
static enum as_code filter_jumps(struct as_filtering *f)
{
	const struct as_rows *rows = &f->c.src->jump;
	struct as_run run;

	for (size_t i = 0; i < rows->run.n; i++)
		if (filter_run(f, &rows->run.p[i], 0, 0, &run) &&
			run.func.i == rows->run.p[i].func.i)
			AS_TRY(as_remap_run(&f->c.r, rows, &rows->run.p[i]));
	return AS_OK;
}

/* ---- the whole ---- */

/* Drop the declared sums: they are those of all samples. */
static void forget_declared(struct as_profile *prof)
{
	for (size_t i = 0; i < prof->part.n; i++) {
		struct as_part *p = &prof->part.p[i];

		p->summary = p->totals = NULL;
		p->n_summary = p->n_totals = 0;
	}
}

/* Drop the numbers that were counted of all samples: they are not true of some. */
static void forget_counted(struct as_profile *prof)
{
	size_t n = 0;

	for (size_t i = 0; i < prof->meta.n; i++)
		if (prof->meta.p[i].of < AS_META_OF_SAMPLES)
			prof->meta.p[n++] = prof->meta.p[i];
	prof->meta.n = n;
}

enum as_code as_filter_begin(struct as_filtering *f)
{
	struct as_profile *dst = f->c.b.prof;

	if (f->how->n)
		forget_declared(dst);
	forget_counted(dst);
	dst->whole = NULL;
	if (f->how->relative)
		return AS_OK;
	dst->whole = as_build_values(&f->c.b, as_whole(f->c.src), f->c.r.e);
	return dst->whole ? AS_OK : AS_E_NOMEM;
}

/* Of samples that were left out, what only their code was mapped from goes. What nobody had code in
 * before stays, as there was no code to be left out; and the first, which is the program's own. */
static enum as_code forget_maps(struct as_filtering *f)
{
	const struct as_profile *src = f->c.src;
	struct as_profile *dst = f->c.b.prof;
	uint8_t *had, *has;
	size_t n = 0;

	if (!f->how->keep_part || !dst->map.n)
		return AS_OK;
	AS_TRY(as_memory(as_alloc_array(f->c.al, &had, dst->object.n) &&
			 as_alloc_array(f->c.al, &has, dst->object.n)));
	for (size_t i = 0; i < src->func.object.n; i++)
		had[f->c.r.object[src->func.object.p[i].i]] = 1;
	for (size_t i = 0; i < dst->func.object.n; i++)
		has[dst->func.object.p[i].i] = 1;
	for (size_t i = 0; i < dst->map.n; i++)
		if (!i || has[dst->map.p[i].object.i] || !had[dst->map.p[i].object.i])
			dst->map.p[n++] = dst->map.p[i];
	dst->map.n = n;
	return AS_OK;
}

static enum as_code filter_facts(struct as_filtering *f)
{
	AS_TRY(as_filter_begin(f));
	AS_TRY(as_filter_match(f));
	AS_TRY(filter_self(f));
	AS_TRY(as_remap_rows(&f->c.r, &f->c.src->call));
	AS_TRY(filter_jumps(f));
	AS_TRY(as_filter_samples(f));
	return forget_maps(f);
}

/* For profiles that have no calls, or where no patterns are given. F says what is asked. */
static enum as_code filter_as_it_is(const struct as_profile *prof, const struct as_filter *how,
	struct as_filtering *f, struct as_profile **out, struct as_err *err)
{
	struct as_change_keep keep = {.part = how->keep_part, .label = how->keep_label};

	f->how = how;
	AS_TRY(as_change_begin(&f->c, prof, &keep, err));
	return as_change_end(&f->c, filter_facts(f), out);
}

/* ---- calls ---- */

/* Fill in MATCHED alone, of the profile as it was before any filter. */
static enum as_code ask_matchers(const struct as_profile *prof, const struct as_filter *how,
	bool *matched, /* NOLINT(readability-non-const-parameter): as_filter_match() writes to it */
	struct as_err *err)
{
	struct as_filtering f = {
		.c = {.al = &f.c.pool.al, .src = prof}, .how = how, .matched = matched};
	enum as_code rc;

	as_pool_init(&f.c.pool, prof->al);
	rc = as_filter_match(&f);
	as_pool_release(&f.c.pool);
	return rc == AS_OK ? rc : as_err_no_memory(err);
}

static unsigned kinds_of(const struct as_filter *how)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < how->n; i++)
		kinds |= 1u << how->matcher[i].kind;
	return kinds;
}

/* A profile on its way through several filters. */
struct passage {
	const struct as_filter *how;
	const struct as_profile *prof;
	struct as_profile *own; /* PROF, once it is not the one that came */
	struct as_losses *l;
	struct as_err *err;
};

static void filter_replace(struct passage *p, struct as_profile *next)
{
	as_profile_free(p->own);
	p->prof = p->own = next;
}

/* Filters that take frames out of the middle of stacks, or off their ends, need stacks. */
static enum as_code filter_as_paths(struct passage *p, unsigned kinds)
{
	struct as_filtering f = {.kinds = kinds};
	bool estimated = p->prof->estimated, exact;
	struct as_profile *next;

	if (as_filter_calls_are_paths(p->prof, &exact) != AS_OK)
		return as_err_no_memory(p->err);
	AS_TRY(as_estimate_paths(p->prof, &next, p->l, p->err));
	filter_replace(p, next);
	if (exact)
		p->own->estimated = estimated;
	AS_TRY(filter_as_it_is(p->prof, p->how, &f, &next, p->err));
	filter_replace(p, next);
	return AS_OK;
}

/* One kind after the other, in the order that their rules have. */
static enum as_code filter_kinds(struct passage *p)
{
	static const enum as_filter_kind first[] = {
		AS_FILTER_IGNORE, AS_FILTER_FOCUS, AS_FILTER_OBJECT, AS_FILTER_SHOW_FROM};
	const unsigned need_paths =
		AS_FILTER_BIT(HIDE) | AS_FILTER_BIT(SHOW) | AS_FILTER_BIT(PRUNE_FROM);
	unsigned kinds = kinds_of(p->how), paths = kinds & need_paths;
	struct as_profile *next;

	if (paths)
		paths |= kinds & AS_FILTER_BIT(SHOW_FROM); /* it looks at frames that are shown */
	for (size_t i = 0; i < AS_ARRAY_LEN(first); i++) {
		if (!(kinds & ~paths & 1u << first[i]))
			continue;
		AS_TRY(as_filter_calls(p->prof, p->how, first[i], &next, p->err));
		filter_replace(p, next);
	}
	return paths ? filter_as_paths(p, paths) : AS_OK;
}

static enum as_code filter_with_calls(const struct as_profile *prof, const struct as_filter *how,
	bool *matched, struct as_filtered *out, struct as_losses *l, struct as_err *err)
{
	struct as_filter parts = {.keep_part = how->keep_part,
		.keep_label = how->keep_label,
		.relative = how->relative};
	struct as_filter rest = *how;
	struct passage p = {.how = &rest, .prof = prof, .l = l, .err = err};
	struct as_filtering f = {0};
	struct as_profile *next;
	enum as_code rc;

	rest.keep_part = rest.keep_label = NULL;
	AS_TRY(ask_matchers(prof, how, matched, err));
	if (how->keep_part || how->keep_label) {
		AS_TRY(filter_as_it_is(prof, &parts, &f, &next, err));
		filter_replace(&p, next);
	}
	rc = filter_kinds(&p);
	if (rc != AS_OK) {
		as_profile_free(p.own);
		return rc;
	}
	out->prof = p.own;
	out->estimated = p.own->estimated && !prof->estimated;
	return AS_OK;
}

enum as_code as_filter(const struct as_profile *prof, const struct as_filter *how, bool *matched,
	struct as_filtered *out, struct as_losses *l, struct as_err *err)
{
	struct as_filtering f = {.matched = matched};

	*out = (struct as_filtered){0};
	if (how->n)
		memset(matched, 0, how->n);
	if (how->n && prof->call.n)
		return filter_with_calls(prof, how, matched, out, l, err);
	return filter_as_it_is(prof, how, &f, &out->prof, err);
}
