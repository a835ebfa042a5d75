/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call paths that a profile of Callgrind's states itself: with --separate-callers=N the cost of
 * "f'main'start" is the cost of f where main called it and start called main. So these paths are
 * exact, and N callers deep: what called start is not known. Calls of a function by itself are
 * no levels of Callgrind's chains ("g'f" whatever the depth of f), so a frame is a function
 * however often it called itself, and the mark '2 of "f'2'main" is no frame.
 *
 * A caller is a name only. Its object and file are those of the function of that name which the
 * calls show, or of the only one of that name; else they stay unknown.
 */
#include "change/transform.h"

#include "change/kit/change.h"
#include "change/kit/context.h"

#define NOBODY 0
#define SEVERAL UINT32_MAX

/* Two functions, one called by the other. */
struct pair {
	as_func caller, callee;
};

/* The name of a function, taken apart. */
struct name {
	struct as_context ctx;
	struct as_slice first; /* its first caller, if it has callers */
};

struct chains {
	struct as_change *c;
	struct as_fold fold;
	struct name *name;     /* of each function */
	struct as_index names; /* functions that stand for a group, by folded name */
	/* Of each function: the first of the same group and callers; of those who called
	 * it under the name of its first caller (NOBODY, SEVERAL) and the node of its callers + 1;
	 * of groups the function in the result + 1. */
	uint32_t *same, *caller, *above, *func;
	struct as_index contexts; /* functions that are their own SAME, by group and callers */
	struct as_index shown;    /* pairs that stand on a path, of the result */
	AS_VEC(struct pair) pair;
	AS_VEC(as_func) frame; /* the callers of a function, from the inside out */
	uint32_t depth;        /* frames of the longest path */
	uint64_t levels, inlined, edges, counts, costs; /* what gets lost */
};

static struct as_slice context_folded(const struct chains *s, uint32_t f)
{
	return s->name[f].ctx.name;
}

/* ---- who is meant by a name ---- */

/* The function of that name that stands for its group: NOBODY, or SEVERAL. */
static uint32_t context_by_name(const struct chains *s, struct as_slice name)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t f, found = NOBODY;

	while (as_index_find(&s->names, as_hash_bytes(name.p, name.len), &pos, &f))
		if (as_slice_eq(context_folded(s, f), name))
			found = found == NOBODY ? f : SEVERAL;
	return found;
}

static enum as_code index_names(struct chains *s)
{
	for (uint32_t f = 1; f < s->fold.n; f++) {
		struct as_slice name = context_folded(s, f);

		if (s->fold.group[f] == f && name.len &&
			!as_index_add(&s->names, as_hash_bytes(name.p, name.len), f))
			return AS_E_NOMEM;
	}
	return AS_OK;
}

static enum as_code find_same(struct chains *s, uint32_t f)
{
	struct as_slice callers = s->name[f].ctx.callers;
	uint64_t pos = AS_INDEX_START, hash = as_hash_bytes(callers.p, callers.len);
	uint32_t group = s->fold.group[f], g;

	hash = as_hash_mix(hash, group);
	while (as_index_find(&s->contexts, hash, &pos, &g))
		if (s->fold.group[g] == group && as_slice_eq(s->name[g].ctx.callers, callers)) {
			s->same[f] = g;
			return AS_OK;
		}
	return as_index_add(&s->contexts, hash, f) ? AS_OK : AS_E_NOMEM;
}

/* "f'main" and "f'2'main" have the same callers, though only the calls of one tell which. */
static enum as_code find_all_same(struct chains *s)
{
	for (uint32_t f = 1; f < s->fold.n; f++) {
		s->same[f] = f;
		if (s->name[f].ctx.callers.len)
			AS_TRY(find_same(s, f));
	}
	return AS_OK;
}

/* FROM calls TO: is it the caller that TO's name begins with? */
static void note_caller(struct chains *s, uint32_t from, uint32_t to)
{
	if (!s->name[to].ctx.callers.len ||
		!as_slice_eq(s->name[to].first, context_folded(s, from)))
		return;
	to = s->same[to];
	if (s->caller[to] == NOBODY)
		s->caller[to] = from;
	else if (s->caller[to] != SEVERAL && s->fold.group[s->caller[to]] != s->fold.group[from])
		s->caller[to] = SEVERAL;
}

