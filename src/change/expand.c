/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for code that was known by its address alone. On a path, a place becomes the function and
 * what was inlined into it, the outermost first; a row of self cost goes to the innermost.
 */
#include "change/kit/change.h"
#include "change/kit/readdress.h"
#include "change/transform.h"
#include "model/chains.h"
#include "model/sums.h"

struct expand {
	struct as_change *c;
	const struct as_chains *chains;
	/* Handle + 1 in the result of the function of each frame of CHAINS, and of each string of
	 * CHAINS as a name and as a file; 0 = not yet. */
	uint32_t *func, *text, *file;
};

const struct as_chain *as_chain_at(
	const struct as_profile *prof, const struct as_chains *chains, const struct as_pos *pos)
{
	uint64_t addr = pos->addr ? pos->addr : prof->func.addr.p[pos->func.i];

	if (prof->func.name.p[pos->func.i].i || !addr)
		return NULL;
	return as_chains_find(chains, prof->func.object.p[pos->func.i], addr);
}

/* A path of the chains in the result. */
static enum as_code expand_file(struct expand *x, as_str path, as_file *out)
{
	uint32_t *file = &x->file[path.i];

	if (!*file) {
		AS_TRY(as_build_file(&x->c->b, as_chains_str(x->chains, path), out));
		*file = out->i + 1;
	}
	out->i = *file - 1;
	return AS_OK;
}

static enum as_code expand_name(struct expand *x, as_str name, as_str *out)
{
	uint32_t *text = &x->text[name.i];

	if (!*text) {
		AS_TRY(as_build_str(&x->c->b, as_chains_str(x->chains, name), out));
		*text = out->i + 1;
	}
	out->i = *text - 1;
	return AS_OK;
}

/* The function of frame FR of CHAIN in the result, which is given out when it is met first. */
static enum as_code expand_func(
	struct expand *x, const struct as_chain *chain, const struct as_frame *fr, as_func *out)
{
	uint32_t *func = &x->func[fr - x->chains->frame.p];
	struct as_func_row row = {
		.object = {x->c->r.object[chain->object.i]}, .whole = !fr->name.i};

	if (!*func) {
		if (!fr->name.i)
			row.addr = as_readdress_in(&x->c->r, chain->object, fr->start);
		AS_TRY(expand_file(x, fr->func_file, &row.file));
		AS_TRY(expand_name(x, fr->name, &row.name));
		AS_TRY(as_build_func_row(&x->c->b, &row, out));
		*func = out->i + 1;
	}
	out->i = *func - 1;
	return AS_OK;
}

/* Where frame K of CHAIN stands, in the result. */
static enum as_code frame_pos(
	struct expand *x, const struct as_chain *chain, uint32_t k, struct as_pos *out)
{
	const struct as_frame *fr = &x->chains->frame.p[chain->first + k];

	as_assert(k < chain->n && chain->n <= x->chains->frame.n - chain->first);
	*out = (struct as_pos){.line = fr->line,
		.addr = as_readdress_in(&x->c->r, chain->object, chain->addr),
		.inlined = k + 1 < chain->n};
	AS_TRY(expand_func(x, chain, fr, &out->func));
	return expand_file(x, fr->file, &out->file);
}

/* ---- paths ---- */

/* What a place of the source becomes. There are many more nodes than places, so it is worked out
 * when a place is met first. */
struct grown {
	const struct as_chain *chain; /* NULL: it stays one place */
	uint32_t *frame;              /* the places of its frames, the innermost first */
	bool known;
};

static enum as_code expand_grow(struct expand *x, as_place from, struct grown *g)
{
	struct as_place_more none = {0}, more = as_place_get_more(x->c->src, from);
	struct as_pos pos;
	as_place place;