/* DO_CALL for all call rows; C's scratch holds the row. */
static void context_each_call(
	struct chains *s, void (*do_call)(struct chains *s, uint32_t from, uint32_t to))
{
	const struct as_rows *rows = &s->c->src->call;
	struct as_rows_cur cur;

	for (size_t r = 0; r < rows->run.n; r++) {
		as_rows_begin(&cur, rows, &rows->run.p[r], s->c->r.in);
		while (as_rows_next(&cur))
			do_call(s, rows->run.p[r].func.i, (uint32_t)s->c->r.in[AS_CALL_FUNC]);
	}
}

/* ---- functions and paths of the result ---- */

static enum as_code map_func(struct chains *s, uint32_t f, as_func *out)
{
	const struct as_profile *src = s->c->src;
	uint32_t g = s->fold.group[f];
	as_object object;
	as_file file;

	if (!s->func[g]) {
		object.i = s->c->r.object[src->func.object.p[g].i];
		AS_TRY(as_remap_file(&s->c->r, src->func.file.p[g], &file));
		AS_TRY(as_build_func(
			&s->c->b, context_folded(s, g), object, file, src->func.addr.p[g], out));
		s->func[g] = out->i + 1;
	}
	out->i = s->func[g] - 1;
	return AS_OK;
}

/* The callers in F's name. The calls are followed as long as they agree with it. */
static enum as_code context_find_frames(struct chains *s, uint32_t f)
{
	struct as_context ctx = s->name[f].ctx;
	struct as_slice name;
	as_func func;
	uint32_t seen = f;

	s->frame.n = 0;
	while (as_context_caller(&ctx, &name)) {
		uint32_t who;

		seen = seen == NOBODY ? NOBODY : s->caller[s->same[seen]];
		if (seen == SEVERAL ||
			(seen != NOBODY && !as_slice_eq(context_folded(s, seen), name)))
			seen = NOBODY;
		who = seen == NOBODY ? context_by_name(s, name) : seen;
		if (who == NOBODY || who == SEVERAL)
			AS_TRY(as_build_func(
				&s->c->b, name, (as_object){0}, (as_file){0}, 0, &func));
		else
			AS_TRY(map_func(s, who, &func));
		AS_TRY(as_memory(as_vec_push(s->c->al, &s->frame, func)));
	}
	return AS_OK;
}

static bool context_is_shown(const struct chains *s, struct pair p)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&s->shown, as_hash_mix(p.caller.i, p.callee.i), &pos, &i))
		if (s->pair.p[i].caller.i == p.caller.i && s->pair.p[i].callee.i == p.callee.i)
			return true;
	return false;
}

static enum as_code context_show(struct chains *s, as_func caller, as_func callee)
{
	struct pair p = {caller, callee};
	uint32_t at = (uint32_t)s->pair.n;

	if (context_is_shown(s, p))
		return AS_OK;
	return as_memory(as_vec_push(s->c->al, &s->pair, p) &&
			 as_index_add(&s->shown, as_hash_mix(caller.i, callee.i), at));
}

/* The path of the callers of F, which is FUNC in the result. */
static enum as_code find_above(struct chains *s, uint32_t f, as_func func, as_node *node)
{
	as_place place;

	f = s->same[f];
	node->i = s->above[f] - 1;
	if (s->above[f])
		return AS_OK;
	node->i = 0;
	AS_TRY(context_find_frames(s, f));
	if (s->frame.n >= s->depth)
		s->depth = (uint32_t)s->frame.n + 1;
	for (size_t i = s->frame.n; i-- > 0;) {
		as_func caller = s->frame.p[i];
		struct as_pos pos = {.func = caller, .file = s->c->b.prof->func.file.p[caller.i]};

		AS_TRY(as_build_place(&s->c->b, &pos, &place));
		AS_TRY(as_build_push(&s->c->b, *node, place, node));
		AS_TRY(context_show(s, caller, i ? s->frame.p[i - 1] : func));
	}
	s->above[f] = node->i + 1;
	return AS_OK;
}

static enum as_code context_add_run(struct chains *s, const struct as_run *run)
{
	struct as_rows_cur cur;
	struct as_pos pos = {0};
	as_node above;

	AS_TRY(map_func(s, run->func.i, &pos.func));
	AS_TRY(as_remap_file(&s->c->r, run->file, &pos.file));
	AS_TRY(find_above(s, run->func.i, pos.func, &above));
	s->inlined += run->inl.i ? run->n : 0;
	s->levels += s->name[run->func.i].ctx.level ? run->n : 0;
	as_rows_begin(&cur, &s->c->src->self, run, s->c->r.in);
	while (as_rows_next(&cur)) {
		pos.line = cur.line;
		pos.addr = cur.addr;
		as_remap_cost(&s->c->r, s->c->r.in, cur.n, s->c->r.out);
		AS_TRY(as_change_add_leaf(s->c, run->part, above, &pos));
	}
	return AS_OK;
}

/* ---- all of it ---- */

/* What the paths do not say of a call: that it was made, or how often and at what cost. */
static void count_lost(struct chains *s, uint32_t from, uint32_t to)
{
	uint32_t caller = s->func[s->fold.group[from]], callee = s->func[s->fold.group[to]];
	struct pair p = {{caller - 1}, {callee - 1}};

	if (!caller || !callee || !context_is_shown(s, p)) {
		s->edges++;
		return;
	}
	s->counts += s->c->r.in[AS_CALL_COUNT] != 0;
	s->costs++;
}

static bool has_callers(const struct as_profile *prof)
{
	struct as_context ctx;

	if (!as_has_contexts(prof) || !as_has_callers(prof))
		return false;
	for (uint32_t f = 1; f < prof->func.name.n; f++)
		if (as_context_split(as_func_name(prof, (as_func){f}), &ctx) && ctx.callers.len)
			return true;
	return false;
}

static void split_names(struct chains *s)
{
	for (uint32_t f = 0; f < s->fold.n; f++) {
		struct as_context rest;

		as_context_split(as_func_name(s->c->src, (as_func){f}), &s->name[f].ctx);
		rest = s->name[f].ctx;
		as_context_caller(&rest, &s->name[f].first);
	}
}

static bool context_make_scratch(struct chains *s)
{
	const struct as_alloc *al = s->c->al;
	size_t n = s->c->src->func.name.n;

	as_index_init(&s->names, al);
	as_index_init(&s->contexts, al);
	as_index_init(&s->shown, al);
	if (!as_alloc_array(al, &s->same, n) || !as_alloc_array(al, &s->caller, n) ||
		!as_alloc_array(al, &s->above, n) || !as_alloc_array(al, &s->func, n) ||
		!as_alloc_array(al, &s->name, n) ||
		!as_fold_init(&s->fold, s->c->src, false, false))
		return false;
	s->func[0] = 1;
	split_names(s);
	return true;
}

static enum as_code context_make_paths(struct as_change *c, void *ctx)
{
	struct chains *s = ctx;
	const struct as_rows *rows = &c->src->self;

	s->c = c;
	AS_TRY(as_memory(context_make_scratch(s)));
	AS_TRY(index_names(s));
	AS_TRY(find_all_same(s));
	context_each_call(s, note_caller);
	AS_TRY(as_change_samples(c));
	for (size_t r = 0; r < rows->run.n; r++)
		AS_TRY(context_add_run(s, &rows->run.p[r]));
	c->b.prof->path_depth = s->depth;
	context_each_call(s, count_lost);
	return AS_OK;
}

enum as_code as_context_paths(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	struct chains s = {0};
	enum as_code rc;

	*out = NULL;
	if (!has_callers(prof))
		return as_err_set(err, AS_E_UNSUPPORTED, "no function's name says who called it");
	rc = as_change_run(prof, NULL, context_make_paths, &s, out, err);
	if (s.fold.al)
		as_fold_release(&s.fold);
	AS_TRY(rc);
	as_lose(l, AS_CAPBIT_CALLS, s.edges);
	as_lose(l, AS_CAPBIT_COUNTS, s.counts);
	as_losses_add(l, "call-costs", s.costs, "inclusive cost{ of a call|s of calls}");
	as_lose(l, AS_CAPBIT_JUMPS, prof->jump.n);
	as_losses_add(l, "recursion", s.levels, "level{|s} of recursion");
	as_losses_add(
		l, "inlined", s.inlined, "name{ of an inlined function|s of inlined functions}");
	return AS_OK;
}