	AS_TRY(as_remap_str(&x->c->r, more.extra, &more.extra));
	if (!g->chain) {
		AS_TRY(as_remap_place(&x->c->r, from, &place));
		g->frame[0] = place.i;
	}
	for (uint32_t k = g->chain ? g->chain->n : 0; k-- > 0;) {
		AS_TRY(frame_pos(x, g->chain, k, &pos));
		AS_TRY(as_build_place_more(
			&x->c->b, &pos, k + 1 == g->chain->n ? &more : &none, &place));
		g->frame[k] = place.i;
	}
	g->known = true;
	return AS_OK;
}

/* What the places of nodes become, in the order of these. */
static enum as_code expand_grow_all(struct expand *x, struct grown *grown)
{
	const struct as_profile *src = x->c->src;

	for (size_t i = 1; i < src->node.parent.n; i++) {
		as_place from = src->node.place.p[i];

		if (!grown[from.i].known)
			AS_TRY(expand_grow(x, from, &grown[from.i]));
	}
	return AS_OK;
}

/* Whether no two places of the source become one: then no two nodes do. */
static enum as_code expand_look_apart(struct expand *x, const struct grown *grown, bool *apart)
{
	uint32_t *owner;
	size_t n = x->c->b.prof->place.func.n;

	AS_TRY(as_memory(as_alloc_array(x->c->al, &owner, n)));
	*apart = true;
	for (uint32_t i = 0; i < x->c->src->place.func.n; i++) {
		uint32_t frames = grown[i].chain ? grown[i].chain->n : 1;

		for (uint32_t k = 0; grown[i].known && k < frames; k++) {
			uint32_t *of = &owner[grown[i].frame[k]];

			*apart &= !*of || *of == i + 1;
			*of = i + 1;
		}
	}
	as_alloc_free(x->c->al, owner, n * sizeof(*owner) + 1);
	return AS_OK;
}

/* The nodes of SRC in the result, each the innermost of its frames. */
static enum as_code expand_push_nodes(struct expand *x, const struct grown *grown, uint32_t *to)
{
	const struct as_profile *src = x->c->src;
	struct as_build *b = &x->c->b;
	bool apart;

	AS_TRY(expand_look_apart(x, grown, &apart));
	b->depth_first |= apart;
	for (size_t i = 1; i < src->node.parent.n; i++) {
		const struct grown *g = &grown[src->node.place.p[i].i];
		as_node node = {to[src->node.parent.p[i].i]};

		for (uint32_t k = g->chain ? g->chain->n : 1; k-- > 0;) {
			as_place place = {g->frame[k]};

			AS_TRY(apart ? as_build_append(b, node, place, &node)
				     : as_build_push(b, node, place, &node));
		}
		to[i] = node.i;
	}
	return AS_OK;
}

/* How many places those of the source become. */
static size_t find_chains(const struct expand *x, struct grown *grown)
{
	const struct as_profile *src = x->c->src;
	size_t n = 0;

	for (uint32_t i = 0; i < src->place.func.n; i++) {
		struct as_pos pos = as_place_pos(src, (as_place){i});

		grown[i].chain = as_chain_at(src, x->chains, &pos);
		n += grown[i].chain ? grown[i].chain->n : 1;
	}
	return n;
}

static enum as_code expand_samples(struct expand *x)
{
	const struct as_alloc *al = x->c->al;
	const struct as_profile *src = x->c->src;
	struct grown *grown;
	uint32_t *frame, *to;

	if (!src->sample.node.n)
		return AS_OK;
	if (!as_alloc_array(al, &grown, src->place.func.n) ||
		!as_alloc_array(al, &frame, find_chains(x, grown)) ||
		!as_alloc_array(al, &to, src->node.parent.n))
		return AS_E_NOMEM;
	for (size_t i = 0; i < src->place.func.n; i++) {
		grown[i].frame = frame;
		frame += grown[i].chain ? grown[i].chain->n : 1;
	}
	AS_TRY(expand_grow_all(x, grown));
	AS_TRY(expand_push_nodes(x, grown, to));
	return as_change_samples_to(x->c, to);
}

/* ---- stacks, which become sums ---- */

/* The functions that a place of the source becomes, the outermost first: N from FIRST on; of one
 * alone FIRST is its handle. */
struct expand_funcs {
	uint32_t first, n;
};

struct expand_sums {
	struct as_sums sums;
	struct expand_funcs *of; /* of each place */
	AS_VEC(as_func) func;
};

static enum as_code expand_add_func(struct expand *x, struct expand_sums *to, as_func func)
{
	return as_memory(as_sums_room(&to->sums, func) && as_vec_push(x->c->al, &to->func, func));
}

/* A function that is inlined into itself does not call itself: it is one. */
static enum as_code expand_find_funcs(struct expand *x, struct expand_sums *to, as_place from)
{
	struct as_pos pos = as_place_pos(x->c->src, from);
	const struct as_chain *chain = as_chain_at(x->c->src, x->chains, &pos);
	struct expand_funcs *of = &to->of[from.i];

	of->first = (uint32_t)to->func.n;
	for (uint32_t k = chain ? chain->n : 0; k-- > 0;) {
		AS_TRY(frame_pos(x, chain, k, &pos));
		if (to->func.n == of->first || to->func.p[to->func.n - 1].i != pos.func.i)
			AS_TRY(expand_add_func(x, to, pos.func));
	}
	if (!chain) {
		AS_TRY(as_remap_func(&x->c->r, pos.func, &pos.func));
		AS_TRY(expand_add_func(x, to, pos.func));
	}
	of->n = (uint32_t)to->func.n - of->first;
	if (of->n == 1)
		of->first = to->func.p[--to->func.n].i;
	return AS_OK;
}

/* The path that sums which are there already count for; stacks have those after it. */
enum { CARRIED = 1 };

/* A stack that is wide costs COST. */
static void expand_add_wide(const struct expand_sums *to, const struct as_stacks_cur *cur,
	uint64_t path, const as_val *cost)
{
	static const as_place none = {0};
	const as_place *place = cur->n ? cur->place : &none;
	as_func func = {0};

	for (uint32_t i = cur->n; i-- > 0;) {
		const struct expand_funcs of = to->of[place[i].i];

		if (AS_LIKELY(of.n == 1))
			as_sums_expect(&to->sums, (as_func){of.first});
	}
	for (uint32_t i = cur->n ? cur->n : 1; i-- > 0;) {
		const struct expand_funcs of = to->of[place[i].i];

		func.i = of.first;
		if (AS_LIKELY(of.n == 1))
			as_sums_enter(&to->sums, func, path, cost);
		for (uint32_t k = 0; AS_UNLIKELY(of.n > 1) && k < of.n; k++) {
			func = to->func.p[of.first + k];
			as_sums_enter(&to->sums, func, path, cost);
		}
	}
	as_sums_leaf(&to->sums, func, cost);
}

/* Sums of a function where no sum of the only event can need more than 64 bits: they take a third
 * of the memory, of which each frame of each stack meets some. */
struct expand_narrow {
	uint64_t met; /* as in as_sums.tally */
	uint64_t incl;
};

static inline void expand_meet(struct expand_narrow *sums, as_func func, uint64_t path, uint64_t n)
{
	struct expand_narrow *s = &sums[func.i];
	bool again = s->met >> 1 == path;

	s->met = path << 1 | (s->met & 1) | again;
	s->incl += again ? 0 : n;
}

/* The stack on which CUR stands, of one event; its innermost function. */
static as_func expand_add_narrow(const struct expand_sums *to, const struct as_stacks_cur *cur,
	uint64_t path, struct expand_narrow *sums)
{
	static const as_place none = {0};
	const as_place *place = cur->n ? cur->place : &none;
	const struct expand_funcs *all = to->of;
	as_func func = {0};

	for (uint32_t i = cur->n ? cur->n : 1; i-- > 0;) {
		const struct expand_funcs of = all[place[i].i];

		func.i = of.first;
		if (AS_LIKELY(of.n == 1))
			expand_meet(sums, func, path, cur->cost[0]);
		for (uint32_t k = 0; AS_UNLIKELY(of.n > 1) && k < of.n; k++) {
			func = to->func.p[of.first + k];
			expand_meet(sums, func, path, cur->cost[0]);
		}
	}
	return func;
}

/* All stacks of one event, which cost less than 2^64 together. */
static bool expand_add_all_narrow(
	struct expand *x, const struct expand_sums *to, struct as_stacks_cur *cur)
{
	size_t n = to->sums.tally.n / (1 + 2 * to->sums.e);
	struct expand_narrow *sums;
	uint64_t path = CARRIED;

	if (!as_alloc_array(x->c->al, &sums, n))
		return false;
	while (as_stacks_next(cur)) {
		as_func leaf = expand_add_narrow(to, cur, ++path, sums);

		as_sums_of(&to->sums, leaf)[1] += (as_val)cur->cost[0];
	}
	for (uint32_t f = 0; f < n; f++) {
		as_val *v = as_sums_of(&to->sums, (as_func){f});

		if (!sums[f].met)
			continue;
		v[0] = (as_val)(CARRIED << 1 | ((uint64_t)v[0] & 1) | (sums[f].met & 1));
		v[2] += (as_val)sums[f].incl;
	}
	return true;
}

/* What a stack adds to a function: N of event AT. */
struct expand_cost {
	uint32_t at;
	uint64_t n;
};

static struct expand_cost expand_cost_of(uint32_t event, uint64_t n)
{
	return event == AS_STACK_NO_EVENT ? (struct expand_cost){0, 0}
					  : (struct expand_cost){event, n};
}

static inline void expand_enter(const struct as_sums *sums, as_func func, uint64_t path,
	struct expand_cost value, struct expand_cost times)
{
	as_val *incl = as_sums_meet(sums, func, path);

	if (AS_UNLIKELY(!incl))
		return;
	incl[value.at] += (as_val)value.n;
	incl[times.at] += (as_val)times.n;
}

static void expand_add_stack(
	const struct expand_sums *to, const struct as_stacks_cur *cur, uint64_t path)
{
	static const as_place none = {0};
	const struct as_stack_kind *kind = &cur->s->kind.p[cur->kind];
	const struct expand_cost value = expand_cost_of(kind->value, cur->value);
	const struct expand_cost times = expand_cost_of(kind->times, cur->times);
	const as_place *place = cur->n ? cur->place : &none;
	const struct expand_funcs *all = to->of;
	const struct as_sums sums = to->sums; /* which no sum can change */
	as_func func = {0};
	as_val *self;

	for (uint32_t i = cur->n; i-- > 0;)
		if (AS_LIKELY(all[place[i].i].n == 1))
			as_sums_expect(&sums, (as_func){all[place[i].i].first});
	for (uint32_t i = cur->n ? cur->n : 1; i-- > 0;) {
		const struct expand_funcs of = all[place[i].i];

		func.i = of.first;
		if (AS_LIKELY(of.n == 1))
			expand_enter(&sums, func, path, value, times);
		for (uint32_t k = 0; AS_UNLIKELY(of.n > 1) && k < of.n; k++) {
			func = to->func.p[of.first + k];
			expand_enter(&sums, func, path, value, times);
		}
	}
	self = as_sums_of(&sums, func) + 1; /* of the innermost */
	self[value.at] += (as_val)value.n;
	self[times.at] += (as_val)times.n;
}

static enum as_code expand_add_stacks(struct expand *x, struct expand_sums *to, as_place *room)
{
	const struct as_stacks *stacks = &x->c->src->stacks;
	struct as_stacks_cur cur;
	uint64_t path = CARRIED;
	as_val *cost;

	as_assert(!stacks->all.n || stacks->all.n == to->sums.e);
	AS_TRY(as_memory(as_alloc_array(x->c->al, &cost, stacks->all.n)));
	if (!as_sums_room(&to->sums, (as_func){(uint32_t)x->c->src->func.name.n - 1}))
		return AS_E_NOMEM;
	for (uint32_t i = 0; i < x->c->src->place.func.n; i++)
		AS_TRY(expand_find_funcs(x, to, (as_place){i}));
	as_stacks_begin(&cur, stacks, room);
	if (stacks->all.n == 1 && stacks->all.p[0] <= (as_val)UINT64_MAX &&
		!expand_add_all_narrow(x, to, &cur))
		return AS_E_NOMEM;
	while (as_stacks_next(&cur)) {
		path++;
		for (size_t i = 0; i < stacks->all.n; i++)
			cost[i] = (as_val)cur.cost[i];
		if (stacks->all.n)
			expand_add_wide(to, &cur, path, cost);
		else
			expand_add_stack(to, &cur, path);
	}
	return as_sums_put(&to->sums, &x->c->b);
}

/* Addresses come in their order, so many that follow one another are of one function: it is looked
 * up once for them. */
static enum as_code expand_find_outermost(struct expand *x)
{
	const struct as_frame *frame = x->chains->frame.p;
	uint32_t before = 0, object = 0;

	for (size_t i = 0; i < x->chains->chain.n; i++) {
		const struct as_chain *chain = &x->chains->chain.p[i];
		uint32_t at = chain->first + chain->n - 1;
		const struct as_frame *a = &frame[before], *b = &frame[at];
		struct as_pos pos;

		if (i && object == chain->object.i && a->name.i == b->name.i && b->name.i &&
			a->func_file.i == b->func_file.i && a->file.i == b->file.i)
			x->func[at] = x->func[before];
		else
			AS_TRY(frame_pos(x, chain, chain->n - 1, &pos));
		before = at;
		object = chain->object.i;
	}
	return AS_OK;
}

/* Sums that the source has beside its stacks. */
static enum as_code expand_carry_sums(struct expand *x, struct expand_sums *to)
{
	const struct as_profile *src = x->c->src;
	uint32_t e = to->sums.e;

	for (size_t i = 0; i < src->sums.func.n; i++) {
		const as_val *from = src->sums.cost.p + 2 * e * i;
		as_func func;
		as_val *v;

		AS_TRY(as_remap_func(&x->c->r, src->sums.func.p[i], &func));
		AS_TRY(as_memory(as_sums_room(&to->sums, func)));
		v = as_sums_of(&to->sums, func);
		v[0] = (as_val)(CARRIED << 1 | ((uint64_t)v[0] & 1) | src->sums.recursive.p[i]);
		as_vals_add(v + 1, from, 2 * e);
	}
	return AS_OK;
}

static enum as_code expand_stacks(struct expand *x)
{
	const struct as_profile *src = x->c->src;
	struct expand_sums to = {.sums = {.al = x->c->al, .e = as_n_events(src)}};
	as_place *room;

	if (!as_stacks_any(&src->stacks) || !src->stacks.n)
		return AS_OK;
	AS_TRY(as_memory(as_alloc_array(x->c->al, &to.of, src->place.func.n) &&
			 as_alloc_array(x->c->al, &room, src->stacks.deepest)));
	AS_TRY(expand_find_outermost(x));
	AS_TRY(expand_carry_sums(x, &to));
	return expand_add_stacks(x, &to, room);
}

/* ---- rows of self cost ---- */

static enum as_code expand_run(struct expand *x, const struct as_run *run)
{
	struct as_remap *r = &x->c->r;
	struct as_rows_cur cur;
	struct as_pos pos, to;

	as_rows_begin(&cur, &x->c->src->self, run, r->in);
	while (as_rows_next(&cur)) {
		const struct as_chain *chain;

		pos = (struct as_pos){run->func, run->file, cur.line, cur.addr, false};
		chain = as_chain_at(x->c->src, x->chains, &pos);
		if (chain)
			AS_TRY(frame_pos(x, chain, 0, &to));
		else
			AS_TRY(as_remap_pos(r, &pos, &to));
		as_remap_cost(r, r->in, cur.n, r->out);
		AS_TRY(as_build_self(
			&x->c->b, r->part[run->part], &to, r->out, as_n_events(x->c->b.prof)));
	}
	return AS_OK;
}

/* A run whose function has a name stays as it is, with what the source says was inlined. */
static enum as_code expand_self(struct expand *x)
{
	const struct as_profile *src = x->c->src;
	bool nameless = false;

	for (size_t i = 0; i < src->self.run.n; i++) {
		const struct as_run *run = &src->self.run.p[i];

		if (src->func.name.p[run->func.i].i) {
			AS_TRY(as_remap_run(&x->c->r, &src->self, run));
			continue;
		}
		nameless = true;
		AS_TRY(expand_run(x, run));
	}
	if (nameless && !as_rows_compact(&x->c->b.prof->self, AS_KEYS_SELF))
		return AS_E_NOMEM;
	return AS_OK;
}

/* ---- functions that are called by their addresses ---- */

/* FUNC of the result, which has a name, at that level of its recursion. */
static enum as_code expand_at_level(struct expand *x, struct as_slice level, as_func *func)
{
	struct as_build *b = &x->c->b;
	struct as_func_row row = {
		.object = b->prof->func.object.p[func->i], .file = b->prof->func.file.p[func->i]};
	struct as_slice name = as_func_name(b->prof, *func);
	char *text;

	AS_TRY(as_memory(as_alloc_array(x->c->al, &text, name.len + level.len)));
	memcpy(text, name.p, name.len);
	memcpy(text + name.len, level.p, level.len);
	AS_TRY(as_build_str(b, (struct as_slice){text, name.len + level.len}, &row.name));
	return as_build_func_row(b, &row, func);
}

/* A function as a whole is the one around its first address; what was inlined there is not it. All
 * levels of recursion of one without a name are one function, as they are where names are folded.
 */
static enum as_code name_funcs(struct expand *x)
{
	const struct as_profile *src = x->c->src;
	const struct as_chain *chain;
	struct as_slice name, level;
	struct as_pos pos;
	uint64_t addr;

	for (uint32_t f = 1; f < src->func.name.n; f++) {
		name = as_name_cut_level(as_func_name(src, (as_func){f}), &level);
		if (!as_name_is_address(name, &addr))
			continue;
		chain = as_chains_find(x->chains, src->func.object.p[f], addr);
		if (!chain)
			continue;
		AS_TRY(frame_pos(x, chain, chain->n - 1, &pos));
		if (level.len && as_func_name(x->c->b.prof, pos.func).len)
			AS_TRY(expand_at_level(x, level, &pos.func));
		x->c->r.func[f] = pos.func.i + 1;
	}
	return AS_OK;
}

static enum as_code expand_all(struct as_change *c, void *ctx)
{
	struct expand x = {.c = c, .chains = ctx};

	if (!as_alloc_array(c->al, &x.func, x.chains->frame.n) ||
		!as_alloc_array(c->al, &x.text, x.chains->str.row.n) ||
		!as_alloc_array(c->al, &x.file, x.chains->str.row.n))
		return AS_E_NOMEM;
	AS_TRY(as_readdress_init(&c->r, x.chains));
	AS_TRY(name_funcs(&x));
	AS_TRY(as_readdress_funcs(&c->r));
	AS_TRY(expand_self(&x));
	AS_TRY(as_remap_rows(&c->r, &c->src->call));
	AS_TRY(as_remap_rows(&c->r, &c->src->jump));
	if (c->r.moves && !as_rows_compact_all(c->b.prof))
		return AS_E_NOMEM;
	AS_TRY(expand_stacks(&x));
	return expand_samples(&x);
}

enum as_code as_expand(const struct as_profile *prof, const struct as_chains *chains,
	struct as_profile **out, struct as_err *err)
{
	return as_change_run(prof, NULL, expand_all, (void *)(uintptr_t)chains, out, err);
}
